# The schema and regions, parsed by the library.
cdef class CSchema:
    cdef tacit_schema *at

    def __cinit__(self, str json):
        cdef tacit_error error
        cdef bytes text = json.encode("utf-8")
        check(tacit_schema_parse(text, len(text), &self.at, &error), &error, "schema")

    def __dealloc__(self):
        tacit_schema_free(self.at)

    @property
    def hash(self):
        return text_of(tacit_schema_hash(self.at))

    @property
    def columns(self):
        return [text_of(tacit_schema_column_name(self.at, j)) for j in range(tacit_schema_columns(self.at))]

    @property
    def targets(self):
        return [text_of(tacit_schema_target_name(self.at, t)) for t in range(tacit_schema_targets(self.at))]

    @property
    def costs(self):
        """The dearest rates of each target's tiers, (underage, overage); empty where the schema has none."""
        cdef double under = 0, over = 0
        cdef size_t t
        costs = []
        for t in range(tacit_schema_targets(self.at)):
            if tacit_schema_target_costs(self.at, t, &under, &over):
                costs.append((under, over))
        return costs

    @property
    def sold_columns(self):
        """The columns that say which days sold out, or the stock; None for targets without one."""
        return [text_of(tacit_schema_target_sold_out(self.at, t)) for t in range(tacit_schema_targets(self.at))]

    @property
    def unit_column(self):
        return text_of(tacit_schema_unit_column(self.at))

    @property
    def records_per_unit(self):
        return tacit_schema_records_per_unit(self.at)


cdef class CRegion:
    cdef tacit_region *at

    def __cinit__(self, str json):
        cdef tacit_error error
        cdef bytes text = json.encode("utf-8")
        check(tacit_region_parse(text, len(text), &self.at, &error), &error)

    def __dealloc__(self):
        tacit_region_free(self.at)

    @property
    def dimension(self):
        return tacit_region_dimension(self.at)

    @property
    def diameter(self):
        return tacit_region_diameter(self.at)

    def minimise(self, costs):
        cdef size_t d = tacit_region_dimension(self.at), i
        cdef tacit_error error
        cdef double value = 0
        if len(costs) != d:
            raise from_status(TACIT_USAGE, f"the region has {d} coordinates: give a cost for each")
        cdef double *space = <double *>calloc(2 * d + tacit_region_work(self.at) + 1, sizeof(double))
        if space is NULL:
            raise MemoryError
        try:
            for i in range(d):
                space[i] = costs[i]
            check(tacit_region_minimise(self.at, space, NULL, space + 2 * d, space + d, &value, &error), &error)
            return [space[d + i] for i in range(d)], value
        finally:
            free(space)
