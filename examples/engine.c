/* How rows that an engine of one's own holds are learned from: here the engine is four processes, each with a
   part of the records in its memory. The library asks, the processes answer, and only the policy leaves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tacit/tacit.h>
#include <unistd.h>

static const char SCHEMA[] = "{\"target\": {\"name\": \"demand\", \"min\": 0, \"max\": 100},"
                             " \"features\": [{\"name\": \"temperature\", \"min\": -15, \"max\": 40}]}";
enum { WORKERS = 4, ROWS = 500 /* of each */ };

typedef struct worker {
  int to, from; /* pipes */
  pid_t process;
} worker;

/* Messages are a length and so many bytes. */
static int send_bytes(int pipe, const void *bytes, size_t length) {
  const char *at = bytes;
  if (write(pipe, &length, sizeof length) != sizeof length) return -1;
  while (length) {
    ssize_t n = write(pipe, at, length);
    if (n <= 0) return -1;
    at += n;
    length -= (size_t)n;
  }
  return 0;
}

static void *receive(int pipe, size_t *length) {
  if (read(pipe, length, sizeof *length) != sizeof *length) return NULL;
  char *bytes = malloc(*length + 1);
  for (size_t done = 0; bytes && done < *length;) {
    ssize_t n = read(pipe, bytes + done, *length - done);
    if (n <= 0) {
      free(bytes);
      return NULL;
    }
    done += (size_t)n;
  }
  return bytes;
}

/* A worker: opens its part, says what it is, and answers requests until there are no more. */
static int work(int number, int requests, int replies) {
  static double temperature[ROWS], demand[ROWS];
  for (int i = 0; i < ROWS; i++) { /* stands for the records of a business */
    int record = number * ROWS + i;
    temperature[i] = (record * 37) % 450 / 10.0 - 10;
    demand[i] = 30 + 0.5 * temperature[i] + (record * 29) % 110 / 10.0 - 5;
  }
  const char *const names[] = {"temperature", "demand"};
  const double *const numbers[] = {temperature, demand};
  const char *const *const texts[] = {NULL, NULL};
  tacit_error error;
  tacit_schema *schema;
  tacit_source *source;
  tacit_part *part;
  tacit_part_entry entry;
  size_t length, reply_length;
  void *request, *reply;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, &error) != TACIT_OK) return 1;
  if (tacit_source_columns(ROWS, 2, names, numbers, texts, &source, &error) != TACIT_OK) return 1;
  if (tacit_part_open(source, schema, NULL, &part, &error) != TACIT_OK) return 1;
  tacit_part_describe(part, &entry);
  if (send_bytes(replies, &entry, sizeof entry)) return 1;
  while ((request = receive(requests, &length))) {
    if (tacit_part_answer(part, request, length, &reply, &reply_length, &error) != TACIT_OK) return 1;
    if (send_bytes(replies, reply, reply_length)) return 1;
    tacit_reply_free(reply, reply_length);
    free(request);
  }
  tacit_part_free(part);
  tacit_source_free(source);
  tacit_schema_free(schema);
  return 0;
}

static int start(worker *workers, int number) {
  worker *w = &workers[number];
  int requests[2], replies[2];
  if (pipe(requests) || pipe(replies)) return -1;
  w->process = fork();
  if (w->process == 0) {
    close(requests[1]);
    close(replies[0]);
    for (int k = 0; k < number; k++) { /* those of the others: a pipe ends when nobody can write to it */
      close(workers[k].to);
      close(workers[k].from);
    }
    _exit(work(number, requests[0], replies[1]));
  }
  close(requests[0]);
  close(replies[1]);
  w->to = requests[1];
  w->from = replies[0];
  return w->process > 0 ? 0 : -1;
}

/* The library's question to the parts that it lists; all work at once. */
static tacit_status ask(void *user, const tacit_request *request, tacit_replies *replies,
                        tacit_error *error) {
  const worker *workers = user;
  for (size_t i = 0; i < request->count; i++)
    (void)send_bytes(workers[request->parts[i]].to, request->bytes, request->length);
  for (size_t i = 0; i < request->count; i++) {
    size_t length;
    void *reply = receive(workers[request->parts[i]].from, &length);
    if (!reply) continue; /* a reply that was lost: the library asks again */
    tacit_status status = tacit_replies_add(replies, reply, length, error);
    tacit_reply_free(reply, length); /* exact sums are secret: wiped */
    if (status != TACIT_OK) return status;
  }
  return TACIT_OK;
}

static int stop(const char *what, const tacit_error *error) {
  fprintf(stderr, "%s: %s\n", what, error->text);
  return EXIT_FAILURE;
}

int main(void) {
  worker workers[WORKERS];
  tacit_part_entry manifest[WORKERS];
  for (int k = 0; k < WORKERS; k++) { /* before this process has threads */
    size_t length;
    if (start(workers, k)) return EXIT_FAILURE;
    void *entry = receive(workers[k].from, &length);
    if (!entry || length != sizeof manifest[k]) return EXIT_FAILURE;
    memcpy(&manifest[k], entry, length);
    free(entry);
  }
  tacit_error error;
  tacit_schema *schema;
  tacit_source *source;
  tacit_fit *fit;
  tacit_policy *policy;
  const tacit_engine engine = {ask, workers};
  const tacit_goal goal = {.quantile = 0.75, .underage = 3, .overage = 1};
  tacit_learn_options options;
  tacit_learn_options_init(&options);
  options.quantiles = &goal.quantile;
  options.quantile_count = 1;
  options.mu = 1;
  if (tacit_schema_parse(SCHEMA, strlen(SCHEMA), &schema, &error) != TACIT_OK) return stop("schema", &error);
  if (tacit_source_engine(&engine, schema, manifest, WORKERS, &source, &error) != TACIT_OK)
    return stop("manifest", &error);
  if (tacit_learn(schema, source, &options, NULL, &fit, &error) != TACIT_OK) return stop("fit", &error);
  if (tacit_policy_from_fit(schema, NULL, fit, &goal, &policy, &error) != TACIT_OK)
    return stop("policy", &error);
  tacit_verdict verdict;
  tacit_policy_verify(policy, &verdict);
  printf("learned from %zu records of %d processes; the guarantee %s\n", tacit_fit_count(fit).records,
         WORKERS, verdict.holds ? "holds" : "does not hold");
  bool holds = verdict.holds;
  tacit_policy_free(policy);
  tacit_fit_free(fit);
  tacit_source_free(source);
  tacit_schema_free(schema);
  for (int k = 0; k < WORKERS; k++) {
    close(workers[k].to);
    close(workers[k].from);
    waitpid(workers[k].process, NULL, 0);
  }
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
}
