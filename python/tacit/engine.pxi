# Rows that an engine holds: parts that answer where the rows are, and a source over all of them for the driver.
cdef dict entry_dict(const tacit_part_entry *e):
    return {"bytes": PyBytes_FromStringAndSize(<const char *>e, sizeof(tacit_part_entry)), "part": e.part,
            "parts": e.parts, "rows": e.rows, "records": e.records, "dropped_lag": e.dropped_lag,
            "dropped_unit": e.dropped_unit, "shard": e.shard, "shards": e.shards, "whole": bool(e.whole)}


def manifest_packed(bytes path not None, CSchema schema not None, size_t parts):
    """The lines of a packed table's manifest in so many parts."""
    cdef tacit_error error
    cdef tacit_part_entry *entries = <tacit_part_entry *>calloc(parts + 1, sizeof(tacit_part_entry))
    if entries is NULL:
        raise MemoryError
    try:
        check(tacit_manifest_packed(path, schema.at, parts, entries, &error), &error)
        return [entry_dict(&entries[i]) for i in range(parts)]
    finally:
        free(entries)


cdef class Part:
    """A part of a table, where its rows are. It answers questions; the answers are secret until noise is added."""
    cdef tacit_part *at
    cdef CSchema schema

    def __cinit__(self, Source source not None, CSchema schema not None, int threads=1):
        cdef Work work = Work(None, threads)
        cdef tacit_error error
        cdef tacit_status status
        self.schema = schema
        with nogil:
            status = tacit_part_open(source.at, schema.at, &work.context, &self.at, &error)
        source.close()
        work.check(status, &error)

    def __dealloc__(self):
        tacit_part_free(self.at)

    def describe(self):
        cdef tacit_part_entry entry
        memset(&entry, 0, sizeof(entry))
        tacit_part_describe(self.at, &entry)
        return entry_dict(&entry)

    def rest(self):
        """Between two questions: the pages of a file go back to the system. The bytes that the part keeps."""
        return tacit_part_rest(self.at)

    def answer(self, bytes request not None):
        cdef void *reply = NULL
        cdef size_t length = 0
        cdef tacit_error error
        cdef tacit_status status
        cdef const char *data = request
        cdef size_t size = len(request)
        with nogil:
            status = tacit_part_answer(self.at, data, size, &reply, &length, &error)
        check(status, &error)
        try:
            return PyBytes_FromStringAndSize(<char *>reply, length)
        finally:
            tacit_reply_free(reply, length)


cdef tacit_status ask_python(void *user, const tacit_request *request, tacit_replies *replies,
                             tacit_error *error) noexcept nogil:
    with gil:
        engine = <Engine>user
        try:
            parts = [request.parts[i] for i in range(request.count)]
            question = PyBytes_FromStringAndSize(<const char *>request.bytes, request.length)
            for reply in engine.ask(question, parts):
                # one that does not fit is as good as lost: the library asks again; what it must refuse ends the fit
                data = <bytes>reply
                status = tacit_replies_add(replies, <const char *>data, len(data), error)
                if status == TACIT_REFUSED:
                    return status
            return TACIT_OK
        except BaseException as raised:
            engine.raised = raised
            text = b"the engine failed; the exception says how"
            memcpy(error.text, <const char *>text, len(text) + 1)
            return TACIT_CANCELLED if isinstance(raised, KeyboardInterrupt) else TACIT_INTERNAL


cdef class Engine(Source):
    """A source whose rows lie in an engine: ask(question, parts) yields the replies of these parts, in any order."""
    cdef public object ask
    cdef public object raised
    cdef tacit_engine engine

    def __init__(self, ask, CSchema schema not None, list manifest not None):
        cdef tacit_error error
        cdef size_t n = len(manifest), i
        cdef tacit_part_entry *entries = <tacit_part_entry *>calloc(n + 1, sizeof(tacit_part_entry))
        cdef bytes line
        if entries is NULL:
            raise MemoryError
        self.ask = ask
        self.keep = schema
        self.engine.ask = ask_python
        self.engine.user = <void *>self
        try:
            for i in range(n):
                line = manifest[i]
                if len(line) != sizeof(tacit_part_entry):
                    raise from_status(TACIT_BAD_INPUT, "a line of the manifest is not one: take it from a part")
                memcpy(&entries[i], <const char *>line, sizeof(tacit_part_entry))
            check(tacit_source_engine(&self.engine, schema.at, entries, n, &self.at, &error), &error)
        finally:
            free(entries)
