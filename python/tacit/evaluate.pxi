# What a policy costs on rows whose demand is known: exactly, for the data holder, or with noise, paid for.
def evaluate(CPolicy policy not None, Source source not None, Work work not None):
    cdef const tacit_schema *schema = tacit_policy_schema(policy.at)
    cdef size_t n = tacit_schema_targets(schema), t
    cdef tacit_evaluation *results = <tacit_evaluation *>calloc(n, sizeof(tacit_evaluation))
    cdef tacit_error error
    cdef tacit_status status
    if results is NULL:
        raise MemoryError
    try:
        with nogil:
            status = tacit_evaluate(policy.at, source.at, results, &work.context, &error)
        work.check(status, &error)
        return [{"target": text_of(tacit_schema_target_name(schema, t)), "rows": results[t].rows,
                 "mean_cost": results[t].mean_cost, "mean_underage_cost": results[t].mean_underage_cost,
                 "mean_overage_cost": results[t].mean_overage_cost, "service_level": results[t].service_level,
                 "mean_pinball": results[t].mean_pinball, "private": False} for t in range(n)]
    finally:
        free(results)
        source.close()


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


def estimate_cost(CPolicy policy not None, Source source not None, dict asked not None, Payment payment,
                  Work work not None):
    """asked: mu, bound, adjacency, nominal_rows, seed. The policy must verify, or its rule could carry rows along."""
    cdef const tacit_schema *schema = tacit_policy_schema(policy.at)
    cdef size_t n = tacit_schema_targets(schema), p = tacit_schema_columns(schema), t
    cdef tacit_estimate_options o
    cdef tacit_error error
    cdef tacit_status status
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
        return [{"target": text_of(tacit_schema_target_name(schema, t)), "mean_cost": found[t].mean_cost,
                 "standard_error": found[t].standard_error, "cost_bound": found[t].bound, "rows": found[t].rows,
                 "mu": found[t].mu, "sensitivity": found[t].sensitivity, "sigma": found[t].sigma,
                 "grid_bits": found[t].grid_bits, "private": not o.seeded} for t in range(n)]
    finally:
        free(memory)
        free(found)
        source.close()
