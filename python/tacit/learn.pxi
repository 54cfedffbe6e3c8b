# Learning, generic over methods: the library lists them with their options.
cdef tuple PROMISES = ("nothing", "mu", "pair")
cdef tuple KINDS = ("flag", "count", "number", "word")


def methods():
    """All methods with their options, as the library lists them."""
    cdef const tacit_method *method
    cdef const tacit_option *option
    found, i = [], 0
    while True:
        method = tacit_method_at(i)
        if method is NULL:
            return found
        options, k = [], 0
        while True:
            option = tacit_method_option(method, k)
            if option is NULL:
                break
            options.append({"name": text_of(option.name), "kind": KINDS[option.kind], "about": text_of(option.about)})
            k += 1
        found.append({"name": text_of(tacit_method_name(method)), "about": text_of(tacit_method_about(method)),
                      "promise": PROMISES[<int>tacit_method_promise(method)],
                      "needs_region": bool(tacit_method_needs_region(method)), "options": options})
        i += 1


def method_promise(bytes name not None, bint region, CSchema schema not None):
    """(the method's own name, what it promises), or None for a name that is no method's."""
    cdef const tacit_method *method = tacit_method_for(name, region, schema.at)
    if method is NULL:
        return None
    return text_of(tacit_method_name(method)), PROMISES[<int>tacit_method_promise(method)]


def following():
    """The name of the method that goes on from a policy."""
    return text_of(tacit_method_name(tacit_method_following()))


cdef list learn_words(tacit_learn_options *options, dict given):
    """Options by name; returns the words, which the structure points to."""
    cdef tacit_error error
    cdef bytes word, spelled
    keep = []
    for name, value in given.items():
        spelled = name.replace("_", "-").encode()
        if value is None or value is False:
            continue
        if isinstance(value, str):
            word = value.encode()
            keep.append(word)
            check(tacit_learn_options_set_word(options, spelled, word, &error), &error)
        else:
            check(tacit_learn_options_set_number(options, spelled, float(value), &error), &error)
    return keep


def learn(CSchema schema not None, Source source not None, CRegion region, list goals not None, dict asked not None,
          dict options not None, Payment payment, Work work not None):
    """A fit and its policy. goals: (quantile, underage, overage) of each; asked: method, mu, epsilon, delta, adjacency,
    nominal_rows, seed, result_rows, period, and from, a policy to go on from. Returns the policy, the data holder's
    counts and the fit's note."""
    cdef tacit_learn_options o
    cdef tacit_error error
    cdef tacit_fit *fit = NULL
    cdef tacit_status status
    cdef size_t n = len(goals), i
    cdef CPolicy policy = CPolicy()
    cdef bytes method = asked["method"].encode()
    cdef tacit_fit_counts counts
    cdef tacit_start *start = NULL
    cdef CPolicy last = asked["from"]
    cdef bytes period = asked["period"]
    tacit_learn_options_init(&o)
    o.method = method
    o.region = NULL if region is None else region.at
    o.mu, o.epsilon, o.delta = asked["mu"], asked["epsilon"], asked["delta"]
    o.adjacency = asked["adjacency"]
    o.nominal_rows = asked["nominal_rows"]
    o.seeded = asked["seed"] is not None
    o.seed = asked["seed"] or 0
    keep = learn_words(&o, options)
    if period is not None:
        o.period = period
    if payment is not None:
        payment.begin(schema.at, o.mu, o.adjacency, asked["result_rows"])
        payment.paying.source, payment.paying.schema = source.at, schema.at
        o.spend = pay_now
        o.spend_user = &payment.paying
    cdef double *quantiles = <double *>calloc(n + 1, sizeof(double))
    cdef tacit_goal *aims = <tacit_goal *>calloc(n + 1, sizeof(tacit_goal))
    try:
        if quantiles is NULL or aims is NULL:
            raise MemoryError
        for i in range(n):
            aims[i].quantile, aims[i].underage, aims[i].overage = goals[i]
            quantiles[i] = aims[i].quantile
        if last is not None:
            check(tacit_policy_start(last.at, &start, &error), &error)
            o.start = start
        if n:
            o.quantiles = quantiles
            o.quantile_count = n
        with nogil:
            status = tacit_learn(schema.at, source.at, &o, &work.context, &fit, &error)
        work.check(status, &error, "" if payment is None else payment.where())
        check(tacit_policy_from_fit(schema.at, o.region, fit, aims, &policy.at, &error), &error)
        if payment is not None:
            tacit_policy_set_receipt(policy.at, &payment.paying.pay.receipt)
        counts = tacit_fit_count(fit)
        return policy, {"records": counts.records, "rows": counts.rows, "dropped_lag": counts.dropped_lag,
                        "dropped_unit": counts.dropped_unit}, text_of(tacit_fit_note(fit))
    finally:
        tacit_fit_free(fit)
        tacit_start_free(start)
        free(quantiles)
        free(aims)
        source.close()
