/* A disk whose power can be cut at any operation. It stands between SQLite and the file system: what was not
   synced when the power went may be on the disk wholly, in part or not at all, write by write, and a deletion
   whose folder was not synced may be undone. */
#ifndef TACIT_SRC_POWER_CUT_FOR_TEST_H
#define TACIT_SRC_POWER_CUT_FOR_TEST_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 8, BYTES_MAX = 1 << 16, PENDING_MAX = 64 };

/* What the disk would hold of a file: its content at the last sync, and what came after, in order. */
typedef struct disk_file {
  char name[256];
  bool durable; /* the synced content is there at all */
  unsigned char synced[BYTES_MAX];
  size_t synced_size;
  struct {
    size_t offset, size; /* a write, or with data NULL a truncation to offset */
    unsigned char *data;
  } pending[PENDING_MAX];
  size_t pending_count;
  bool deleted; /* without a sync of the folder */
} disk_file;

static disk_file disk[FILES_MAX];
static size_t disk_count;
static sqlite3_vfs *below; /* the system's own */
static long operations;    /* so far */
static long cut_at;        /* the operation at which the power goes; 0: never */
static long fail_at;       /* the operation that fails alone; 0: none */
static bool power_gone;
/* Instead of a power cut the program is killed at that operation, and the disk keeps what was written. */
static bool killed;
static bool kept_by_system;     /* set where power is never cut: nothing need be remembered of files */
static void (*meanwhile)(void); /* what somebody else does at an operation; NULL: nothing */
static long meanwhile_at = 1;
static void (*at_unlock)(void); /* what somebody else does when all locks were given up; NULL: nothing */
enum { KILLED = 99 };           /* its exit code */

/* Whether an operation that changes the disk takes place. */
static bool goes_through(void) {
  operations++;
  if (operations == meanwhile_at && meanwhile) meanwhile();
  if (killed && operations == cut_at) _exit(KILLED);
  if (cut_at && operations >= cut_at) power_gone = true;
  return !power_gone && operations != fail_at;
}

static size_t read_whole(const char *name, unsigned char *bytes) {
  FILE *file = fopen(name, "rb");
  size_t n = file ? fread(bytes, 1, BYTES_MAX, file) : 0;
  if (file) fclose(file);
  return n;
}

static disk_file *on_disk(const char *name) {
  if (kept_by_system) return &disk[0];
  for (size_t i = 0; i < disk_count; i++)
    if (!strcmp(disk[i].name, name)) return &disk[i];
  if (disk_count == FILES_MAX) abort();
  disk_file *f = &disk[disk_count++];
  memset(f, 0, sizeof *f);
  snprintf(f->name, sizeof f->name, "%s", name);
  f->durable = access(name, F_OK) == 0;
  f->synced_size = read_whole(name, f->synced);
  return f;
}

static void drop_pending(disk_file *f) {
  for (size_t i = 0; i < f->pending_count; i++) free(f->pending[i].data);
  f->pending_count = 0;
}

static void add_pending(disk_file *f, size_t offset, const void *data, size_t size) {
  if (kept_by_system) return;
  if (f->pending_count == PENDING_MAX) abort();
  f->pending[f->pending_count].offset = offset;
  f->pending[f->pending_count].size = size;
  f->pending[f->pending_count].data = data ? memcpy(malloc(size), data, size) : NULL;
  f->pending_count++;
}

/* Leaves the files as a disk might after the cut, by coins from *random. */
static inline void power_back(uint64_t *random) {
  static unsigned char bytes[BYTES_MAX];
  for (size_t i = 0; i < disk_count; i++) {
    disk_file *f = &disk[i];
    size_t size = f->synced_size;
    memcpy(bytes, f->synced, sizeof bytes);
    bool there = f->durable;
    for (size_t k = 0; k < f->pending_count; k++) {
      *random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
      unsigned coin = (unsigned)(*random >> 20) % 4;
      size_t written = f->pending[k].size;
      if (coin == 0) continue;                          /* lost */
      if (coin == 1) written = written / 2 / 512 * 512; /* torn between sectors */
      there = true;
      if (!f->pending[k].data) {
        size = f->pending[k].offset;
        continue;
      }
      if (f->pending[k].offset > size) memset(bytes + size, 0, f->pending[k].offset - size);
      memcpy(bytes + f->pending[k].offset, f->pending[k].data, written);
      if (f->pending[k].offset + written > size) size = f->pending[k].offset + written;
    }
    *random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
    if (f->deleted && *random >> 40 & 1) there = false;
    if (!there) unlink(f->name);
    FILE *file = there ? fopen(f->name, "wb") : NULL;
    if (file && (fwrite(bytes, 1, size, file) != size || fclose(file) != 0)) abort();
    drop_pending(f);
  }
  disk_count = 0;
  operations = cut_at = fail_at = 0;
  power_gone = false;
}

