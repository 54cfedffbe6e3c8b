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

    def facts(self):
        """What the policy says of itself, in the user's own units."""
        cdef const tacit_schema *schema = tacit_policy_schema(self.at)
        cdef const tacit_receipt *receipt = tacit_policy_receipt(self.at)
        cdef char statement[1024]
        cdef tacit_goal goal
        cdef size_t columns = tacit_schema_columns(schema), t, j
        cdef bint region = tacit_policy_region(self.at) is not NULL
        cdef bint spread = tacit_policy_has_spread(self.at)
        tacit_policy_statement(self.at, statement)
        targets = []
        for t in range(tacit_schema_targets(schema)):
            target = {"name": text_of(tacit_schema_target_name(schema, t)),
                      "coefficients": [tacit_policy_coefficient(self.at, t, j) for j in range(columns)]}
            if spread:
                target["log_spread"] = [tacit_policy_log_spread(self.at, t, j) for j in range(columns)]
                target["spreads"] = tacit_policy_spreads(self.at, t)
            if not region:
                goal = tacit_policy_goal(self.at, t)
                target.update(quantile=goal.quantile, underage=goal.underage or None, overage=goal.overage or None)
            targets.append(target)
        paid = None
        if receipt is not NULL and receipt.sequence:
            paid = {"label": text_of(receipt.label), "sequence": receipt.sequence, "head": text_of(receipt.head),
                    "commitment": text_of(receipt.commitment)}
        return {"columns": [text_of(tacit_schema_column_name(schema, j)) for j in range(columns)], "targets": targets,
                "method": text_of(tacit_policy_method(self.at)), "private": bool(tacit_policy_private(self.at)),
                "mu": tacit_policy_mu(self.at), "epsilon": tacit_policy_epsilon(self.at),
                "delta": tacit_policy_delta(self.at), "statement": text_of(statement), "receipt": paid,
                "adjacency": "add-remove" if tacit_policy_adjacency(self.at) == TACIT_ADD_REMOVE else "replace-one",
                "signer": text_of(tacit_policy_signer(self.at)), "region": bool(region)}

    def verify(self):
        cdef tacit_verdict verdict
        with nogil:
            tacit_policy_verify(self.at, &verdict)
        return {"holds": bool(verdict.holds), "mu": verdict.mu, "epsilon": verdict.epsilon, "delta": verdict.delta,
                "checks": [(bool(tacit_py_check_holds(&verdict, i)), text_of(tacit_py_check_text(&verdict, i)))
                           for i in range(verdict.count)]}

    def orders(self, Source source not None):
        """Rows x targets doubles as bytes, and the number of rows."""
        cdef double *orders = NULL
        cdef size_t rows = 0
        cdef tacit_error error
        cdef tacit_status status
        with nogil:
            status = tacit_policy_orders(self.at, source.at, &orders, &rows, &error)
        check(status, &error)
        try:
            return PyBytes_FromStringAndSize(
                <char *>orders, rows * tacit_schema_targets(tacit_policy_schema(self.at)) * sizeof(double)), rows
        finally:
            tacit_free(orders)

    def decisions(self, Source source not None):
        """The decision of each record over the policy's region; None where a record's lags are not known."""
        cdef const tacit_schema *schema = tacit_policy_schema(self.at)
        cdef const tacit_region *region = tacit_policy_region(self.at)
        cdef tacit_encoder *encoder = NULL
        cdef tacit_error error
        cdef bint_c ready = False, more = True
        if region is NULL:
            raise from_status(TACIT_USAGE, "this policy orders quantities; ask it for orders")
        cdef size_t d = tacit_region_dimension(region), p = tacit_schema_columns(schema), i
        cdef size_t size = p + tacit_schema_targets(schema) + d + tacit_region_work(region) + d
        cdef double *x = <double *>calloc(size, sizeof(double))
        if x is NULL:
            raise MemoryError
        cdef double *y = x + p
        cdef double *w = y + tacit_schema_targets(schema)
        found = []
        try:
            check(tacit_encoder_new(source.at, schema, False, &encoder, &error), &error)
            while True:
                check(tacit_encoder_next(encoder, x, y, &ready, &more, &error), &error)
                if not more:
                    return found
                if not ready:
                    found.append(None)
                    continue
                check(tacit_spo_decide(self.at, x, w + d, w, &error), &error)
                found.append([w[i] for i in range(d)])
        finally:
            tacit_encoder_free(encoder)
            free(x)


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


def keys_make(bytes secret not None, bytes public not None):
    cdef char key[65]
    cdef tacit_error error
    check(tacit_keys_make(secret, public, key, &error), &error)
    return text_of(key)
