/* What is likely where a schema is not JSON. */
#ifndef TACIT_SRC_JSON_WORDS_H
#define TACIT_SRC_JSON_WORDS_H

#include <jansson.h>
#include <stddef.h>

/* What to write instead, for the mistakes that people make; "" for others. */
const char *tacit_json_words(const char *text, size_t length, const json_error_t *at);

#endif
