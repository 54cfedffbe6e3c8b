/* Which texts a ledger may hold: they are for people, and are shown on terminals. */
#include "ledger/ledger.h"

#include "privacy/gdp.h"

#include <math.h>
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

bool tacit_is_hex(const char *text, size_t digits) {
  return strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}

static bool is_delta(const char *text) {
  double delta = tacit_amount_value(text);
  return delta > 0 && delta < 1;
}

/* What is paid for or allowed is a number that means something: an infinity would make sums that nobody can
   compare. */
static bool sound_amounts(const tacit_terms *terms) {
  if (!terms->renyi)
    return tacit_amount_value(terms->mu) <= TACIT_MU_MAX && (!terms->delta[0] || is_delta(terms->delta));
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++)
    if (strcmp(terms->rdp[i], "inf") != 0 && !isfinite(tacit_amount_value(terms->rdp[i]))) return false;
  return is_delta(terms->delta);
}

bool tacit_entry_sound(const tacit_ledger_entry *e, const tacit_terms *terms) {
  tacit_unit unit = {.column = NULL};
  if (*terms->unit && !tacit_unit_parse(terms->unit, &unit)) return false;
  return tacit_plain_text(e->label, 1, TACIT_LABEL_MAX) && tacit_plain_text(e->method, 0, TACIT_LABEL_MAX) &&
         tacit_plain_text(e->schema_hash, 0, TACIT_LABEL_MAX) &&
         tacit_plain_text(e->date, 0, TACIT_LABEL_MAX) &&
         (!unit.column || tacit_plain_text(unit.column, 1, TACIT_LEDGER_COLUMN_MAX)) &&
         strlen(terms->unit) < TACIT_LEDGER_MEASURE_SIZE && tacit_plain_text(e->nonce, 0, TACIT_LABEL_MAX) &&
         (!*e->commitment || tacit_is_hex(e->commitment, 64)) && sound_amounts(terms);
}
