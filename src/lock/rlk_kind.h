/*
 * rlk_kind: how many may hold a lock at a time, and how that changes the requests to the server.
 *
 * A plain lock is a string: the token of its one holder. Permits and shared locks are a sorted set of holders, with
 * scripts of their own, lua/set_*.lua. All other files write the request of a plain lock; rlk_kind_say() translates it.
 */
#ifndef RLK_KIND_H
#define RLK_KIND_H

#include "lock/rlk_scripts.h"
#include "net/rlk_resp.h"

#define RLK_PERMITS_MAX 4096

typedef enum {
	RLK_PLAIN,   /* one holder */
	RLK_PERMITS, /* up to `permits` at a time, each of which counts as often as its weight */
	RLK_SHARED /* any number, while the plain lock of the name is their writer. Also a lock that was shared, and is that writer now */
} rlk_kind_id;

/* Zero is a plain lock. */
typedef struct {
	uint8_t id;      /* rlk_kind_id */
	int16_t permits; /* 0 unless RLK_PERMITS */
	uint16_t weight; /* how many of them; 1 of a shared lock */
} rlk_kind;

/* "plain", "permits", "shared" */
const char *rlk_kind_name(const rlk_kind *kind);

/* One permit is the plain lock. */
static inline rlk_kind rlk_kind_of(int permits, int weight, bool shared)
{
	if (shared)
		return (rlk_kind){ RLK_SHARED, 0, 1 };
	return permits > 1 ? (rlk_kind){ RLK_PERMITS, (int16_t)permits, (uint16_t)weight } : (rlk_kind){ RLK_PLAIN, 0, 0 };
}

static inline bool rlk_kind_is_same(const rlk_kind *a, const rlk_kind *b)
{
	return a->id == b->id && a->permits == b->permits && a->weight == b->weight;
}

/* Is the lock the value of a string, so that commands of the server can compare it? */
static inline bool rlk_kind_is_string(const rlk_kind *kind)
{
	return kind->id == RLK_PLAIN;
}

#define RLK_KIND_ARGS_MAX 9

/* The memory of a translation. */
typedef struct {
	rlk_request request;
	rlk_str args[RLK_KIND_ARGS_MAX];
	char permits[RLK_RESP_INT_MAX], weight[RLK_RESP_INT_MAX];
} rlk_kind_words;

rlk_request *rlk_kind_translate(const rlk_kind *kind, rlk_request *request, rlk_kind_words *words);

/* Translates a request of a plain lock: returns it as it is, or the request of the kind in *words. */
static inline rlk_request *rlk_kind_say(const rlk_kind *kind, rlk_request *request, rlk_kind_words *words)
{
	return kind->id == RLK_PLAIN ? request : rlk_kind_translate(kind, request, words);
}

#endif
