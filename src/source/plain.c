/* Opens what is an Arrow file or stream by its first bytes, and else CSV. No record has a part in these. */
#include "source/plain.h"

#include "base/base.h"
#include "source/csv.h"
#include "source/ipc.h"
#include "source/unpack.h"

tacit_status tacit_source_plain(const char *path, const tacit_csv_form *form, tacit_source **source,
                                tacit_error *error) {
  tacit_bytes *bytes;
  char head[TACIT_HEAD] = {0};
  size_t length;
  *source = NULL;
  TACIT_TRY(tacit_csv_check_form(form, error));
  TACIT_TRY(tacit_bytes_file(path, &bytes, error));
  TACIT_TRY(tacit_bytes_look(&bytes, head, &length, error));
  if (tacit_ipc_begins(head, length)) return tacit_source_ipc(bytes, source, error);
  TACIT_TRY(tacit_bytes_unpack(&bytes, error));
  return tacit_csv_over_as(bytes, TACIT_CSV_BUFFER, form, source, error);
}
