/* Several ranks, as threads: each has a part of the table, and the probe stands at the first one's gate. */
#include "neighbours/neighbours.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct meeting {
  pthread_barrier_t barrier;
  pthread_mutex_t lock;
  uint64_t sum[8192];
  char bytes[1 << 16];
} meeting;

typedef struct member {
  meeting *at;
  tacit_ranks ranks;
  const problem *problem;
  const table *table;
  const tacit_learn_options *options;
  const tacit_watch *watch;
  outcome *out;
  tacit_fit **fit;
} member;

static tacit_status add(void *user, uint64_t *values, size_t count, tacit_error *error) {
  const member *m = user;
  (void)error;
  if (count > sizeof m->at->sum / sizeof *m->at->sum) abort();
  pthread_barrier_wait(&m->at->barrier);
  if (m->ranks.rank == 0) memset(m->at->sum, 0, sizeof m->at->sum);
  pthread_barrier_wait(&m->at->barrier);
  pthread_mutex_lock(&m->at->lock);
  for (size_t k = 0; k < count; k++) m->at->sum[k] += values[k];
  pthread_mutex_unlock(&m->at->lock);
  pthread_barrier_wait(&m->at->barrier);
  memcpy(values, m->at->sum, count * sizeof *values);
  return TACIT_OK;
}

static tacit_status give(void *user, void *bytes, size_t count, tacit_error *error) {
  const member *m = user;
  (void)error;
  if (count > sizeof m->at->bytes) abort();
  pthread_barrier_wait(&m->at->barrier);
  if (m->ranks.rank == 0) memcpy(m->at->bytes, bytes, count);
  pthread_barrier_wait(&m->at->barrier);
  memcpy(bytes, m->at->bytes, count);
  return TACIT_OK;
}

static void *learn(void *self) {
  const member *m = self;
  tacit_context context;
  opened o;
  tacit_context_init(&context);
  context.threads = m->problem->threads;
  context.ranks = &m->ranks;
  source_open(m->problem, m->table, m->ranks.rank, &o);
  m->out->status = tacit_learn_watched(m->problem->schema, o.source, m->options, &context, m->watch, m->fit,
                                       &m->out->error);
  source_close(&o);
  return NULL;
}

void run_ranks(const problem *p, const table *t, const tacit_learn_options *options, const tacit_watch *watch,
               outcome *outs, tacit_fit **fits) {
  meeting *at = calloc(1, sizeof *at);
  member members[RANKS_MOST];
  pthread_t threads[RANKS_MOST];
  pthread_mutex_init(&at->lock, NULL);
  pthread_barrier_init(&at->barrier, NULL, (unsigned)p->ranks);
  for (size_t r = 0; r < p->ranks; r++) {
    members[r] = (member){.at = at,
                          .problem = p,
                          .table = t,
                          .options = options,
                          .watch = watch,
                          .out = &outs[r],
                          .fit = &fits[r]};
    members[r].ranks =
        (tacit_ranks){.rank = r, .count = p->ranks, .sum = add, .share = give, .user = &members[r]};
    if (pthread_create(&threads[r], NULL, learn, &members[r]) != 0) abort();
  }
  for (size_t r = 0; r < p->ranks; r++) pthread_join(threads[r], NULL);
  pthread_barrier_destroy(&at->barrier);
  pthread_mutex_destroy(&at->lock);
  free(at);
}
