# What a policy costs on rows whose demand is known: exactly, for the data holder, or with noise, paid for.
cdef dict sold_out(const tacit_evaluation *e):
    """Where the table says which rows sold out: how many, and the service level were none of the orders above what was
    sold on them enough."""
    if not e.sold_out_told:
        return {}
    least = e.service_level - <double>e.sold_out_covered / <double>e.rows if e.rows else NAN
    return {"sold_out": {"rows": e.sold_out, "service_level_at_least": least}}


cdef list evaluations(const tacit_policy *policy, const tacit_evaluation *e):
    """The figures of each goal, under the program's names."""
    cdef size_t g
    return [{"target": text_of(tacit_policy_goal_name(policy, g)), "rows": e[g].rows, "mean_cost": e[g].mean_cost,
             "mean_underage_cost": e[g].mean_underage_cost, "mean_overage_cost": e[g].mean_overage_cost,
             "service_level": e[g].service_level, "fill_rate": e[g].fill_rate, "mean_order": e[g].mean_order,
             "mean_demand": e[g].mean_demand, "mean_shortage": e[g].mean_shortage, "mean_leftover": e[g].mean_leftover,
             "mean_pinball": e[g].mean_pinball, "demand_beyond_bounds": e[g].beyond,
             "cost_without_features": e[g].cost_without_features, "cost_without_privacy": e[g].cost_without_privacy,
             "cost_of_last_observation": e[g].cost_of_last, **sold_out(&e[g]), "private": False}
            for g in range(tacit_policy_goal_count(policy))]


def evaluate(CPolicy policy not None, Source source not None, Source train, bytes by, Work work not None):
    """The figures of all rows, those of each value of the column `by`, and whether others' orders are in hindsight."""
    cdef tacit_evaluate_options o
    cdef tacit_evaluated *result = NULL
    cdef tacit_error error
    cdef tacit_status status
    cdef size_t k
    o.train = NULL if train is None else train.at
    o.by = NULL
    if by is not None:
        o.by = by
    try:
        with nogil:
            status = tacit_evaluate(policy.at, source.at, &o, &work.context, &result, &error)
        work.check(status, &error)
        groups = [(text_of(result.names[k]), evaluations(policy.at, result.by + k * result.targets))
                  for k in range(result.groups)]
        return evaluations(policy.at, result.all), groups, bool(result.hindsight), result.dropped
    finally:
        tacit_evaluated_free(result)
        source.close()
        if train is not None:
            train.close()


def spo_evaluate(CPolicy policy not None, Source source not None, Work work not None):
    cdef tacit_spo_evaluation result
    cdef tacit_error error
    cdef tacit_status status
    with nogil:
        status = tacit_spo_evaluate(policy.at, source.at, &result, &work.context, &error)
    source.close()
    work.check(status, &error)
    return {"rows": result.rows, "mean_spo_loss": result.mean_spo_loss, "mean_optimal_cost": result.mean_optimal_cost,
            "normalized_spo_loss": result.normalized_spo_loss, "private": False}


cdef object fill_rule(const tacit_policy *policy, double *memory, tacit_estimate_options *o):
    """The rule and its unit costs in plain arrays: coefficients, underage, overage, spread."""
    cdef const tacit_schema *schema = tacit_policy_schema(policy)
    cdef size_t n = tacit_schema_targets(schema), p = tacit_schema_columns(schema), t, j
    cdef double *underage = memory + n * p
    cdef double *overage = underage + n
    cdef double *spread = overage + n
    cdef tacit_goal goal
    for t in range(n):
        goal = tacit_policy_goal(policy, t)
        underage[t] = goal.underage if goal.underage > 0 else goal.quantile
        overage[t] = goal.overage if goal.underage > 0 else 1 - goal.quantile
        for j in range(p):
            memory[t * p + j] = tacit_policy_coefficient(policy, t, j)
            spread[t * (p + 1) + j] = tacit_policy_log_spread(policy, t, j)
        spread[t * (p + 1) + p] = tacit_policy_spreads(policy, t)
    o.coefficients = memory
    o.underage = underage
    o.overage = overage
    o.spread = spread if tacit_policy_has_spread(policy) else NULL


cdef dict estimate_facts(const tacit_estimate *e, str target, bint private):
    """What was released of one target, under the program's names, and with which noise."""
    cdef size_t k
    return {"target": target, "mean_cost": e.cost.value, "standard_error": e.standard_error,
            "interval_95": (e.cost.low, e.cost.high), "cost_bound": e.bound, "cost_bound_is_private": bool(e.bound_found),
            "share_of_rows_cut": e.cut.value, "share_cut_interval_95": (e.cut.low, e.cut.high), "rows": e.rows,
            "rows_are_public": bool(e.rows_public), "mu": e.mu, "grid_bits": e.grid_bits,
            "releases": [{"release": text_of(e.releases[k].what), "count": e.releases[k].count,
                          "sensitivity": e.releases[k].sensitivity, "sigma": e.releases[k].sigma, "mu": e.releases[k].mu}
                         for k in range(e.release_count)], "private": bool(private)}


def estimate_cost(CPolicy policy not None, Source source not None, dict asked not None, Payment payment,
                  Work work not None):
    """asked: mu, bound, adjacency, nominal_rows, seed. The policy must verify, or its rule could carry rows along."""
    cdef const tacit_schema *schema = tacit_policy_schema(policy.at)
    cdef size_t n = tacit_schema_targets(schema), p = tacit_schema_columns(schema), t
    cdef tacit_estimate_options o
    cdef tacit_error error
    cdef tacit_status status
    if tacit_policy_goal_count(policy.at) != n:
        raise from_status(TACIT_USAGE, "this policy orders for several quantiles; mu is for policies with one")
    memset(&o, 0, sizeof(o))
    cdef double *memory = <double *>calloc(n * (2 * p + 3), sizeof(double))
    cdef tacit_estimate *found = <tacit_estimate *>calloc(n, sizeof(tacit_estimate))
    try:
        if memory is NULL or found is NULL:
            raise MemoryError
        fill_rule(policy.at, memory, &o)
        o.bound, o.mu = asked["bound"], asked["mu"]
        o.adjacency = asked["adjacency"]
        o.nominal_rows = asked["nominal_rows"]
        o.seeded = asked["seed"] is not None
        o.seed = asked["seed"] or 0
        if payment is not None:
            payment.begin(schema, o.mu, o.adjacency, False)
            o.spend = pay_now
            o.spend_user = &payment.paying
        with nogil:
            status = tacit_estimate_cost(schema, source.at, &o, &work.context, found, &error)
        work.check(status, &error, "" if payment is None else payment.where())
        return [estimate_facts(&found[t], text_of(tacit_schema_target_name(schema, t)), not o.seeded) for t in range(n)]
    finally:
        free(memory)
        free(found)
        source.close()
