/* The Arrow source over streams of tacit's own. */
#ifndef TACIT_SRC_ARROW_SOURCE_H
#define TACIT_SRC_ARROW_SOURCE_H

#include "source/source.h"

#include <tacit/arrow.h>

/* As tacit_source_arrow, and what the stream says of an error is passed on: it quotes no value. */
tacit_status tacit_source_arrow_told(struct ArrowArrayStream *stream, tacit_source **source,
                                     tacit_error *error) TACIT_CHECKED;

#endif
