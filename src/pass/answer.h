/* Answers questions from rows in this process: exact integers, by several threads, with the same bits for
   every number of them and every order of rows. It knows nothing of noise, budget or entropy. */
#ifndef TACIT_SRC_ANSWER_H
#define TACIT_SRC_ANSWER_H

#include "data/design.h"
#include "question/question.h"

/* Rows, and what is kept between questions: the last image of them, and the best decision of each for the
   last region. */
typedef struct tacit_answerer {
  const tacit_schema *schema;
  tacit_row_facts facts;
  tacit_design *design;
  int threads;     /* for passes that read rows and little more, */
  int all_threads; /* and for others */
  bool turned;     /* the image has taken the rows' place */
  tacit_design *image;
  unsigned char image_hash[TACIT_HASH];
  double *best;
  size_t best_bytes;
  char region_hash[65];
} tacit_answerer;

/* Takes over the design, also when it fails. The schema must outlive it. */
tacit_status tacit_answerer_new(const tacit_schema *schema, tacit_design *design,
                                const tacit_context *context, tacit_answerer **answerer,
                                tacit_error *error) TACIT_CHECKED;
void tacit_answerer_free(tacit_answerer *answerer); /* wipes; NULL is fine */
/* Until the next question; returns the bytes of memory that it keeps (data/design.h). */
size_t tacit_answerer_rest(const tacit_answerer *answerer);
/* answer has tacit_question_width entries. TACIT_USAGE for a question that these rows cannot answer. */
tacit_status tacit_answer(tacit_answerer *answerer, const tacit_question *question, uint64_t *answer,
                          tacit_error *error) TACIT_CHECKED;

/* The kinds of questions, each over a design that fits; answer_count.c, answer_rows.c, answer_costs.c,
   answer_features.c, answer_ramps.c. */
void tacit_answer_count(const tacit_design *design, const tacit_schema *schema,
                        const tacit_question *question, int threads, uint64_t *answer);
tacit_status tacit_answer_rows(const tacit_design *design, const tacit_schema *schema,
                               const tacit_question *question, int threads, uint64_t *answer,
                               tacit_error *error) TACIT_CHECKED;
void tacit_answer_costs(const tacit_design *design, const tacit_schema *schema,
                        const tacit_question *question, int threads, uint64_t *answer);
tacit_status tacit_answer_features(const tacit_design *design, const tacit_features_question *question,
                                   int threads, uint64_t *answer, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_answer_ramps(const tacit_design *design, const tacit_ramps_question *question, int threads,
                                uint64_t *answer, tacit_error *error) TACIT_CHECKED;

#endif
