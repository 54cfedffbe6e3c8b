# The policy: decisions, checks, and its one text.
cdef class CPolicy:
    cdef tacit_policy *at

    def __dealloc__(self):
        tacit_policy_free(self.at)

    def text(self):
        cdef char *text = tacit_policy_text(self.at)
        if text is NULL:
            raise MemoryError
        try:
            return PyBytes_FromStringAndSize(text, strlen(text)).decode("utf-8")
        finally:
            tacit_free(text)

    def write(self, bytes path not None):
        cdef tacit_error error
        check(tacit_policy_write(self.at, path, &error), &error)

    def sign(self, bytes path not None):
        cdef tacit_error error
        cdef tacit_secret_key *key = NULL
        check(tacit_secret_key_read(path, &key, &error), &error)
        cdef tacit_status status = tacit_policy_sign(self.at, key, &error)
        tacit_secret_key_free(key)
        check(status, &error)

    def check_signature(self):
        cdef tacit_error error
        check(tacit_policy_check_signature(self.at, &error), &error)

    cdef dict goal_facts(self, size_t g, size_t columns):
        """The rule of one goal: a target, or one of several quantiles of a single one."""
        cdef const tacit_schema *schema = tacit_policy_schema(self.at)
        cdef tacit_goal goal
        cdef size_t j
        facts = {"name": text_of(tacit_policy_goal_name(self.at, g)),
                 "target": text_of(tacit_schema_target_name(schema, tacit_policy_goal_target(self.at, g))),
                 "coefficients": [tacit_policy_coefficient(self.at, g, j) for j in range(columns)]}
        if tacit_policy_has_spread(self.at):
            facts["log_spread"] = [tacit_policy_log_spread(self.at, g, j) for j in range(columns)]
            facts["spreads"] = tacit_policy_spreads(self.at, g)
        if tacit_policy_region(self.at) is NULL:
            goal = tacit_policy_goal(self.at, g)
            facts.update(quantile=goal.quantile, underage=goal.underage or None, overage=goal.overage or None)
            facts.update(self.errors(g, columns))
        return facts

    cdef dict errors(self, size_t g, size_t columns):
        """Standard errors of a goal's rule: of coefficients, of the spread's logarithm, of the number of spreads."""
        cdef size_t j
        if not tacit_policy_has_uncertainty(self.at, g):
            return {}
        cdef double *errors = <double *>calloc(2 * columns + 1, sizeof(double))
        try:
            if errors is NULL or not tacit_policy_standard_errors(self.at, g, errors):
                raise MemoryError
            found = {"errors": [errors[j] for j in range(columns)]}
            if tacit_policy_has_spread(self.at):
                found["log_spread_errors"] = [errors[columns + j] for j in range(columns)]
                found["spreads_error"] = errors[2 * columns]
            return found
        finally:
            free(errors)

    def facts(self):
        """What the policy says of itself, in the user's own units."""
        cdef const tacit_schema *schema = tacit_policy_schema(self.at)
        cdef const tacit_receipt *receipt = tacit_policy_receipt(self.at)
        cdef char statement[1024]
        cdef size_t columns = tacit_schema_columns(schema), g, j
        cdef bint region = tacit_policy_region(self.at) is not NULL
        tacit_policy_statement(self.at, statement)
        goals = [self.goal_facts(g, columns) for g in range(tacit_policy_goal_count(self.at))]
        paid = None
        if receipt is not NULL and receipt.sequence:
            paid = {"label": text_of(receipt.label), "sequence": receipt.sequence, "head": text_of(receipt.head),
                    "commitment": text_of(receipt.commitment)}
        return {"columns": [text_of(tacit_schema_column_name(schema, j)) for j in range(columns)], "goals": goals,
                "method": text_of(tacit_policy_method(self.at)), "private": bool(tacit_policy_private(self.at)),
                "mu": tacit_policy_mu(self.at), "epsilon": tacit_policy_epsilon(self.at),
                "delta": tacit_policy_delta(self.at), "statement": text_of(statement), "receipt": paid,
                "adjacency": "add-remove" if tacit_policy_adjacency(self.at) == TACIT_ADD_REMOVE else "replace-one",
                "signer": text_of(tacit_policy_signer(self.at)), "region": bool(region),
                "period": text_of(tacit_policy_period(self.at)) or None, "before": text_of(tacit_policy_before(self.at)) or None}

    def bounds(self, size_t goal):
        """Of a goal's target."""
        cdef double low, high
        tacit_schema_target_bounds(tacit_policy_schema(self.at), tacit_policy_goal_target(self.at, goal), &low, &high)
        return low, high

    def verify(self, CPolicy before=None):
        cdef tacit_verdict verdict
        with nogil:
            tacit_policy_verify(self.at, &verdict)
        if before is not None:
            tacit_policy_verify_link(self.at, before.at, &verdict)
        return {"holds": bool(verdict.holds), "mu": verdict.mu, "epsilon": verdict.epsilon, "delta": verdict.delta,
                "checks": [(bool(tacit_py_check_holds(&verdict, i)), text_of(tacit_py_check_text(&verdict, i)))
                           for i in range(verdict.count)]}

    def orders(self, Source source not None):
        """Rows x goals doubles as bytes, and the number of rows."""
        cdef double *orders = NULL
        cdef size_t rows = 0
        cdef tacit_error error
        cdef tacit_status status
        with nogil:
            status = tacit_policy_orders(self.at, source.at, &orders, &rows, &error)
        check(status, &error)
        try:
            return PyBytes_FromStringAndSize(<char *>orders, rows * tacit_policy_goal_count(self.at) * sizeof(double)), rows
        finally:
            tacit_free(orders)

    def picked(self, Source source not None, double quantile):
        """Orders of one quantile, which the policy has or which lies between two that it has, as doubles."""
        cdef tacit_pick pick
        cdef tacit_error error
        check(tacit_policy_pick(self.at, quantile, &pick, &error), &error)
        cdef Rows rows = Rows(source, self)
        found = array("d")
        while rows.next():
            found.append(tacit_policy_decide_picked(self.at, &pick, rows.x) if rows.ready else NAN)
        return found

    def intervals(self, Source source not None, double level):
        """Order, lower and upper of each record, as doubles one after the other; for a policy with one goal."""
        cdef double lower, upper
        cdef Rows rows = Rows(source, self)
        found = array("d")
        while rows.next():
            lower = upper = NAN
            if rows.ready:
                tacit_policy_interval(self.at, 0, rows.x, level, &lower, &upper)
            found.extend((tacit_policy_decide(self.at, 0, rows.x) if rows.ready else NAN, lower, upper))
        return found

    def decisions(self, Source source not None):
        """The decision of each record over the policy's region; None where a record's lags are not known."""
        cdef const tacit_region *region = tacit_policy_region(self.at)
        cdef tacit_error error
        if region is NULL:
            raise from_status(TACIT_USAGE, "this policy orders quantities; ask it for orders")
        cdef size_t d = tacit_region_dimension(region), i
        cdef double *w = <double *>calloc(2 * d + tacit_region_work(region), sizeof(double))
        if w is NULL:
            raise MemoryError
        cdef Rows rows
        found = []
        try:
            rows = Rows(source, self)
            while rows.next():
                if not rows.ready:
                    found.append(None)
                    continue
                check(tacit_spo_decide(self.at, rows.x, w + d, w, &error), &error)
                found.append([w[i] for i in range(d)])
            return found
        finally:
            free(w)


