/* For this room's tests: two numbers no further apart than a margin; cmocka's own comparison is in single
 * precision. */
#ifndef TACIT_SRC_STUDY_NEAR_H
#define TACIT_SRC_STUDY_NEAR_H

#define assert_near(a, b, margin)                                                                            \
  do {                                                                                                       \
    double near_a = (a), near_b = (b), near_margin = (margin);                                               \
    if (!(fabs(near_a - near_b) <= near_margin))                                                             \
      fail_msg("%s = %.15g is not %.15g within %.3g", #a, near_a, near_b, near_margin);                      \
  } while (0)

#endif
