/*
 * rlk_resp: RESP2 requests out, replies in, in memory the caller has.
 *
 * Nothing here allocates except rlk_resp_append(), so that the renewal child
 * can use the rest. rlk_reply.h reads from a connection with it.
 */
#ifndef RLK_RESP_H
#define RLK_RESP_H

#include "base/rlk_str.h"

#include <stdint.h>

/* Bytes a number takes in decimal, sign and NUL included. */
#define RLK_RESP_INT_MAX 24

/* Writes value in decimal into buf (RLK_RESP_INT_MAX bytes) and returns it as a string in there. */
rlk_str rlk_resp_int(int64_t value, char *buf);

/* Bytes that rlk_resp_write() will write for this request. */
size_t rlk_resp_size(const rlk_str *argv, size_t argc);

/* Writes one request as an array of bulk strings and returns the byte behind it. */
char *rlk_resp_write(char *out, const rlk_str *argv, size_t argc);

/* Appends one request. false: memory is out, the buffer is unchanged. */
bool rlk_resp_append(rlk_buf *buf, const rlk_str *argv, size_t argc);

#define RLK_REPLY_ITEMS_MAX 8

typedef enum {
	RLK_REPLY_STATUS,
	RLK_REPLY_ERROR,
	RLK_REPLY_INTEGER,
	RLK_REPLY_STRING,
	RLK_REPLY_NIL,
	RLK_REPLY_ARRAY
} rlk_reply_type;

typedef struct rlk_reply rlk_reply;
struct rlk_reply {
	rlk_reply_type type;
	int64_t integer;        /* INTEGER, else 0 */
	rlk_str text;           /* STATUS, ERROR, STRING: points into the scanned bytes */
	const rlk_reply *items; /* ARRAY; NULL inside another one */
	size_t count;           /* ARRAY: items that are there; 0 inside another one */
};

/* Reads one reply from the start of data. An array has its first RLK_REPLY_ITEMS_MAX items put there; what an array inside
 * it holds is passed over. Returns the bytes it takes, 0 when it is not complete yet, -1 when it is no RESP2 (garbage, a
 * number out of range), or has more values than anything we ask for. */
long rlk_resp_scan(const char *data, size_t len, rlk_reply *reply, rlk_reply items[RLK_REPLY_ITEMS_MAX]);

#endif
