/* What sums over samples are divided by. */
#ifndef TACIT_SRC_METHOD_SGD_H
#define TACIT_SRC_METHOD_SGD_H

#include "method/choice.h"

/* The batch, or rate times rows. */
double tacit_sgd_size(const tacit_facts *facts, const tacit_choice *choice);

#endif
