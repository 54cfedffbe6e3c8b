/* DuckDB's C library, loaded when a table needs it: Parquet, JSON and SQL. Nothing links against it; the few
   functions that are used are declared here by what its stable C interface says of them. */
#ifndef TACIT_SRC_DUCKDB_H
#define TACIT_SRC_DUCKDB_H

#include <tacit/base.h>

/* The interface's result: six words, passed around by value. */
typedef struct tacit_duckdb_result {
  uint64_t deprecated[3];
  void *inside[3];
} tacit_duckdb_result;

/* Its handles are pointers, its states are 0 for done. */
#define TACIT_DUCKDB_FUNCTIONS(X)                                                                            \
  X(int, create_config, (void **config))                                                                     \
  X(int, set_config, (void *config, const char *name, const char *value))                                    \
  X(void, destroy_config, (void **config))                                                                   \
  X(int, open_ext, (const char *path, void **database, void *config, char **error))                          \
  X(void, close, (void **database))                                                                          \
  X(int, connect, (void *database, void **connection))                                                       \
  X(void, disconnect, (void **connection))                                                                   \
  X(void, free, (void *memory))                                                                              \
  X(int, prepare, (void *connection, const char *query, void **statement))                                   \
  X(const char *, prepare_error, (void *statement))                                                          \
  X(void, destroy_prepare, (void **statement))                                                               \
  X(int, bind_varchar, (void *statement, uint64_t index, const char *text))                                  \
  X(int, execute_prepared, (void *statement, tacit_duckdb_result *result))                                   \
  X(int, pending_prepared_streaming, (void *statement, void **pending))                                      \
  X(int, execute_pending, (void *pending, tacit_duckdb_result *result))                                      \
  X(void, destroy_pending, (void **pending))                                                                 \
  X(const char *, result_error, (tacit_duckdb_result * result))                                              \
  X(void, destroy_result, (tacit_duckdb_result * result))                                                    \
  X(uint64_t, column_count, (tacit_duckdb_result * result))                                                  \
  X(int, column_type, (tacit_duckdb_result * result, uint64_t column))                                       \
  X(void *, fetch_chunk, (tacit_duckdb_result result))                                                       \
  X(void, destroy_data_chunk, (void **chunk))                                                                \
  X(uint64_t, data_chunk_get_size, (void *chunk))                                                            \
  X(void *, data_chunk_get_vector, (void *chunk, uint64_t column))                                           \
  X(void *, vector_get_data, (void *vector))                                                                 \
  X(uint64_t *, vector_get_validity, (void *vector))

/* Types of columns, by the interface's numbers. */
enum {
  TACIT_DUCKDB_BOOLEAN = 1,
  TACIT_DUCKDB_TINYINT,
  TACIT_DUCKDB_SMALLINT,
  TACIT_DUCKDB_INTEGER,
  TACIT_DUCKDB_BIGINT,
  TACIT_DUCKDB_UTINYINT,
  TACIT_DUCKDB_USMALLINT,
  TACIT_DUCKDB_UINTEGER,
  TACIT_DUCKDB_UBIGINT,
  TACIT_DUCKDB_FLOAT,
  TACIT_DUCKDB_DOUBLE,
  TACIT_DUCKDB_VARCHAR = 17
};

/* A text in a column, as it lies in memory: up to 12 bytes in place, longer ones elsewhere. */
typedef union tacit_duckdb_text {
  struct {
    uint32_t length;
    char text[12];
  } here;
  struct {
    uint32_t length;
    char prefix[4];
    const char *text;
  } there;
} tacit_duckdb_text;
static inline const char *tacit_duckdb_text_of(const tacit_duckdb_text *text, size_t *length) {
  *length = text->here.length;
  return *length <= sizeof text->here.text ? text->here.text : text->there.text;
}

/* The library and one connection to a database, in memory or opened for reading alone. */
typedef struct tacit_duckdb {
#define TACIT_DUCKDB_POINTER(type, name, arguments) type(*name) arguments;
  TACIT_DUCKDB_FUNCTIONS(TACIT_DUCKDB_POINTER)
#undef TACIT_DUCKDB_POINTER
  void *database, *connection;
} tacit_duckdb;

/* Loads the library ($TACIT_DUCKDB, else libduckdb.so) and connects: to a database file, or with NULL to one
   in memory. Extensions are neither fetched nor loaded, nothing is written to disk. TACIT_USAGE where there
   is no library, with the way to get it. */
tacit_status tacit_duckdb_open(const char *path, tacit_duckdb **duckdb, tacit_error *error) TACIT_CHECKED;
void tacit_duckdb_close(tacit_duckdb *duckdb);

/* From here on statements run as they are written. DuckDB's optimiser decides by facts about all records (a
   file's smallest and largest values, which some writers state without NaN), so that what it makes of an
   expression for one record can depend on others (proofs/sql.md). TACIT_USAGE where it cannot be turned off.
 */
tacit_status tacit_duckdb_plainly(const tacit_duckdb *duckdb, tacit_error *error) TACIT_CHECKED;

/* Text that grows; after a failed allocation `failed` is set and text may be NULL. */
typedef struct tacit_words {
  char *text;
  size_t length, capacity;
  bool failed;
} tacit_words;
void tacit_words_add(tacit_words *words, const char *text);
/* Between quotes ' or ", with those inside doubled: as SQL has its texts and its names. */
void tacit_words_quote(tacit_words *words, const char *text, char quote);

/* A small answer: rows times columns texts, row by row; a null is "". */
typedef struct tacit_answer {
  char **cells;
  size_t rows, columns;
} tacit_answer;
/* Runs a statement whose columns are all text, with at most one parameter (NULL: none). TACIT_BAD_INPUT when
   DuckDB refuses it. DuckDB's own words go to *why (may be NULL) only: they may quote a record, and whoever
   asks for them must know that no record was read. They are to be freed. */
tacit_status tacit_duckdb_ask(const tacit_duckdb *duckdb, const char *statement, const char *parameter,
                              tacit_answer *answer, char **why, tacit_error *error) TACIT_CHECKED;
void tacit_answer_free(tacit_answer *answer);

#endif
