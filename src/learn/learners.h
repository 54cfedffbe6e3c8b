/* The learners; each in its file. */
#ifndef TACIT_SRC_LEARNERS_H
#define TACIT_SRC_LEARNERS_H

#include "learn/task.h"

typedef tacit_status (*tacit_learner)(tacit_task *task, tacit_error *error);

tacit_status tacit_learn_median_newton(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_bounded_change(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_location_scale(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_descent(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_objective(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_sgd(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_bisection(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_follow(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_spo_gaussian(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_spo_exponential(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_spo_least_squares(tacit_task *task, tacit_error *error) TACIT_CHECKED;
/* without privacy */
tacit_status tacit_learn_erm(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_erm_exact(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_erm_spread(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_saa(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_spo_plus(tacit_task *task, tacit_error *error) TACIT_CHECKED;
tacit_status tacit_learn_spo_least_squares_exact(tacit_task *task, tacit_error *error) TACIT_CHECKED;

#endif
