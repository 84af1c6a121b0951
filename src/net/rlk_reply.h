/*
 * rlk_reply: the replies of a server, read into memory that is already there, and what they mean.
 *
 * Nearly all are short, and are read where they arrived (rlk_resp.h). hiredis
 * reads the others; instead of its own objects it fills a fixed store. Everything
 * we ask for is small: there a text beyond RLK_REPLY_TEXT_MAX is cut, and any
 * array beyond RLK_REPLY_ITEMS_MAX loses its tail. A reply stays valid until the
 * next one is read. The renewal child, which has no heap, does without hiredis.
 */
#ifndef RLK_REPLY_H
#define RLK_REPLY_H

#include "base/rlk_error.h"
#include "net/rlk_resp.h"

#define RLK_REPLY_TEXT_MAX 4096
/* More than this for one reply is not an answer to anything we ask. */
#define RLK_REPLY_BYTES_MAX 65536

typedef struct {
	struct redisReader *parser; /* NULL: it was not needed yet */
	bool no_heap;               /* replies longer than `recent` are refused */
	bool heard;                 /* something was fed */
	bool passed_on;             /* what is unread is with hiredis, else in `recent` */
	size_t unread;              /* bytes fed since the last complete reply */
	size_t recent_at, recent_len;
	rlk_reply root;
	rlk_reply items[RLK_REPLY_ITEMS_MAX];
	size_t text_used;
	char text[RLK_REPLY_TEXT_MAX]; /* of what hiredis has read */
	char recent[RLK_REPLY_TEXT_MAX];
} rlk_reader;

/* NULL: memory is out. */
rlk_reader *rlk_reader_new(void);
void rlk_reader_free(rlk_reader *reader);

/* Forgets all that was fed. For a reader in memory of the caller's, who has no heap, before its first use, too. */
void rlk_reader_reset(rlk_reader *reader);

/* Hands over bytes from the socket. false: memory is out or the peer sends more than any reply of ours has. */
bool rlk_reader_feed(rlk_reader *reader, const char *data, size_t len, rlk_error *err);

/* The next complete reply, or NULL: incomplete, or an error when *err says so. */
const rlk_reply *rlk_reader_next(rlk_reader *reader, rlk_error *err);

/* Is there nothing behind the last reply? What is there answers a question nobody asked. */
static inline bool rlk_reader_is_empty(const rlk_reader *reader)
{
	return reader->unread == 0;
}

/* Does the answer to ROLE say that the server is a master? A user without the right to ask has to do without. */
bool rlk_reply_is_master(const rlk_reply *reply);

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
