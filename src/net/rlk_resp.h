/*
 * rlk_resp: RESP2 requests out, flat replies in, in memory the caller has.
 *
 * Nothing here allocates except rlk_resp_append(), so that the renewal child
 * can use the rest. The parent reads with the scanner below what is short and
 * flat, and leaves the rest to hiredis (rlk_reply.h).
 */
#ifndef RLK_RESP_H
#define RLK_RESP_H

#include "base/rlk_buf.h"

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

typedef enum {
	RLK_RESP_STATUS,
	RLK_RESP_ERROR,
	RLK_RESP_INTEGER,
	RLK_RESP_BULK,
	RLK_RESP_NIL,
	RLK_RESP_ARRAY /* of rlk_resp_scan_any() alone */
} rlk_resp_type;

typedef struct {
	rlk_resp_type type;
	int64_t integer; /* INTEGER, else 0 */
	rlk_str text;    /* STATUS, ERROR, BULK: points into the scanned bytes */
} rlk_resp_flat;

#define RLK_RESP_ITEMS_MAX 2
#define RLK_RESP_VALUES_MAX 1024

/* A reply that may be an array. Of that the first values are kept, in the order in which they came, whatever arrays they
 * are in: the two of an address, the first one of a role. */
typedef struct {
	rlk_resp_type type;
	int64_t integer;
	rlk_str text;
	size_t count; /* items that are there */
	rlk_resp_flat items[RLK_RESP_ITEMS_MAX];
} rlk_resp_any;

/* As rlk_resp_scan() for any reply; -1 also for an array with more values than anything we ask for has. */
long rlk_resp_scan_any(const char *data, size_t len, rlk_resp_any *reply);

/* Reads one flat reply from the start of data. Returns the bytes it takes, 0 when it is not complete yet,
 * -1 when it is not a flat RESP2 reply (garbage, an array, a number out of range). */
long rlk_resp_scan(const char *data, size_t len, rlk_resp_flat *reply);

/* Reads the header of an array, which data starts with '*'. Returns as rlk_resp_scan(); *size is -1 for the array that is
 * none. */
long rlk_resp_scan_array(const char *data, size_t len, int64_t *size);

#endif
