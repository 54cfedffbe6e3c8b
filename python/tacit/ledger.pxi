# The ledger. Each call opens it and closes it again: no handle lives across a fork.
from libc.stdio cimport snprintf


cdef dict unit_dict(tacit_unit unit):
    return {"adjacency": "add-remove" if unit.adjacency == TACIT_ADD_REMOVE else "replace-one",
            "rows_per_unit": unit.rows_per_unit, "column": text_of(unit.column), "result_rows": bool(unit.result_rows),
            "targets": bool(unit.targets), "change": unit.change}


cdef class OpenLedger:
    cdef tacit_ledger *at

    def __cinit__(self, bytes path not None, int mode, int wait_ms):
        cdef tacit_error error
        cdef tacit_status status
        cdef const char *name = path
        with nogil:
            status = tacit_ledger_open(name, mode, wait_ms, &self.at, &error)
        check(status, &error, "ledger")

    def __dealloc__(self):
        tacit_ledger_close(self.at)

    def close(self):
        tacit_ledger_close(self.at)
        self.at = NULL

    def set_budget(self, bytes label not None, double mu, double delta, dict unit, bint change, bytes date, bytes per=None):
        cdef tacit_ledger_terms terms
        cdef tacit_error error
        cdef tacit_status status
        cdef bytes column = unit["column"]
        memset(&terms, 0, sizeof(terms))
        terms.label = label
        terms.mu = mu
        terms.delta = delta
        terms.unit.adjacency = unit["adjacency"]
        terms.unit.rows_per_unit = unit["rows_per_unit"]
        if column is not None:
            terms.unit.column = column
        terms.change = change
        if date is not None:
            terms.date = date
        if per is not None:
            terms.per = per
        with nogil:
            status = tacit_ledger_set(self.at, &terms, &error)
        check(status, &error, "ledger")

    def totals(self):
        cdef tacit_ledger_total t
        found = []
        for i in range(tacit_ledger_labels(self.at)):
            t = tacit_ledger_total_at(self.at, i)
            found.append({
                "label": text_of(t.label), "releases": t.releases,
                "budget_mu": t.budget_mu if t.limited else None,
                "spent_mu": None if t.renyi else t.spent_mu,
                "left_mu": t.left_mu if t.limited and not t.renyi else None,
                "budget_epsilon": t.budget_epsilon if t.renyi else None,
                "spent_epsilon": t.spent_epsilon if t.renyi else None,
                "delta": t.delta if t.renyi else None, "unit": unit_dict(t.unit),
                "per": text_of(t.per) or None, "period": text_of(t.period) or None})
        return found

    def entries(self):
        cdef tacit_error error
        found = []
        check(tacit_ledger_each(self.at, visit_entry, <void *>found, &error), &error, "ledger")
        return found

    def check(self):
        cdef tacit_error error
        cdef tacit_status status
        with nogil:
            status = tacit_ledger_check(self.at, &error)
        check(status, &error, "ledger")

    def identity(self):
        return {"id": text_of(tacit_ledger_id(self.at)), "sequence": tacit_ledger_sequence(self.at),
                "head": text_of(tacit_ledger_head(self.at))}

    def check_policy(self, CPolicy policy not None):
        """Whether the ledger was paid for the policy: its receipt is in the chain and covers what it promises."""
        cdef tacit_error error
        cdef tacit_cost cost
        cdef const tacit_schema *schema = tacit_policy_schema(policy.at)
        cdef const tacit_receipt *receipt = tacit_policy_receipt(policy.at)
        cdef tacit_unit unit = tacit_unit_of(schema, tacit_policy_adjacency(policy.at), tacit_policy_result_rows(policy.at))
        if receipt is NULL or receipt.sequence == 0:
            raise from_status(TACIT_CHECK_FAILED, "the policy has no receipt: no ledger was paid for it")
        check(tacit_policy_cost(policy.at, &cost, &error), &error)
        check(tacit_ledger_check_payment(self.at, receipt, tacit_schema_hash(schema), tacit_policy_method(policy.at),
                                         &unit, &cost, &error), &error, "ledger")


cdef void visit_entry(void *user, const tacit_ledger_entry *e) noexcept with gil:
    (<list>user).append({
        "sequence": e.sequence, "kind": text_of(e.kind), "label": text_of(e.label), "measure": text_of(e.measure),
        "amount": text_of(e.amount), "mu": e.mu, "epsilon": e.epsilon, "delta": e.delta, "method": text_of(e.method),
        "schema_hash": text_of(e.schema_hash), "date": text_of(e.date), "nonce": text_of(e.nonce),
        "previous": text_of(e.previous), "hash": text_of(e.hash), "commitment": text_of(e.commitment)})


cdef struct Paying:
    tacit_payment pay
    tacit_status failed
    const tacit_source *source  # what is paid for, and as what it was read; NULL: nothing was
    const tacit_schema *schema


cdef tacit_status pay_now(void *user, const tacit_cost *cost, tacit_error *error) noexcept nogil:
    # a column that is a mistake as a whole is worth no budget
    cdef Paying *paying = <Paying *>user
    cdef tacit_error why
    if paying.source is not NULL and tacit_source_check_columns(paying.source, paying.schema, &why) != TACIT_OK:
        snprintf(error.text, sizeof(error.text), "nothing was spent: %.480s", why.text)
        return TACIT_BAD_INPUT
    paying.failed = tacit_ledger_pay(&paying.pay, cost, error)
    return paying.failed


cdef class Payment:
    """What a release pays with: a ledger, a label, and whose data it is about. spent is the receipt, once there is one."""
    cdef Paying paying
    cdef object keep
    cdef OpenLedger ledger

    def __cinit__(self, OpenLedger ledger not None, bytes label not None, bytes method not None, bytes date not None,
                  bytes period=None):
        memset(&self.paying, 0, sizeof(self.paying))
        self.ledger = ledger
        self.keep = (label, method, date, period)
        if period is not None:
            self.paying.pay.spending.period = period
        self.paying.pay.ledger = ledger.at
        self.paying.pay.spending.label = label
        self.paying.pay.spending.method = method
        self.paying.pay.spending.date = date

    cdef object begin(self, const tacit_schema *schema, double mu, tacit_adjacency adjacency, bint result_rows):
        """An early answer: what is refused now is refused before a row is read."""
        cdef tacit_error error
        self.paying.pay.spending.mu = mu
        self.paying.pay.spending.schema_hash = tacit_schema_hash(schema)
        self.paying.pay.spending.unit = tacit_unit_of(schema, adjacency, result_rows)
        if mu > 0:
            check(tacit_ledger_afford(self.paying.pay.ledger, &self.paying.pay.spending, &error), &error, "ledger")

    cdef str where(self):
        """Whose refusal it was."""
        return "ledger" if self.paying.failed != TACIT_OK else ""

    @property
    def spent(self):
        if self.paying.pay.receipt.sequence == 0:
            return None
        return {"label": text_of(self.paying.pay.receipt.label), "sequence": self.paying.pay.receipt.sequence,
                "head": text_of(self.paying.pay.receipt.head), "commitment": text_of(self.paying.pay.receipt.commitment)}

    def close(self):
        self.ledger.close()
        self.paying.pay.ledger = NULL
