# Plans, audits and simulated tables: nothing here is private, and nothing reads a table of the user's.
def simulators():
    found, i = {}, 0
    while tacit_simulator_name(i) is not NULL:
        found[text_of(tacit_simulator_name(i))] = text_of(tacit_simulator_about(i))
        i += 1
    return found


cdef tacit_status keep_text(void *user, const char *text, size_t length) noexcept with gil:
    (<list>user).append(PyBytes_FromStringAndSize(text, length))
    return TACIT_OK


def simulate(bytes name not None, size_t rows, uint64_t seed):
    """CSV text, and the schema and region as JSON (None where there is none)."""
    cdef tacit_error error
    pieces = []
    check(tacit_simulate(name, rows, seed, keep_text, <void *>pieces, &error), &error)
    return b"".join(pieces), text_of(tacit_simulator_schema(name)), text_of(tacit_simulator_region(name))


cdef list plan_rows(const tacit_plan_row *row, size_t count):
    cdef size_t i
    return [{"mu": row[i].mu, "rows": row[i].rows, "low": row[i].low, "middle": row[i].middle, "high": row[i].high,
             "nine_in_ten": row[i].nine_in_ten, "middle_se": row[i].middle_se, "simulated": row[i].simulated,
             "worst_case": row[i].worst_case, "worst_case_percent": row[i].worst_case_percent, "rate": row[i].rate}
            for i in range(count)]


cdef dict plan_facts(const tacit_plan_result *r):
    cdef size_t i
    cdef const tacit_plan_row *asked = &r.by_mu[r.asked_mu]
    cdef const tacit_plan_answer *a = &r.answer
    answer = None
    if a.percent > 0:
        answer = {"percent": a.percent, "mu": a.mu, "mu_from": a.mu_from, "mu_to": a.mu_to,
                  "mu_nine_in_ten": a.mu_nine_in_ten, "rows": a.rows, "rows_from": a.rows_from, "rows_to": a.rows_to,
                  "rows_nine_in_ten": a.rows_nine_in_ten}
    return {"by_mu": plan_rows(r.by_mu, r.mu_count), "by_rows": plan_rows(r.by_rows, r.size_count), "asked": r.asked_mu,
            "cases": [{"name": text_of(r.cases[i].name), "percent": asked.percent[i], "percent_se": asked.percent_se[i],
                       "cost_without_privacy": r.cases[i].cost_without_privacy,
                       "cost_without_features": r.cases[i].cost_without_features, "about": text_of(r.cases[i].about)}
                      for i in range(TACIT_PLAN_CASES)],
            "answer": answer, "repetitions": r.repetitions, "recommendation": text_of(r.recommendation),
            "worst_case": text_of(r.worst_case),
            "assumptions": [text_of(r.assumptions[i]) for i in range(r.assumption_count)]}


def plan(CSchema schema not None, CRegion region, list goals not None, dict asked not None, Work work not None):
    """asked: rows, mu, percent, method, adjacency, repetitions, seed."""
    cdef tacit_plan_options o
    cdef tacit_plan_result *result = NULL
    cdef tacit_error error
    cdef tacit_status status
    cdef size_t n = len(goals), i
    cdef bytes method = asked["method"].encode()
    tacit_plan_options_init(&o)
    o.rows, o.mu, o.percent, o.adjacency = asked["rows"], asked["mu"], asked["percent"], asked["adjacency"]
    o.method = method
    o.region = NULL if region is None else region.at
    o.repetitions, o.seed = asked["repetitions"], asked["seed"]
    cdef tacit_goal *aims = <tacit_goal *>calloc(n + 1, sizeof(tacit_goal))
    if aims is NULL:
        raise MemoryError
    try:
        for i in range(n):
            aims[i].quantile, aims[i].underage, aims[i].overage = goals[i]
        o.goals = aims
        o.goal_count = n
        with nogil:
            status = tacit_plan(schema.at, &o, &work.context, &result, &error)
        work.check(status, &error)
        return plan_facts(result)
    finally:
        tacit_plan_free(result)
        free(aims)


def audit_names():
    """(methods that can be audited, faults that can be planted)"""
    methods_, faults, i = [], [], 0
    while tacit_audit_method_name(i) is not NULL:
        methods_.append(text_of(tacit_audit_method_name(i)))
        i += 1
    i = 0
    while tacit_audit_fault_name(i) is not NULL:
        faults.append(text_of(tacit_audit_fault_name(i)))
        i += 1
    return methods_, faults


def audit(dict asked not None, Work work not None):
    """asked: method, plant, mu, delta, epsilon, adjacency, runs, one_run, seed."""
    cdef tacit_audit_options o
    cdef tacit_audit_result r
    cdef tacit_error error
    cdef tacit_status status
    cdef bytes method = asked["method"].encode()
    cdef bytes plant = (asked["plant"] or "").encode()
    tacit_audit_options_init(&o)
    o.method = method
    if plant:
        o.plant = plant
    o.mu, o.delta, o.epsilon = asked["mu"], asked["delta"], asked["epsilon"]
    o.adjacency = asked["adjacency"]
    o.runs, o.one_run = asked["runs"], asked["one_run"]
    o.seeded = asked["seed"] is not None
    o.seed = asked["seed"] or 0
    with nogil:
        status = tacit_audit_learner(&o, &work.context, &r, &error)
    work.check(status, &error)
    return {"method": text_of(r.method), "plant": text_of(r.plant) or None, "mu_promised": r.mu_promised,
            "mu_lower": r.mu_lower, "mu_lower_transcript": r.mu_lower_transcript,
            "mu_lower_coefficients": r.mu_lower_coefficients, "confidence": r.confidence,
            "epsilons": [{"delta": tacit_py_audit_epsilon(&r, i, 0), "promised": tacit_py_audit_epsilon(&r, i, 1),
                          "lower": tacit_py_audit_epsilon(&r, i, 2)} for i in range(TACIT_AUDIT_DELTAS)],
            "runs": r.runs, "trained": r.trained, "releases": r.releases, "guesses": r.guesses, "right": r.right,
            "caught": bool(r.caught)}
