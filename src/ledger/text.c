/* Which texts a ledger may hold: they are for people, and are shown on terminals. */
#include "ledger/ledger.h"

#include <string.h>

/* How many bytes a UTF-8 character has that is no control character; 0 for none. Overlong forms, surrogates
   and numbers beyond Unicode are none. */
static size_t character(const unsigned char *s) {
  if (s[0] < 0x80) return s[0] >= 0x20 && s[0] != 0x7f;
  size_t more = s[0] >= 0xc2 && s[0] < 0xe0   ? 1
                : s[0] >= 0xe0 && s[0] < 0xf0 ? 2
                : s[0] >= 0xf0 && s[0] < 0xf5 ? 3
                                              : 0;
  for (size_t i = 1; i <= more; i++)
    if ((s[i] & 0xc0) != 0x80) return 0; /* a terminating NUL ends here too */
  if ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
      (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
    return 0;
  return more ? more + 1 : 0;
}

bool tacit_plain_text(const char *text, size_t least, size_t most) {
  size_t length = strlen(text), n;
  if (length < least || length > most) return false;
  for (size_t i = 0; i < length; i += n)
    if (!(n = character((const unsigned char *)text + i))) return false;
  return !tacit_has_control(text, length);
}
