/* Rows are brought together by unit: every row once, each unit's in one block, and images in the same places.
 */
#include "data/design_units.h"

#include "schema/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { P = 2, MOST = 5000 };

static tacit_schema *schema;

static int set_up(void **state) {
  (void)state;
  static const char text[] = "{\"target\": {\"name\": \"y\", \"min\": -1, \"max\": 1}, "
                             "\"features\": [{\"name\": \"a\", \"min\": -1, \"max\": 1}]}";
  return tacit_schema_parse(text, strlen(text), &schema, NULL) == TACIT_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  tacit_schema_free(schema);
  return 0;
}

/* `units` units of `size` rows, whose rows come in turn. The feature says which unit, the target which row.
 */
static tacit_design *design_of(size_t units, size_t size, tacit_unit_list *list) {
  tacit_design *design;
  assert_int_equal(tacit_design_new(schema, NULL, 17, &design, NULL), TACIT_OK);
  for (size_t i = 0; i < units * size; i++) {
    double x[P] = {1, (double)(i % units) / MOST}, y = (double)(i / units) / MOST;
    assert_int_equal(tacit_design_add(design, x, &y, NULL), TACIT_OK);
    assert_int_equal(tacit_unit_list_add(list, i % units, NULL), TACIT_OK);
  }
  return design;
}

static void check_runs(const tacit_design *design, size_t units, size_t size) {
  const tacit_unit_runs *runs = design->units;
  size_t seen = 0;
  assert_int_equal(runs->first[0], 0);
  for (size_t b = 0; b < design->blocks; b++) {
    const tacit_block block = tacit_design_block(design, b);
    size_t at = 0;
    for (size_t u = runs->first[b]; u < runs->first[b + 1]; at = runs->end[u++], seen++) {
      assert_int_equal(runs->end[u] - at, size);
      for (size_t i = at; i < runs->end[u]; i++) {
        const int32_t *x = block.cells + (design->columns - 1) * TACIT_BLOCK;
        assert_int_equal(x[i], x[at]);
        assert_int_equal(block.targets[i], (int32_t)(((double)(i - at) / MOST) * (1 << 24) + 0.5));
        assert_true(i == at || block.norms[i] == block.norms[at]);
      }
    }
    assert_int_equal(tacit_design_filled(design, b), at);
    for (; at < TACIT_BLOCK; at++) assert_int_equal(block.norms[at], 0);
  }
  assert_int_equal(seen, units);
}

static void every_unit_lies_in_one_block(void **state) {
  (void)state;
  const size_t sizes[] = {1, 3, 24, 341, 513, 1024}, units[] = {1, 2, 3, 43, 100};
  for (int k = 0; k < 30; k++) {
    size_t count = units[k / 6], size = sizes[k % 6];
    if (count * size > 20000) continue;
    tacit_unit_list list = {0};
    tacit_design *design = design_of(count, size, &list), *image;
    assert_int_equal(tacit_design_group(&design, &list, NULL), TACIT_OK);
    check_runs(design, count, size);
    const double matrix[] = {1, 0, 0, 1};
    const tacit_image same = {.matrix = matrix, .columns = P, .cell_bits = 17};
    assert_int_equal(tacit_design_transform(design, &same, 2, &image, NULL), TACIT_OK);
    check_runs(image, count, size);
    tacit_design_free(image);
    assert_int_equal(tacit_design_view(design, &same, 1, &image, NULL), TACIT_OK);
    check_runs(image, count, size);
    tacit_design_free(image);
    assert_int_equal(tacit_design_turn(design, &same, 2, NULL), TACIT_OK);
    check_runs(design, count, size);
    tacit_design_free(design);
    tacit_unit_list_free(&list);
  }
}

static void what_cannot_lie_together(void **state) {
  (void)state;
  tacit_unit_list list = {0};
  tacit_design *design = design_of(1, TACIT_WHOLE_ROWS + 1, &list), *before = design;
  assert_int_equal(tacit_design_group(&design, &list, NULL), TACIT_INTERNAL);
  assert_ptr_equal(design, before);
  list.count--; /* a row of nobody's */
  assert_int_equal(tacit_design_group(&design, &list, NULL), TACIT_INTERNAL);
  tacit_design_free(design);
  tacit_unit_list_free(&list);
  design = design_of(0, 0, &list);
  assert_int_equal(tacit_design_group(&design, &list, NULL), TACIT_OK);
  assert_int_equal(design->blocks, 0);
  tacit_design_free(design);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_unit_lies_in_one_block),
      cmocka_unit_test(what_cannot_lie_together),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
