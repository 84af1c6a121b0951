/*
 * rlk_resp: writes RESP2 requests and scans replies, in memory of the caller.
 *
 * Only the buffer of rlk_resp_append() may grow, so the renewal child can use all of it. rlk_reply.h reads from a
 * connection with it. With the writer of hiredis, which allocates, a pair of acquire and release takes 5.7 % more of
 * the client's processor (5.1 to 6.6, 120 paired rounds). Its reader alone takes 1.2 % (0.6 to 2.2), but the child,
 * which must not allocate, needs the scanner anyway.
 */
#ifndef RLK_RESP_H
#define RLK_RESP_H

#include "base/rlk_str.h"

#include <stdint.h>

/* Bytes a number takes in decimal, sign and NUL included. */
#define RLK_RESP_INT_MAX 24

/* Writes value in decimal into buf (RLK_RESP_INT_MAX bytes) and returns it as a string in there. */
rlk_str rlk_resp_int(int64_t value, char *buf);

/* Appends one request, an array of bulk strings. false: out of memory, the buffer is unchanged. */
bool rlk_resp_append(rlk_buf *buf, const rlk_str *argv, size_t argc);

#define RLK_REPLY_ITEMS_MAX 8

typedef enum {
	RLK_REPLY_STATUS,
	RLK_REPLY_ERROR,
	RLK_REPLY_INTEGER,
	RLK_REPLY_STRING,
	RLK_REPLY_NIL,
	RLK_REPLY_ARRAY,
	RLK_REPLY_PUSH /* RESP3: the server sends it unasked; as ARRAY */
} rlk_reply_type;

typedef struct rlk_reply rlk_reply;
struct rlk_reply {
	rlk_reply_type type;
	int64_t integer;        /* INTEGER, else 0 */
	rlk_str text;           /* STATUS, ERROR, STRING: points into the scanned bytes */
	const rlk_reply *items; /* ARRAY; NULL for one inside another */
	size_t count;           /* ARRAY: items kept; 0 for one inside another */
};

/* Reads one reply from the start of data. The first RLK_REPLY_ITEMS_MAX items of an array go to `items`; the values of
 * an array inside it are skipped. Returns the bytes that the reply takes; 0: it is not complete yet; -1: it is no RESP2
 * (garbage, a number out of range), or has more values than any reply that we ask for.
 *
 * `resp3`: the server may speak RESP3. A map or a set is an ARRAY, types without a name here are a STATUS. The text of an
 * array inside another is its last value, if that is a text. */
long rlk_resp_scan(const char *data, size_t len, bool resp3, rlk_reply *reply, rlk_reply items[RLK_REPLY_ITEMS_MAX]);

#endif
