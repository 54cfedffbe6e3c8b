# Where rows come from. A source is read once; what its rows lie in is kept as long as it is.
from cpython.pycapsule cimport PyCapsule_GetPointer


cdef class Source:
    cdef tacit_source *at
    cdef object keep

    def __dealloc__(self):
        tacit_source_free(self.at)

    def close(self):
        """Gives back the stream or file at once."""
        tacit_source_free(self.at)
        self.at = NULL
        self.keep = None


def source_from_path(bytes path not None, CSchema schema=None):
    """A file of any kind; a CSV file in the form that the schema says."""
    cdef Source self = Source()
    cdef tacit_error error
    cdef tacit_status status
    cdef const char *name = path
    cdef tacit_csv_form form
    cdef const tacit_csv_form *said = NULL
    if schema is not None and tacit_schema_csv(schema.at, &form):
        said = &form
    with nogil:
        status = tacit_source_open_as(name, said, &self.at, &error)
    check(status, &error)
    return self


def source_from_csv(bytes path not None, bytes separator not None, bytes decimal not None):
    """A CSV file in another form than the usual one."""
    cdef Source self = Source()
    cdef tacit_error error
    cdef tacit_csv_form form
    if len(separator) != 1 or len(decimal) != 1:
        raise from_status(TACIT_USAGE, "separator and decimal are one character each")
    form.separator, form.decimal = separator[0], decimal[0]
    check(tacit_source_csv_as(path, &form, &self.at, &error), &error)
    return self


def source_where(Source records not None, bytes condition not None):
    """The records that meet a condition. Takes over the source."""
    cdef Source self = Source()
    cdef tacit_error error
    cdef tacit_source *taken = records.at
    self.keep = records.keep
    records.at = NULL
    check(tacit_source_where(taken, condition, &self.at, &error), &error)
    return self


def source_from_part(bytes path not None, size_t part, size_t parts):
    cdef Source self = Source()
    cdef tacit_error error
    check(tacit_source_open_part(path, part, parts, &self.at, &error), &error)
    return self


def source_from_packed(bytes packed not None, size_t part=0, size_t parts=1):
    cdef Source self = Source()
    cdef tacit_error error
    cdef const char *data = packed
    check(tacit_source_packed(data, len(packed), part, parts, &self.at, &error), &error)
    return self


def source_from_sql(bytes database, bytes query not None, bint result_rows):
    cdef Source self = Source()
    cdef tacit_error error
    cdef const char *path = NULL
    if database is not None:
        path = database
    check(tacit_source_sql(path, query, result_rows, &self.at, &error), &error)
    return self


def source_from_events(Source events not None, Source calendar not None, CSchema schema not None):
    """Takes over both sources."""
    cdef Source self = Source()
    cdef tacit_error error
    cdef tacit_source *bought = events.at
    cdef tacit_source *rows = calendar.at
    self.keep = (events.keep, calendar.keep, schema)
    events.at = calendar.at = NULL
    check(tacit_source_events(bought, rows, schema.at, &self.at, &error), &error)
    return self


def source_from_stream(capsule):
    """Takes over the stream of a capsule, as __arrow_c_stream__ gives it."""
    cdef Source self = Source()
    cdef tacit_error error
    cdef ArrowArrayStream *stream = <ArrowArrayStream *>PyCapsule_GetPointer(capsule, "arrow_array_stream")
    cdef tacit_status status
    if stream.release is NULL:
        raise from_status(TACIT_USAGE, "the stream was read before; ask the table for a new one")
    with nogil:
        status = tacit_source_arrow(stream, &self.at, &error)
    check(status, &error)
    return self


def unit_shards(Source source not None, CSchema schema not None, size_t shards):
    """Of which shard each record's unit is, as bytes of 32-bit numbers; and whether texts or numbers name units."""
    cdef tacit_shards found
    cdef tacit_error error
    cdef tacit_status status
    with nogil:
        status = tacit_unit_shards(source.at, schema.at, shards, &found, &error)
    check(status, &error)
    try:
        numbers = PyBytes_FromStringAndSize(<const char *>found.shard, found.records * sizeof(uint32_t))
        return numbers, bool(found.texts), bool(found.numbers)
    finally:
        tacit_free(found.shard)


def source_shard(Source source not None, size_t shard, size_t shards):
    """Says of which shard a source's records are: others are refused when they are read."""
    cdef tacit_error error
    check(tacit_source_shard(source.at, shard, shards, &error), &error)


def pack(Source source not None, CSchema schema not None, bytes path not None, Work work not None):
    """Writes the rows of a source to a packed table; the counts are for the data holder alone."""
    cdef tacit_pack_counts counts
    cdef tacit_error error
    cdef tacit_status status
    cdef const char *name = path
    with nogil:
        status = tacit_pack_table(source.at, schema.at, name, &counts, &work.context, &error)
    work.check(status, &error)
    return {"records": counts.records, "rows": counts.rows, "dropped_lag": counts.dropped_lag,
            "dropped_unit": counts.dropped_unit}
