/* Labels count for one unit and adjacency, also across versions of the file; releases that are not Gaussian
   are held to an (epsilon, delta) by their Renyi divergences (proofs/ledger.md, Claim 4). */
#include "ledger/ledger_for_test.h"

#include "privacy/gdp.h"

#include <math.h>

static tacit_status spend_for(tacit_ledger *ledger, const char *label, tacit_unit unit, tacit_error *error) {
  tacit_receipt receipt;
  const tacit_spending s = {.label = label, .mu = 0.1, .unit = unit};
  return tacit_ledger_spend(ledger, &s, &receipt, error);
}

static void the_first_release_pins_unit_and_adjacency(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("pin.db");
  tacit_error error;
  tacit_ledger_total total;
  const tacit_unit one = {.rows_per_unit = 1}, three = {.rows_per_unit = 3},
                   removed = {.adjacency = TACIT_ADD_REMOVE, .rows_per_unit = 1},
                   person = {.rows_per_unit = 1, .column = "who"},
                   other = {.rows_per_unit = 1, .column = "whom"};
  budget(ledger, "a", 1);
  tacit_ledger_total_of(ledger, "a", &total);
  assert_int_equal(total.unit.rows_per_unit, 0);
  assert_int_equal(spend_for(ledger, "a", (tacit_unit){.rows_per_unit = 0}, NULL), TACIT_USAGE);
  assert_int_equal(spend_for(ledger, "a", one, NULL), TACIT_OK);
  assert_int_equal(spend_for(ledger, "a", three, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "units of 1 row, replace-one, and this is for 3 rows"));
  assert_int_equal(spend_for(ledger, "a", removed, NULL), TACIT_REFUSED);
  assert_int_equal(spend_for(ledger, "a", person, NULL), TACIT_REFUSED);
  assert_int_equal(spend_for(ledger, "a", one, NULL), TACIT_OK);
  budget(ledger, "b", 1);
  assert_int_equal(spend_for(ledger, "b", person, NULL), TACIT_OK);
  assert_int_equal(spend_for(ledger, "b", one, NULL), TACIT_REFUSED);
  assert_int_equal(spend_for(ledger, "b", other, NULL), TACIT_REFUSED);
  /* pinned when it is opened; the pin outlives a change of the budget */
  tacit_ledger_terms terms = {.label = "c", .mu = 1, .unit = removed};
  assert_int_equal(tacit_ledger_set(ledger, &terms, NULL), TACIT_OK);
  assert_int_equal(spend_for(ledger, "c", one, NULL), TACIT_REFUSED);
  terms = (tacit_ledger_terms){.label = "c", .mu = 2, .unit = one, .change = true};
  assert_int_equal(tacit_ledger_set(ledger, &terms, NULL), TACIT_REFUSED);
  assert_int_equal(spend_for(ledger, "c", removed, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
  ledger = open_ledger("pin.db");
  assert_true(tacit_ledger_total_of(ledger, "b", &total));
  assert_string_equal(total.unit.column, "who");
  assert_int_equal(spend_for(ledger, "c", one, NULL), TACIT_REFUSED);
  tacit_ledger_close(ledger);
}

/* A ledger as version 1 wrote it: no unit in its entries. */
static void make_version_1(const char *name) {
  tacit_ledger *ledger = open_ledger(name);
  static const char *const kinds[] = {"budget", "spend"}, *const amounts[] = {"1e0", "25e-2"};
  char text[1024], previous[TACIT_LEDGER_HASH_SIZE], hash[TACIT_LEDGER_HASH_SIZE];
  memcpy(previous, ledger->head, sizeof previous);
  tacit_ledger_close(ledger);
  for (uint64_t i = 0; i < 2; i++) {
    const tacit_ledger_entry entry = {.sequence = i + 1,
                                      .kind = kinds[i],
                                      .label = "a",
                                      .measure = "gdp",
                                      .amount = amounts[i],
                                      .method = "default",
                                      .schema_hash = "",
                                      .date = "",
                                      .nonce = "",
                                      .previous = previous};
    tacit_ledger_hash(&entry, hash);
    snprintf(text, sizeof text,
             "INSERT INTO entries VALUES (%d,'%s','a','gdp','%s','default','','','','%s','%s','')",
             (int)i + 1, kinds[i], amounts[i], previous, hash);
    raw(name, text);
    memcpy(previous, hash, sizeof previous);
  }
  make_old(name, 1);
}

static void keep_head(void *user, const tacit_ledger_entry *entry) {
  tacit_receipt *receipt = user;
  if (entry->sequence == receipt->sequence) memcpy(receipt->head, entry->hash, sizeof receipt->head);
}

static void version_1_must_say_its_unit_before_it_spends(void **state) {
  (void)state;
  tacit_ledger *ledger;
  tacit_error error;
  tacit_ledger_total total;
  const tacit_unit one = {.rows_per_unit = 1};
  make_version_1("old.db");
  assert_int_equal(tacit_ledger_open(at("old.db"), TACIT_LEDGER_READ, 0, &ledger, NULL), TACIT_OK);
  assert_true(tacit_ledger_total_of(ledger, "a", &total) && total.spent_mu == 0.25);
  assert_int_equal(total.unit.rows_per_unit, 0);
  tacit_ledger_close(ledger);
  ledger = open_ledger("old.db");
  assert_int_equal(ledger->version, 1);
  assert_int_equal(spend_for(ledger, "a", one, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "earlier tacit"));
  assert_int_equal(ledger->version, 1);
  tacit_ledger_terms terms = {.label = "a", .mu = 1, .unit = one};
  tacit_receipt first = {.sequence = 2, .label = "a"};
  const tacit_unit two = {.rows_per_unit = 2};
  const tacit_cost paid = {.mu = 0.25};
  assert_int_equal(tacit_ledger_each(ledger, keep_head, &first, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_payment(ledger, &first, NULL, NULL, &two, &paid, NULL), TACIT_OK);
  /* version 1 wrote the name that was asked for, "default"; what paid for a policy paid for no evaluation */
  assert_int_equal(tacit_ledger_check_payment(ledger, &first, NULL, "median-newton", &two, &paid, NULL),
                   TACIT_OK);
  assert_int_equal(tacit_ledger_check_payment(ledger, &first, NULL, "evaluate", &two, &paid, NULL),
                   TACIT_CHECK_FAILED);
  assert_int_equal(tacit_ledger_set(ledger, &terms, NULL), TACIT_OK); /* the same budget, now with its unit */
  assert_int_equal(tacit_ledger_check_payment(ledger, &first, NULL, NULL, &one, &paid, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_payment(ledger, &first, NULL, NULL, &two, &paid, NULL),
                   TACIT_CHECK_FAILED);
  assert_int_equal(ledger->version, 3);
  assert_int_equal(spend_for(ledger, "a", (tacit_unit){.rows_per_unit = 2}, NULL), TACIT_REFUSED);
  assert_int_equal(spend_for(ledger, "a", one, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
  ledger = open_ledger("old.db");
  assert_int_equal(ledger->version, 3);
  assert_true(tacit_ledger_total_of(ledger, "a", &total) && total.releases == 2);
  tacit_ledger_close(ledger);
}

static void keep_commitment(void *user, const tacit_ledger_entry *entry) {
  memcpy(((char(*)[65])user)[entry->sequence - 1], entry->commitment, strlen(entry->commitment) + 1);
}

/* Read as it is; the first entry makes it version 3, also under a program that had it open before. */
static void version_2_is_upgraded_with_its_first_entry(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("two.db"), *other;
  tacit_receipt old, now;
  tacit_error error;
  char commitments[4][65] = {""};
  const tacit_spending plain = {.label = "a", .mu = 0.25, .unit = {.rows_per_unit = 1}};
  tacit_spending odd = plain;
  budget(ledger, "a", 1);
  assert_int_equal(tacit_ledger_spend(ledger, &plain, &old, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
  make_old("two.db", 2);
  /* nothing to move: it remembers no place, and is not said to */
  assert_int_equal(tacit_ledger_open(at("two.db"), TACIT_LEDGER_MOVE, 1000, &ledger, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "remembers no place"));
  ledger = open_ledger("two.db");
  other = open_ledger("two.db");
  assert_true(ledger->version == 2 && other->version == 2);
  odd.commitment = "abc";
  assert_int_equal(tacit_ledger_spend(ledger, &odd, &now, NULL), TACIT_USAGE);
  assert_int_equal(try_spend(ledger, "a", 9, NULL, NULL), TACIT_REFUSED);
  assert_int_equal(other->version, 2);
  spend(ledger, "a", 0.5, &now);
  assert_true(ledger->version == 3 && other->version == 2);
  assert_string_equal(now.commitment, COMMITMENT);
  spend(other, "a", 0.125, NULL);
  assert_int_equal(other->version, 3);
  assert_int_equal(tacit_ledger_each(ledger, keep_commitment, commitments, NULL), TACIT_OK);
  assert_string_equal(commitments[1], "");
  assert_string_equal(commitments[2], COMMITMENT);
  assert_string_equal(commitments[3], COMMITMENT);
  /* what an entry says and what it does not say are told apart */
  assert_int_equal(tacit_ledger_check_receipt(ledger, &old, NULL, 0.25, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &now, NULL, 0.5, NULL), TACIT_OK);
  now.commitment[0] = 0;
  assert_int_equal(tacit_ledger_check_receipt(ledger, &now, NULL, 0.5, &error), TACIT_CHECK_FAILED);
  assert_non_null(strstr(error.text, "another release"));
  memcpy(old.commitment, COMMITMENT, sizeof old.commitment);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &old, NULL, 0.25, NULL), TACIT_CHECK_FAILED);
  tacit_ledger_close(other);
  tacit_ledger_close(ledger);
  ledger = open_ledger("two.db");
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
}

/* A Laplace-like release: pure epsilon, whose divergence is at most a epsilon^2 / 2 and epsilon. */
static tacit_cost pure(double epsilon) {
  tacit_cost cost = {.epsilon = epsilon, .delta = 1e-9};
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++)
    cost.rdp[i] = fmin(epsilon, tacit_rdp_orders[i] * epsilon * epsilon / 2);
  return cost;
}

static tacit_status spend_cost(tacit_ledger *ledger, const char *label, const tacit_cost *cost,
                               tacit_receipt *receipt, tacit_error *error) {
  tacit_payment payment = {.ledger = ledger, .spending = {.label = label, .unit = {.rows_per_unit = 1}}};
  tacit_status status = tacit_ledger_pay(&payment, cost, error);
  if (receipt) *receipt = payment.receipt;
  return status;
}

/* The epsilon that a fixed plan has by plain double arithmetic, the orders sharing delta / 2. */
static double plain_epsilon(double gaussian_mu, const tacit_cost *cost, double times, double delta) {
  double least = INFINITY;
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
    double a = tacit_rdp_orders[i], s = a * gaussian_mu * gaussian_mu / 2 + times * cost->rdp[i];
    least = fmin(least, s + (log(2.0 * TACIT_RDP_ORDERS / delta) - log(a)) / (a - 1) + log1p(-1 / a));
  }
  return least;
}

static void other_releases_fill_an_epsilon_and_delta(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("renyi.db");
  tacit_ledger_total total;
  tacit_receipt receipt;
  tacit_error error;
  double budget_epsilon;
  const tacit_cost small = pure(0.2);
  budget(ledger, "a", 1);
  spend(ledger, "a", 0.5, NULL);
  int released = 0;
  while (spend_cost(ledger, "a", &small, &receipt, &error) == TACIT_OK) released++;
  assert_non_null(strstr(error.text, "epsilon = 0.2"));
  assert_int_equal(tacit_gdp_epsilon(1, 0.5e-6, &budget_epsilon, NULL), TACIT_OK);
  tacit_ledger_total_of(ledger, "a", &total);
  assert_true(total.renyi && isinf(total.spent_mu) && total.delta == 1e-6);
  assert_true(total.budget_epsilon == budget_epsilon && total.spent_epsilon <= budget_epsilon);
  assert_true(fabs(total.spent_epsilon - plain_epsilon(0.5, &small, released, 1e-6)) < 1e-12);
  assert_true(plain_epsilon(0.5, &small, released + 1, 1e-6) > budget_epsilon);
  assert_true(released > 5);
  print_message("budget mu = 1 after mu = 0.5: %d more releases of epsilon = 0.2\n", released);
  /* what is left for a Gaussian one, to the last double */
  double left = total.left_mu;
  assert_int_equal(try_spend(ledger, "a", nextafter(left, 1), NULL, NULL), TACIT_REFUSED);
  spend(ledger, "a", left, NULL);
  assert_int_equal(try_spend(ledger, "a", 1e-3, NULL, NULL), TACIT_REFUSED);
  tacit_ledger_close(ledger);
  ledger = open_ledger("renyi.db"); /* and all of it is read back */
  assert_int_equal(try_spend(ledger, "a", 1e-3, NULL, NULL), TACIT_REFUSED);
  assert_int_equal(tacit_ledger_check(ledger, NULL), TACIT_OK);
  tacit_ledger_close(ledger);
}

static void orders_drop_out_and_none_left_is_refused(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("orders.db");
  tacit_ledger_total total;
  tacit_error error;
  tacit_cost high = pure(0.2), low = pure(0.2), nan = pure(0.2);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) {
    if (tacit_rdp_orders[i] > 8) low.rdp[i] = INFINITY;
    if (tacit_rdp_orders[i] <= 8) high.rdp[i] = INFINITY;
  }
  nan.rdp[3] = NAN;
  spend(ledger, "free", 0.5, NULL);
  assert_int_equal(spend_cost(ledger, "free", &low, NULL, &error), TACIT_OK);
  assert_int_equal(spend_cost(ledger, "free", &high, NULL, &error), TACIT_REFUSED);
  assert_non_null(strstr(error.text, "no Renyi order left"));
  assert_int_equal(spend_cost(ledger, "free", &nan, NULL, NULL), TACIT_USAGE);
  tacit_cost none = pure(0.2);
  for (size_t i = 0; i < TACIT_RDP_ORDERS; i++) none.rdp[i] = INFINITY;
  assert_int_equal(spend_cost(ledger, "free", &none, NULL, &error), TACIT_REFUSED);
  tacit_ledger_total_of(ledger, "free", &total);
  assert_true(total.renyi && !total.limited && isfinite(total.spent_epsilon) && total.releases == 2);
  tacit_ledger_close(ledger);
}

static void nothing_is_too_small_and_payments_cover(void **state) {
  (void)state;
  tacit_ledger *ledger = open_ledger("tiny.db");
  tacit_receipt receipt;
  tacit_ledger_total before, after;
  tacit_cost tiny = {.epsilon = 0, .delta = 1e-12}, cost = pure(0.3), larger = pure(0.31);
  budget(ledger, "a", 1);
  assert_int_equal(spend_cost(ledger, "a", &cost, &receipt, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_payment(ledger, &receipt, NULL, NULL, NULL, &cost, NULL), TACIT_OK);
  const tacit_unit one = {.rows_per_unit = 1}, other = {.adjacency = TACIT_ADD_REMOVE, .rows_per_unit = 1};
  assert_int_equal(tacit_ledger_check_payment(ledger, &receipt, NULL, NULL, &one, &cost, NULL), TACIT_OK);
  assert_int_equal(tacit_ledger_check_payment(ledger, &receipt, NULL, NULL, &other, &cost, NULL),
                   TACIT_CHECK_FAILED);
  assert_int_equal(tacit_ledger_check_payment(ledger, &receipt, NULL, NULL, NULL, &larger, NULL),
                   TACIT_CHECK_FAILED);
  assert_int_equal(tacit_ledger_check_receipt(ledger, &receipt, NULL, 0.1, NULL), TACIT_CHECK_FAILED);
  tacit_ledger_total_of(ledger, "a", &before);
  assert_true(before.left_mu > 0);
  mpz_t sum;
  mpz_init_set(sum, tacit_ledger_find(ledger, "a")->other[0]);
  assert_int_equal(spend_cost(ledger, "a", &tiny, NULL, NULL), TACIT_OK); /* all zero: counted as 1e-300 */
  assert_true(mpz_cmp(tacit_ledger_find(ledger, "a")->other[0], sum) > 0);
  mpz_clear(sum);
  tacit_ledger_total_of(ledger, "a", &after);
  assert_true(after.left_mu <= before.left_mu && after.releases == 2);
  tacit_ledger_close(ledger);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_release_pins_unit_and_adjacency),
      cmocka_unit_test(version_1_must_say_its_unit_before_it_spends),
      cmocka_unit_test(version_2_is_upgraded_with_its_first_entry),
      cmocka_unit_test(other_releases_fill_an_epsilon_and_delta),
      cmocka_unit_test(orders_drop_out_and_none_left_is_refused),
      cmocka_unit_test(nothing_is_too_small_and_payments_cover),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
