/* An engine that a test plays: parts in this process, and manners in which their replies come. */
#ifndef TACIT_TESTS_ENGINE_PLAYER_H
#define TACIT_TESTS_ENGINE_PLAYER_H

#include <tacit/tacit.h>

typedef enum manner {
  HONEST,
  LOSES,    /* two of three replies, each time that parts are asked */
  REPEATS,  /* each reply three times */
  REORDERS, /* last part first, and parts that were not asked too */
  MERGES,   /* adds up on the way */
  FORGETS,  /* parts are opened anew for every question: they keep nothing */
  LATE,     /* the replies to the last question come with those to this one */
  FLIPS,    /* a bit of every reply, before it comes as it was */
  RENAMES,  /* a reply comes under another part's name, before it comes as it was */
  CUTS,     /* a reply comes short, before it comes as it was */
  STRANGER, /* a part that is not in the manifest replies too */
  BOASTS,   /* a sealed reply beyond what rows can reach, before it comes as it was */
  SWAPS,    /* every reply twice over, of parts in each other's place */
  /* the same policy up to here; from here on a refusal */
  SILENT,    /* one part never replies */
  OVERLAPS,  /* a part comes alone, and again with another */
  TWO_WORDS, /* a part tells two answers */
  FAILS,     /* the engine itself gives up */
  MANNERS
} manner;

enum { PARTS_MOST = 50 };
typedef struct player {
  const tacit_schema *schema;
  manner manner;
  size_t count;
  tacit_part *parts[PARTS_MOST];
  tacit_part_entry entries[PARTS_MOST];
  tacit_part *stranger;
  /* opens part k anew */
  tacit_part *(*open)(const void *table, const tacit_schema *schema, size_t k, size_t count);
  const void *table;
  size_t asked;   /* requests */
  size_t refused; /* replies that were */
  void *late[PARTS_MOST];
  size_t late_length[PARTS_MOST];
} player;

void player_open(player *p, size_t count);
void player_close(player *p);
tacit_source *player_source(player *p, tacit_error *error);

#endif
