/*
 * rlk_reply: one reply of a server, read by hiredis into memory that is already there.
 *
 * hiredis parses; instead of its own objects it fills a fixed store, so that a
 * reply costs no allocation. Everything we ask for is small: a text beyond
 * RLK_REPLY_TEXT_MAX is cut, an array beyond RLK_REPLY_ITEMS_MAX loses its tail.
 * A reply stays valid until the next one is read.
 */
#ifndef RLK_REPLY_H
#define RLK_REPLY_H

#include "base/rlk_error.h"
#include "base/rlk_str.h"

#include <stdint.h>

#define RLK_REPLY_ITEMS_MAX 8
#define RLK_REPLY_TEXT_MAX 2048
/* More than this for one reply is not an answer to anything we ask. */
#define RLK_REPLY_BYTES_MAX 65536

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
	rlk_str text;           /* STATUS, ERROR, STRING */
	const rlk_reply *items; /* ARRAY */
	size_t count;           /* ARRAY: items that are there */
};

typedef struct rlk_reader rlk_reader;

/* NULL: memory is out. */
rlk_reader *rlk_reader_new(void);
void rlk_reader_free(rlk_reader *reader);

/* Hands over bytes from the socket. false: memory is out or the peer sends more than any reply of ours has. */
bool rlk_reader_feed(rlk_reader *reader, const char *data, size_t len, rlk_error *err);

/* The next complete reply, or NULL: incomplete, or an error when *err says so. */
const rlk_reply *rlk_reader_next(rlk_reader *reader, rlk_error *err);

/* Has the peer ever said anything? */
bool rlk_reader_has_heard(const rlk_reader *reader);

/* Is there nothing behind the last reply? What is there answers a question nobody asked. */
bool rlk_reader_is_empty(const rlk_reader *reader);

/* What a server that has as many clients as it takes tells one more, with more words behind it. */
#define RLK_REPLY_TURNED_AWAY "ERR max number of clients"

/* Is this an error reply that starts with this code, e.g. "NOSCRIPT"? */
bool rlk_reply_is_error(const rlk_reply *reply, const char *code);

/* Does an error reply say that this command, in lower-case letters, is unknown, or not for this user? Only by its name in
 * quotes: a host, a user or a key may be named likewise. */
bool rlk_reply_refuses(const rlk_reply *reply, const char *command);

/* The same of EVAL or EVALSHA. */
bool rlk_reply_refuses_scripts(const rlk_reply *reply);

/* The same of whichever command was asked for, or of its keys. */
bool rlk_reply_refuses_any(const rlk_reply *reply);

/* Turns an error reply into *err: RLK_ERR_AUTH for NOAUTH, WRONGPASS, NOPERM;
 * RLK_ERR_SPLIT for TRYAGAIN; RLK_ERR_SERVER otherwise. */
void rlk_reply_to_error(const rlk_reply *reply, rlk_error *err);

#endif
