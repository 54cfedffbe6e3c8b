# Privacy arithmetic. Every result is rounded to the safe side by the library.
def gdp_delta(double mu, double epsilon):
    cdef double out = 0
    cdef tacit_error error
    check(tacit_gdp_delta(mu, epsilon, &out, &error), &error)
    return out


def gdp_epsilon(double mu, double delta):
    cdef double out = 0
    cdef tacit_error error
    check(tacit_gdp_epsilon(mu, delta, &out, &error), &error)
    return out


def gdp_mu(double epsilon, double delta):
    cdef double out = 0
    cdef tacit_error error
    check(tacit_gdp_mu(epsilon, delta, &out, &error), &error)
    return out


def gdp_compose(list mus not None):
    cdef double out = 0
    cdef size_t n = len(mus), i
    cdef tacit_error error
    cdef double *values = <double *>calloc(n + 1, sizeof(double))
    if values is NULL:
        raise MemoryError
    try:
        for i in range(n):
            values[i] = mus[i]
        check(tacit_gdp_compose(n, values, &out, &error), &error)
        return out
    finally:
        free(values)


def gdp_sigma(double mu, double sensitivity, uint64_t steps):
    cdef double out = 0
    cdef tacit_error error
    check(tacit_gdp_sigma(mu, sensitivity, steps, &out, &error), &error)
    return out


def beliefs(double mu, double epsilon, double delta):
    cdef tacit_beliefs b
    cdef tacit_error error
    check(tacit_beliefs_from(mu, epsilon, delta, &b, &error), &error)
    return [{"prior": b.prior[i], "except": b.allowed[k], "at_most": b.at_most[i][k]}
            for i in range(TACIT_PRIORS) for k in range(TACIT_EXCEPTIONS)]


cdef tacit_sampled sampled_of(dict s):
    return tacit_sampled(sigma=s["sigma"], rate=s["rate"], steps=s["steps"], sampling=s["sampling"],
                         adjacency=s["adjacency"])


def sampled(str what, dict steps not None, double first, double second=0):
    """what: delta at an epsilon, epsilon at a delta, sigma for both, or accountants at a delta."""
    cdef tacit_sampled s = sampled_of(steps)
    cdef tacit_interval out
    cdef tacit_accountants others
    cdef tacit_error error
    cdef tacit_status status
    if what == "accountants":
        check(tacit_sampled_compare(&s, first, &others, &error), &error)
        return {"rdp": others.rdp, "zcdp": others.zcdp, "moments": others.moments, "advanced": others.advanced}
    if what == "delta":
        with nogil:
            status = tacit_sampled_delta(&s, first, &out, &error)
    elif what == "epsilon":
        with nogil:
            status = tacit_sampled_epsilon(&s, first, &out, &error)
    else:
        with nogil:
            status = tacit_sampled_sigma_bounds(&s, first, second, &out, &error)
    check(status, &error)
    return out.lower, out.upper


def objective(str what, dict given not None, double first, double second=0):
    """what: delta at an epsilon, epsilon at a delta, sigma or lambda for both."""
    cdef tacit_objective o = tacit_objective(lipschitz=given["lipschitz"], smoothness=given["smoothness"],
                                             ridge=given["ridge"], sigma=given["sigma"], adjacency=given["adjacency"])
    cdef tacit_interval out
    cdef double value = 0
    cdef tacit_error error
    if what == "delta":
        check(tacit_objective_delta(&o, first, &out, &error), &error)
        return out.lower, out.upper
    if what == "epsilon":
        check(tacit_objective_epsilon(&o, first, &out, &error), &error)
        return out.lower, out.upper
    if what == "sigma":
        check(tacit_objective_sigma(&o, first, second, &value, &error), &error)
    else:
        check(tacit_objective_lambda(&o, first, second, &value, &error), &error)
    return value


def zcdp_rho(double sensitivity, double sigma, uint64_t steps):
    cdef double out = 0
    cdef tacit_error error
    check(tacit_zcdp_rho(sensitivity, sigma, steps, &out, &error), &error)
    return out


def zcdp_epsilon(double rho, double delta):
    cdef double out = 0
    cdef tacit_error error
    check(tacit_zcdp_epsilon(rho, delta, &out, &error), &error)
    return out


def advanced_composition(double epsilon, double delta, uint64_t steps, double slack):
    cdef double total_epsilon = 0, total_delta = 0
    cdef tacit_error error
    check(tacit_advanced_composition(epsilon, delta, steps, slack, &total_epsilon, &total_delta, &error), &error)
    return total_epsilon, total_delta