typedef struct cut_file {
  sqlite3_file base;
  disk_file *disk;
  sqlite3_file *real; /* in the memory behind this */
} cut_file;
#define REAL(file) (((cut_file *)(file))->real)

static int cut_close(sqlite3_file *file) {
  return REAL(file)->pMethods ? REAL(file)->pMethods->xClose(REAL(file)) : SQLITE_OK;
}
static int cut_read(sqlite3_file *file, void *to, int n, sqlite3_int64 offset) {
  return REAL(file)->pMethods->xRead(REAL(file), to, n, offset);
}
static int cut_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 offset) {
  bool powered = !power_gone, through = goes_through();
  /* the operation that the cut falls into may have happened too */
  if (through || (powered && power_gone))
    add_pending(((cut_file *)file)->disk, (size_t)offset, from, (size_t)n);
  if (!through) return SQLITE_FULL;
  return REAL(file)->pMethods->xWrite(REAL(file), from, n, offset);
}
static int cut_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (!goes_through()) return SQLITE_IOERR_TRUNCATE;
  add_pending(((cut_file *)file)->disk, (size_t)size, NULL, 0);
  return REAL(file)->pMethods->xTruncate(REAL(file), size);
}
static int cut_sync(sqlite3_file *file, int flags) {
  disk_file *f = ((cut_file *)file)->disk;
  if (!goes_through()) return SQLITE_IOERR_FSYNC;
  int code = REAL(file)->pMethods->xSync(REAL(file), flags);
  drop_pending(f);
  f->durable = true; /* SQLite syncs the folder with a new journal */
  if (kept_by_system) return code;
  f->synced_size = read_whole(f->name, f->synced);
  return code;
}
static int cut_size(sqlite3_file *file, sqlite3_int64 *size) {
  return REAL(file)->pMethods->xFileSize(REAL(file), size);
}
static int cut_lock(sqlite3_file *file, int level) {
  return REAL(file)->pMethods->xLock(REAL(file), level);
}
static int cut_unlock(sqlite3_file *file, int level) {
  int code = REAL(file)->pMethods->xUnlock(REAL(file), level);
  if (level == SQLITE_LOCK_NONE && at_unlock) at_unlock();
  return code;
}
static int cut_reserved(sqlite3_file *file, int *out) {
  return REAL(file)->pMethods->xCheckReservedLock(REAL(file), out);
}
static int cut_control(sqlite3_file *file, int what, void *argument) {
  return REAL(file)->pMethods->xFileControl(REAL(file), what, argument);
}
static int cut_sector(sqlite3_file *file) {
  return REAL(file)->pMethods->xSectorSize(REAL(file));
}
static int cut_traits(sqlite3_file *file) {
  (void)file;
  return 0; /* promises nothing about atomic or ordered writes */
}

static int cut_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  static const sqlite3_io_methods methods = {1,           cut_close,  cut_read,   cut_write,  cut_truncate,
                                             cut_sync,    cut_size,   cut_lock,   cut_unlock, cut_reserved,
                                             cut_control, cut_sector, cut_traits, NULL,       NULL,
                                             NULL,        NULL,       NULL,       NULL};
  (void)vfs;
  cut_file *own = (cut_file *)file;
  own->base.pMethods = NULL;
  own->real = (sqlite3_file *)(own + 1);
  if (power_gone) return SQLITE_CANTOPEN;
  own->disk = name ? on_disk(name) : NULL;
  int code = below->xOpen(below, name, own->real, flags, out);
  if (code == SQLITE_OK) own->base.pMethods = &methods;
  return code;
}

static int cut_delete(sqlite3_vfs *vfs, const char *name, int sync_folder) {
  (void)vfs;
  bool powered = !power_gone, through = goes_through();
  disk_file *f = on_disk(name);
  if (powered && power_gone) f->deleted = true;
  if (!through) return SQLITE_IOERR_DELETE;
  if (sync_folder) {
    drop_pending(f);
    f->durable = false;
    f->synced_size = 0;
  } else {
    f->deleted = true;
  }
  return below->xDelete(below, name, sync_folder);
}

/* Makes this the disk of every database that is opened from here on. */
static inline void install_power_cut(void) {
  static sqlite3_vfs vfs;
  below = sqlite3_vfs_find(NULL);
  vfs = *below;
  vfs.zName = "power-cut";
  vfs.szOsFile = (int)sizeof(cut_file) + below->szOsFile;
  vfs.xOpen = cut_open;
  vfs.xDelete = cut_delete;
  vfs.pNext = NULL;
  if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK) abort();
}

#endif
