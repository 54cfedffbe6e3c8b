# Columns in memory (numpy arrays, bytes) as an Arrow stream of one batch: nothing is copied, and the library reads them
# as it reads every other stream.
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

cdef enum:
    MOST_BUFFERS = 3


cdef void release_schema(ArrowSchema *schema) noexcept nogil:
    schema.release = NULL


cdef void release_array(ArrowArray *array) noexcept nogil:
    array.release = NULL


cdef void release_stream(ArrowArrayStream *stream) noexcept nogil:
    stream.release = NULL


cdef int columns_schema(ArrowArrayStream *stream, ArrowSchema *out) noexcept nogil:
    out[0] = (<ColumnsMemory *>stream.private_data).schema
    return 0


cdef int columns_next(ArrowArrayStream *stream, ArrowArray *out) noexcept nogil:
    cdef ColumnsMemory *memory = <ColumnsMemory *>stream.private_data
    if memory.given:
        memset(out, 0, sizeof(ArrowArray))
    else:
        out[0] = memory.batch
    memory.given = True
    return 0


cdef const char *columns_error(ArrowArrayStream *stream) noexcept nogil:
    return NULL


cdef struct ColumnsMemory:
    ArrowSchema schema
    ArrowArray batch
    bint given
    const void *no_buffer


cdef class Columns:
    """Owns what the stream points to; a source over it keeps it."""
    cdef ColumnsMemory memory
    cdef ArrowSchema *fields
    cdef ArrowSchema **field_places
    cdef ArrowArray *arrays
    cdef ArrowArray **array_places
    cdef const void **buffers
    cdef Py_buffer *views
    cdef size_t view_count
    cdef list keep

    def __cinit__(self, list columns, int64_t rows):
        """columns: (name, format of the Arrow C data interface, (validity or None, data, ...)) of each."""
        cdef size_t n = len(columns), j, k
        self.keep = list(columns)
        self.fields = <ArrowSchema *>calloc(n + 1, sizeof(ArrowSchema))
        self.field_places = <ArrowSchema **>calloc(n + 1, sizeof(ArrowSchema *))
        self.arrays = <ArrowArray *>calloc(n + 1, sizeof(ArrowArray))
        self.array_places = <ArrowArray **>calloc(n + 1, sizeof(ArrowArray *))
        self.buffers = <const void **>calloc(MOST_BUFFERS * (n + 1), sizeof(void *))
        self.views = <Py_buffer *>calloc(MOST_BUFFERS * (n + 1), sizeof(Py_buffer))
        if (self.fields is NULL or self.field_places is NULL or self.arrays is NULL or self.array_places is NULL
                or self.buffers is NULL or self.views is NULL):
            raise MemoryError
        for j in range(n):
            name, form, parts = columns[j]
            self.fields[j].name = <bytes>name
            self.fields[j].format = <bytes>form
            self.fields[j].release = release_schema
            self.field_places[j] = &self.fields[j]
            self.arrays[j].length = rows
            self.arrays[j].null_count = -1
            self.arrays[j].n_buffers = len(parts)
            self.arrays[j].buffers = self.buffers + MOST_BUFFERS * j
            self.arrays[j].release = release_array
            self.array_places[j] = &self.arrays[j]
            for k in range(len(parts)):
                if parts[k] is None:
                    continue
                PyObject_GetBuffer(parts[k], &self.views[self.view_count], PyBUF_SIMPLE)
                self.buffers[MOST_BUFFERS * j + k] = self.views[self.view_count].buf
                self.view_count += 1
        self.memory.schema = ArrowSchema(format="+s", name="", metadata=NULL, flags=0, n_children=n,
                                         children=self.field_places, dictionary=NULL, release=release_schema,
                                         private_data=NULL)
        self.memory.batch = ArrowArray(length=rows, null_count=0, offset=0, n_buffers=1, n_children=n,
                                       buffers=&self.memory.no_buffer, children=self.array_places, dictionary=NULL,
                                       release=release_array, private_data=NULL)

    def __dealloc__(self):
        cdef size_t k
        for k in range(self.view_count):
            PyBuffer_Release(&self.views[k])
        free(self.views)
        free(<void *>self.buffers)
        free(self.array_places)
        free(self.arrays)
        free(self.field_places)
        free(self.fields)


def source_from_columns(Columns columns not None):
    cdef Source self = Source()
    cdef tacit_error error
    cdef ArrowArrayStream stream
    memset(&stream, 0, sizeof(stream))
    stream.get_schema = columns_schema
    stream.get_next = columns_next
    stream.get_last_error = columns_error
    stream.release = release_stream
    stream.private_data = &columns.memory
    columns.memory.given = False
    self.keep = columns
    check(tacit_source_arrow(&stream, &self.at, &error), &error)
    return self
