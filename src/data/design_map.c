/* The records of a design as rows matrix * x: stored, made on the fly, or in the old rows' place. */
#include "base/base.h"
#include "data/design_inner.h"
#include "data/image_steps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A design for the rows, and the steps. */
static tacit_status begin(const tacit_design *from, const tacit_image *image, tacit_design **to,
                          tacit_steps *steps, tacit_error *error) {
  *to = NULL;
  tacit_status status =
      tacit_steps_set(steps, image, from->columns, image->cell_bits - from->cell_bits, error);
  if (!status)
    status =
        tacit_design_make(from->columns, image->columns, from->targets, NULL, image->cell_bits, to, error);
  if (status)
    tacit_steps_free(steps);
  else {
    (*to)->narrow = image->narrow;
    (*to)->units = from->units;
  }
  return status;
}

static tacit_status give_up(tacit_design **design, tacit_status status) {
  tacit_design_free(*design);
  *design = NULL;
  return status;
}

/* Memory for each thread: a block of the new rows, and what making one takes. */
static tacit_status make_rooms(tacit_design *design, int threads, size_t bytes, tacit_error *error) {
  design->view.rooms = tacit_alloc((size_t)threads, sizeof *design->view.rooms);
  if (!design->view.rooms) return tacit_no_memory(error);
  design->view.room_bytes = bytes;
  for (; design->view.room_count < threads; design->view.room_count++)
    if (!(design->view.rooms[design->view.room_count] = tacit_alloc_aligned(bytes, 1)))
      return tacit_no_memory(error);
  return TACIT_OK;
}

static void free_rooms(tacit_design *design) {
  for (int i = 0; i < design->view.room_count; i++)
    tacit_free_wiped(design->view.rooms[i], design->view.room_bytes);
  free(design->view.rooms);
  design->view.rooms = NULL;
  design->view.room_count = 0;
}

/* Block b of `from` as the calling thread's own, behind which the room for making it lies. */
static tacit_block make_block(const tacit_steps *steps, const tacit_block *from, const tacit_design *design) {
  char *room = design->view.rooms[tacit_thread()];
  tacit_block made = tacit_block_in(design, room);
  tacit_steps_map(steps, room + design->view.room_bytes - tacit_steps_room(steps), from, design, &made);
  return made;
}

tacit_status tacit_design_transform(const tacit_design *from, const tacit_image *image, int threads,
                                    tacit_design **to, tacit_error *error) {
  tacit_steps steps;
  TACIT_TRY(begin(from, image, to, &steps, error));
  tacit_row_store store = tacit_design_store(*to);
  const tacit_design *design = *to;
  tacit_status status = store.reserve(*to, from->rows, error);
  if (status == TACIT_OK) status = make_rooms(*to, threads, tacit_steps_room(&steps), error);
  if (status == TACIT_OK) {
#pragma omp parallel for num_threads(threads) if (from->blocks > 1)
    for (size_t b = 0; b < from->blocks; b++) {
      tacit_block source = tacit_design_block(from, b);
      tacit_steps_map(&steps, design->view.rooms[tacit_thread()], &source, design, &design->stored.block[b]);
    }
    status = store.keep(*to, from->rows, error);
  }
  free_rooms(*to);
  tacit_steps_free(&steps);
  return status ? give_up(to, status) : TACIT_OK;
}

tacit_status tacit_design_view(const tacit_design *from, const tacit_image *image, int threads,
                               tacit_design **to, tacit_error *error) {
  tacit_steps *steps = tacit_alloc(1, sizeof *steps);
  if (!steps) return tacit_no_memory(error);
  tacit_status status = begin(from, image, to, steps, error);
  if (status) {
    free(steps);
    return status;
  }
  tacit_design *design = *to;
  design->view.base = from;
  design->view.steps = steps;
  design->rows = from->rows;
  design->blocks = from->blocks;
  status = make_rooms(design, threads, tacit_block_bytes(design) + tacit_steps_room(steps), error);
  return status ? give_up(to, status) : TACIT_OK;
}

tacit_status tacit_design_turn(tacit_design *design, const tacit_image *image, int threads,
                               tacit_error *error) {
  size_t inputs = design->columns;
  tacit_steps steps;
  bool stored = design->stored.block || design->blocks == 0; /* a table without rows has no blocks */
  assert(image->columns <= inputs && stored && !design->file.map && !design->view.rooms && !design->narrow);
  (void)stored;
  tacit_status status = tacit_steps_set(&steps, image, inputs, image->cell_bits - design->cell_bits, error);
  if (status == TACIT_OK)
    status = make_rooms(design, threads, tacit_block_bytes(design) + tacit_steps_room(&steps), error);
  if (status == TACIT_OK) {
    tacit_wipe(design->stored.scratch, TACIT_TILE * inputs * sizeof *design->stored.scratch);
    design->columns = image->columns;
    design->cell_bits = image->cell_bits;
    design->narrow = image->narrow;
    for (size_t b = design->blocks; b < design->stored.made; b++)
      design->stored.block[b] = tacit_block_in(design, design->stored.block[b].cells);
#pragma omp parallel for num_threads(threads) if (design->blocks > 1)
    for (size_t b = 0; b < design->blocks; b++) {
      tacit_block old = design->stored.block[b]; /* NOLINT: there are none to go through without it */
      (void)make_block(&steps, &old, design);
      memcpy(old.cells, design->view.rooms[tacit_thread()], tacit_block_bytes(design));
      design->stored.block[b] = tacit_block_in(design, old.cells);
    }
  }
  tacit_steps_free(&steps);
  return status;
}

/* A file of this size, or of this part of the machine's memory, may stay mapped: to map its pages anew in
   each pass takes a fifth of the pass. The system can take them all the same: they are the file's own. */
static const size_t STAYS = (size_t)256 << 20;
enum { STAYS_PART = 16 };

static bool stays(size_t bytes) {
  if (bytes <= STAYS) return true;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 && bytes / (size_t)page <= (size_t)pages / STAYS_PART;
}

void tacit_design_pass(const tacit_design *design, size_t b) {
  enum { WINDOW = 64 }; /* blocks: enough for one call to the system to cost nothing */
  if (!design->file.map || b % WINDOW || b < 2 * WINDOW) return;
  if (stays(design->blocks * tacit_block_bytes(design))) return;
  (void)madvise(design->stored.block[b - 2 * WINDOW].cells, WINDOW * tacit_block_bytes(design),
                MADV_DONTNEED);
}

size_t tacit_design_rest(const tacit_design *design) {
  size_t bytes = 0;
  for (size_t i = 0; i < design->stored.slabs; i++) bytes += design->stored.slab[i].bytes;
  for (int i = 0; i < design->view.room_count; i++) bytes += design->view.room_bytes;
  if (design->file.map) (void)madvise(design->file.map, design->file.map_bytes, MADV_DONTNEED);
  return bytes;
}

tacit_block tacit_design_block(const tacit_design *design, size_t b) {
  if (!design->view.base) {
    tacit_design_pass(design, b);
    return design->stored.block[b];
  }
  assert(tacit_thread() < design->view.room_count);
  tacit_block source = tacit_design_block(design->view.base, b);
  return make_block(design->view.steps, &source, design);
}