cdef class Rows:
    """The encoded rows of a source, one after the other: x, where it is ready."""
    cdef tacit_encoder *encoder
    cdef double *x
    cdef double *y
    cdef bint_c ready
    cdef Source source

    def __cinit__(self, Source source not None, CPolicy policy not None):
        cdef const tacit_schema *schema = tacit_policy_schema(policy.at)
        cdef tacit_error error
        self.source = source
        self.x = <double *>calloc(tacit_schema_columns(schema) + tacit_schema_targets(schema), sizeof(double))
        if self.x is NULL:
            raise MemoryError
        self.y = self.x + tacit_schema_columns(schema)
        check(tacit_encoder_new(source.at, schema, False, &self.encoder, &error), &error)

    def __dealloc__(self):
        tacit_encoder_free(self.encoder)
        free(self.x)

    cdef bint next(self) except -1:
        cdef tacit_error error
        cdef bint_c more = True
        check(tacit_encoder_next(self.encoder, self.x, self.y, &self.ready, &more, &error), &error)
        return more


def policy_parse(bytes text not None):
    cdef CPolicy self = CPolicy()
    cdef tacit_error error
    check(tacit_policy_parse(text, len(text), &self.at, &error), &error)
    return self


def policy_read(bytes path not None):
    cdef CPolicy self = CPolicy()
    cdef tacit_error error
    check(tacit_policy_read(path, &self.at, &error), &error)
    return self


def public_key(bytes path not None):
    """The key in a file."""
    cdef char key[65]
    cdef tacit_error error
    check(tacit_public_key_read(path, key, &error), &error)
    return text_of(key)


def keys_make(bytes secret not None, bytes public not None):
    cdef char key[65]
    cdef tacit_error error
    check(tacit_keys_make(secret, public, key, &error), &error)
    return text_of(key)
