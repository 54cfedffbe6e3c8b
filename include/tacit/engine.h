/* Learning from rows that a caller's own engine holds (Spark, Dask, Ray, processes): the library asks
   questions, each part of the table answers, and the library adds up. Questions are public; answers are exact
   sums over private rows, secret until noise has been added. docs/engine.md */
#ifndef TACIT_ENGINE_H
#define TACIT_ENGINE_H

#include <tacit/data.h>

TACIT_BEGIN

/* A line of a manifest: one part of the table. The part itself says it, or the packed table's header. It is
   as private as the table. */
typedef struct tacit_part_entry {
  unsigned char hash[32];               /* of all that follows, and of the schema: the part's name */
  unsigned char table[32];              /* of the packed table, or of the rows, that it is a part of */
  uint64_t part, parts;                 /* which part of how many, from 0, */
  uint64_t first, blocks, table_blocks; /* and which blocks of rows that is */
  uint64_t rows, records, dropped_lag, dropped_unit;
  uint64_t shard, shards; /* whose rows these are: of units in this shard of so many; 0, 0: of any */
  uint64_t whole;         /* 1: a unit's rows lie together, and can be clipped as a whole */
} tacit_part_entry;

/* The manifest of a packed table in `parts` parts, from its header: entries has as many lines. Part k is
   opened with tacit_source_open_part(path, k, parts, ...). */
TACIT_API tacit_status tacit_manifest_packed(const char *path, const tacit_schema *schema, size_t parts,
                                             tacit_part_entry *entries, tacit_error *error) TACIT_CHECKED;

/* A part that answers questions, where its rows are. The source is read to its end and may then be freed; the
   schema must outlive the part. TACIT_REFUSED for rows that a query made. A part is used by one thread at a
   time; context->threads says how many it uses itself. */
typedef struct tacit_part tacit_part;
TACIT_API tacit_status tacit_part_open(tacit_source *source, const tacit_schema *schema,
                                       const tacit_context *context, tacit_part **part,
                                       tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_part_describe(const tacit_part *part, tacit_part_entry *entry);
/* The reply to a request's bytes, to be given to tacit_reply_free. A part that was never sent what the
   question names replies so, and is asked again. TACIT_BAD_INPUT for bytes that are no request, or one for
   another schema. */
TACIT_API tacit_status tacit_part_answer(tacit_part *part, const void *request, size_t length, void **reply,
                                         size_t *reply_length, tacit_error *error) TACIT_CHECKED;
/* Between two questions, for workers that keep several parts open: the pages of a packed file go back to the
   system. Returns the bytes that the part keeps in memory of its own: where units lie together its rows, and
   perhaps an image of them. */
TACIT_API size_t tacit_part_rest(const tacit_part *part);
TACIT_API void tacit_part_free(tacit_part *part); /* wipes; NULL is fine */

/* Two replies to one question as one, for engines that add up on the way; entries are the manifest's.
   TACIT_BAD_INPUT for replies to different questions or that were changed, and for a part that both cover. */
typedef struct tacit_reply_bytes {
  const void *bytes;
  size_t length;
} tacit_reply_bytes;
TACIT_API tacit_status tacit_reply_merge(const tacit_part_entry *entries, size_t count,
                                         const tacit_reply_bytes replies[2], void **reply,
                                         size_t *reply_length, tacit_error *error) TACIT_CHECKED;
TACIT_API void tacit_reply_free(void *reply, size_t length); /* wipes; NULL is fine */

/* What is asked: the same bytes of every part whose line of the manifest is listed. */
typedef struct tacit_request {
  const void *bytes;
  size_t length;
  const size_t *parts; /* indices into the manifest */
  size_t count;
} tacit_request;
typedef struct tacit_replies tacit_replies;
/* Takes over what a reply says; its bytes stay the caller's. A reply that came before changes nothing.
   TACIT_BAD_INPUT, and nothing is changed, for one to another question, of unknown parts, of the wrong
   length, damaged, or beyond what its rows can reach. TACIT_REFUSED, and the whole request fails, for parts
   that would count twice and for two answers of one part that differ. */
TACIT_API tacit_status tacit_replies_add(tacit_replies *replies, const void *reply, size_t length,
                                         tacit_error *error) TACIT_CHECKED;

/* ask brings the request to the parts and gives their replies to tacit_replies_add, in any order, from the
   thread that it was called in, before it returns. Parts that did not reply are asked again, a few times. A
   status other than TACIT_OK ends the fit. */
typedef struct tacit_engine {
  tacit_status (*ask)(void *user, const tacit_request *request, tacit_replies *replies, tacit_error *error);
  void *user;
} tacit_engine;
/* A source for tacit_learn and tacit_estimate_cost, whose rows lie in the engine; it is
   called by the thread that calls them. The entries are copied. Refused is a manifest in which parts overlap,
   or a table is not whole; with units by a column one of several tables that are not a shard each
   (tacit_source_shard), and with lags or look-ups one of several tables. sgd, objective and methods without
   privacy need the rows in one place: they refuse such a source. */
TACIT_API tacit_status tacit_source_engine(const tacit_engine *engine, const tacit_schema *schema,
                                           const tacit_part_entry *entries, size_t count,
                                           tacit_source **source, tacit_error *error) TACIT_CHECKED;

TACIT_END

#endif
