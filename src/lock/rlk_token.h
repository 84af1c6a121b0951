/*
 * rlk_token: who holds a lock, as the value of its key.
 *
 *     rlk1:<host>:<pid>:<label>:<32 hex digits>        a holder
 *     rlk1:<host>:<pid>:<label>:<32 hex digits>:done   a lock at rest (hold_at_least, linger)
 *
 * `rlk1` is the version of the format, and tells other clients that this holder wakes waiters when it releases. Host and
 * label are percent-encoded outside [A-Za-z0-9._-], so the fields never contain a colon. The digits are 128 bits from the
 * system's CSPRNG: host and pid repeat across containers.
 */
#ifndef RLK_TOKEN_H
#define RLK_TOKEN_H

#include "base/rlk_error.h"
#include "base/rlk_str.h"

#define RLK_TOKEN_HOST_MAX 64  /* bytes of the host name that are shown */
#define RLK_TOKEN_LABEL_MAX 64 /* bytes of the label, before encoding */
#define RLK_TOKEN_MAX 512      /* longest token, NUL included */

typedef struct {
	char host[RLK_TOKEN_HOST_MAX + 1];   /* decoded */
	char label[RLK_TOKEN_LABEL_MAX + 1]; /* decoded, "" when none */
	long pid;
	bool resting;
} rlk_token_info;

/* Writes a fresh token and returns its length; 0: no random source, *err says so. Too long a label is cut. */
size_t rlk_token_make(char out[RLK_TOKEN_MAX], rlk_str label, bool resting, rlk_error *err);

/* Was the token made by this process? Host and pid tell, which are the same in containers that share the name of the
 * host. */
bool rlk_token_is_own(rlk_str token);

/* Reads a token of our format. false: it has another format, *info is zeroed. */
bool rlk_token_parse(rlk_str token, rlk_token_info *info);

#endif
