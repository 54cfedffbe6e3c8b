# Errors, texts, and the caller's wishes while work goes on.
from array import array

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.object cimport PyObject
from libc.math cimport NAN
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset, strlen

from tacit.c cimport *
from tacit.errors import from_status


cdef str text_of(const char *text):
    return None if text is NULL else text.decode("utf-8", "replace")


cdef object check(tacit_status status, tacit_error *error, str where=""):
    if status != TACIT_OK:
        raise from_status(status, text_of(error.text), where)


cdef class Work:
    """Progress and Ctrl-C of one call. An exception of the callback, or of a signal's handler, ends the work and is
    raised when the library has returned."""
    cdef tacit_context context
    cdef object callback
    cdef object raised

    def __cinit__(self, callback=None, int threads=0):
        tacit_context_init(&self.context)
        self.callback = callback
        self.context.threads = threads
        self.context.user = <void *>self
        self.context.cancelled = work_cancelled
        if callback is not None:
            self.context.progress = work_progress

    cdef object check(self, tacit_status status, tacit_error *error, str where=""):
        if self.raised is not None and status != TACIT_OK:
            raised, self.raised = self.raised, None
            raise raised
        check(status, error, where)


cdef void work_progress(void *user, const char *what, double fraction) noexcept nogil:
    with gil:
        work = <Work>user
        if work.raised is None:
            try:
                work.callback(text_of(what), fraction)
            except BaseException as error:
                work.raised = error


cdef bint_c work_cancelled(void *user) noexcept nogil:
    with gil:
        work = <Work>user
        if work.raised is None:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                work.raised = error
        return work.raised is not None


def version():
    """The version of the C library."""
    return text_of(tacit_version())
