/* tacit: the command line. */
#include <stdio.h>
#include <tacit/base.h>

int main(void) { return puts(tacit_version()) < 0; }
