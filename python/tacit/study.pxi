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


def plan(CSchema schema not None, list goals not None, dict asked not None, Work work not None):
    """asked: rows, mu, adjacency, repetitions, seed."""
    cdef tacit_plan_options o
    cdef tacit_plan_result *result = NULL
    cdef tacit_plan_row *row
    cdef tacit_error error
    cdef tacit_status status
    cdef size_t n = len(goals), i
    load_solvers()
    tacit_plan_options_init(&o)
    o.rows, o.mu, o.adjacency = asked["rows"], asked["mu"], asked["adjacency"]
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
        rows = []
        for i in range(result.mu_count * result.size_count):
            row = &result.rows[i]
            rows.append({
                "mu": row.mu, "rows": row.rows, "extrapolated": bool(row.extrapolated), "cost": row.cost,
                "cost_without_privacy": row.cost_without_privacy, "cost_without_features": row.cost_without_features,
                "percent": row.percent, "percent_se": row.percent_se, "worst_case": row.worst_case,
                "worst_case_percent": row.worst_case_percent})
        return {"rows": rows, "asked": result.asked_mu * result.size_count + result.asked_size,
                "repetitions": result.repetitions, "recommendation": text_of(result.recommendation),
                "worst_case": text_of(result.worst_case),
                "assumptions": [text_of(result.assumptions[i]) for i in range(result.assumption_count)]}
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
    load_solvers()
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
