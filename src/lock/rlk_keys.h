/*
 * rlk_keys: the keys that belong to a lock.
 *
 * Lock key: prefix + name. Helper keys live beside it: they start with the
 * same prefix (one ACL pattern serves both) and hash to the same Cluster slot
 * (one script may touch both):
 *
 *     name or prefix has a hash tag     prefix name suffix             app:{u1}:job:rlk:fence
 *     otherwise                         prefix { prefix name } suffix  app:{app:job}:rlk:fence
 *
 * The whole lock key stands in the braces, since that is what the server
 * hashes. A name for which neither form ends in the same slot (it contains
 * "}", say) has no helper keys.
 */
#ifndef RLK_KEYS_H
#define RLK_KEYS_H

#include "base/rlk_buf.h"

#define RLK_KEYS_SIGNAL ":rlk:signal"
#define RLK_KEYS_WAITERS ":rlk:waiters"
#define RLK_KEYS_FENCE ":rlk:fence"

/* Appends the lock key. false: memory is out. */
bool rlk_keys_lock(rlk_buf *out, rlk_str prefix, rlk_str name);

/* Appends a helper key to an empty buffer; leaves it empty when this name has none. false: memory is out. */
bool rlk_keys_helper(rlk_buf *out, rlk_str prefix, rlk_str name, const char *suffix);

/* The key of the signal list from that of the waiters key, in a place as long as the waiters key's. Allocates nothing. */
rlk_str rlk_keys_signal(rlk_str waiters, char *out);

#endif
