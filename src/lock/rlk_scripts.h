/*
 * rlk_scripts: the Lua scripts of lua/, embedded, and the names of their results.
 *
 * Keys, arguments and results are described at the top of each script. Those that begin with set_ are for locks that several may
 * hold; those that stand in for the script of a plain lock (rlk_kind.c) have its results. The server gets the script without its comments.
 * The text never depends on the arguments, so a server keeps one copy of each. Any script may also answer with an error of
 * the server.
 */
#ifndef RLK_SCRIPTS_H
#define RLK_SCRIPTS_H

#include "redis/rlk_exchange.h"

extern const rlk_script rlk_script_acquire_fence;
extern const rlk_script rlk_script_check;
extern const rlk_script rlk_script_extend;
extern const rlk_script rlk_script_force_release;
extern const rlk_script rlk_script_holder;
extern const rlk_script rlk_script_join;
extern const rlk_script rlk_script_lengthen;
extern const rlk_script rlk_script_owned;
extern const rlk_script rlk_script_release;
extern const rlk_script rlk_script_renew;
extern const rlk_script rlk_script_set_check;
extern const rlk_script rlk_script_set_downgrade;
extern const rlk_script rlk_script_set_extend;
extern const rlk_script rlk_script_set_free;
extern const rlk_script rlk_script_set_holders;
extern const rlk_script rlk_script_set_join;
extern const rlk_script rlk_script_set_lengthen;
extern const rlk_script rlk_script_set_owned;
extern const rlk_script rlk_script_set_release;
extern const rlk_script rlk_script_set_take;
extern const rlk_script rlk_script_set_try;
extern const rlk_script rlk_script_set_upgrade;

/* All of them, in the order of their names. */
#define RLK_SCRIPTS_COUNT 22
extern const rlk_script *const rlk_scripts_all[RLK_SCRIPTS_COUNT];

/* release.lua; AGAIN: it is free now, and to be said again with an empty token */
enum { RLK_SCRIPT_RELEASE_NOT_OURS, RLK_SCRIPT_RELEASE_RELEASED, RLK_SCRIPT_RELEASE_AGAIN };

/* extend.lua; lengthen.lua and renew.lua have one more: the key had a longer TTL than asked for, or none, and keeps it. */
enum { RLK_SCRIPT_EXTEND_NOT_OURS = 0, RLK_SCRIPT_EXTEND_EXTENDED = 1, RLK_SCRIPT_RENEW_HAS_MORE = 2 };

/* force_release.lua, set_free.lua */
enum { RLK_SCRIPT_FORCE_RELEASE_NO_LOCK = -1, RLK_SCRIPT_FORCE_RELEASE_NO_KEY, RLK_SCRIPT_FORCE_RELEASE_DELETED };

/* owned.lua: any other answer is the time left in ms. */
enum { RLK_SCRIPT_OWNED_NOT_OURS = -2, RLK_SCRIPT_OWNED_NO_EXPIRY = -1 };

/* holder.lua: nil, or an array of RLK_SCRIPT_HOLDER_FIELDS elements in this order. */
enum {
	RLK_SCRIPT_HOLDER_VALUE,  /* string, cut to RLK_SCRIPT_HOLDER_VALUE_MAX bytes; "" when the key is not a string */
	RLK_SCRIPT_HOLDER_PTTL,   /* ms left, -1 no expiry */
	RLK_SCRIPT_HOLDER_WAITED, /* 1: somebody waits, 0: nobody does, or no waiters key was asked about */
	RLK_SCRIPT_HOLDER_FIELDS
};
#define RLK_SCRIPT_HOLDER_VALUE_MAX 1024

/* acquire_fence.lua: any other answer is the new fence, 1 or above. */
enum { RLK_SCRIPT_ACQUIRE_FENCE_HELD = 0 };

/* set_holders.lua: nil, or an array of RLK_SCRIPT_HOLDERS_FIELDS elements in this order. */
enum {
	RLK_SCRIPT_HOLDERS_WAITED, /* as RLK_SCRIPT_HOLDER_WAITED */
	RLK_SCRIPT_HOLDERS_NEXT,   /* the number to ask with for more; 0: these were the last */
	RLK_SCRIPT_HOLDERS_TEXT, /* string, of each holder: ms left, weight, length of the value, the value cut as above */
	RLK_SCRIPT_HOLDERS_FIELDS
};

/* join.lua: an array of RLK_SCRIPT_JOIN_FIELDS numbers in this order. */
enum {
	RLK_SCRIPT_JOIN_GOT,  /* 0: held by someone else; else the fence, 1 when none was asked for */
	RLK_SCRIPT_JOIN_PTTL, /* of the holder: ms left, -1 no expiry */
	RLK_SCRIPT_JOIN_WAKES, /* 1: the holder wakes somebody when it ends, 0: it does not, 2: acquire the turnstile first */
	RLK_SCRIPT_JOIN_PAUSE, /* ms until the first check; 0: none is needed. check.lua answers the same */
	RLK_SCRIPT_JOIN_FIELDS
};

/* release.lua relies on this: no waiters key lives longer, and the signal list lives at least as long as the waiters key. */
#define RLK_SCRIPT_WAITERS_MAX_MS 61000

#endif
