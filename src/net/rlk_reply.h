/*
 * rlk_reply: reads the replies of a server, and knows what they mean.
 *
 * Nearly all replies are short, and are read where they arrived (rlk_resp.h). hiredis reads the others, into a fixed
 * store: a text beyond RLK_REPLY_TEXT_MAX is cut, and an array beyond RLK_REPLY_ITEMS_MAX loses its tail. A reply is
 * valid until the next one is read. The renewal child, which has no heap, does without hiredis.
 */
#ifndef RLK_REPLY_H
#define RLK_REPLY_H

#include "base/rlk_error.h"
#include "net/rlk_resp.h"

#define RLK_REPLY_TEXT_MAX 4096
/* Nothing we ask for has a longer reply. */
#define RLK_REPLY_BYTES_MAX 65536

typedef struct {
	struct redisReader *parser; /* NULL: not needed yet */
	bool no_heap;               /* replies longer than `buffer` are refused */
	bool resp3;                 /* the server may speak RESP3; with no_heap only */
	bool pushed;                /* `root` is a push that nobody has taken */
	bool broken;                /* no reply can follow; rlk_reader_next() has said why */
	bool in_parser;             /* the unread bytes are with hiredis, else in `buffer` */
	size_t unread;              /* bytes received since the last complete reply */
	size_t buffer_at, buffer_len;
	rlk_reply root;
	rlk_reply items[RLK_REPLY_ITEMS_MAX];
	size_t text_used;
	char text[RLK_REPLY_TEXT_MAX]; /* of a reply that hiredis has read */
	char buffer[RLK_REPLY_TEXT_MAX];
} rlk_reader;

/* NULL: out of memory. */
rlk_reader *rlk_reader_new(void);
void rlk_reader_free(rlk_reader *reader);

/* Forgets all that was received. Also prepares a reader in the caller's memory for its first use. */
void rlk_reader_reset(rlk_reader *reader);

/* The rare part of rlk_reader_room() and rlk_reader_received(): hands the buffer to hiredis, if the buffer is full or
 * hiredis has the earlier bytes. false: out of memory, or the reply is too long. */
bool rlk_reader_make_room(rlk_reader *reader, rlk_error *err);
bool rlk_reader_pass_on(rlk_reader *reader, rlk_error *err);

/* Returns where the next bytes from the socket go, and sets how many may come, >= 1. Ends the validity of the last
 * reply. NULL: as above. */
static inline char *rlk_reader_room(rlk_reader *reader, size_t *room, rlk_error *err)
{
	if (reader->unread == 0)
		reader->buffer_at = reader->buffer_len = 0;
	else if (!rlk_reader_make_room(reader, err))
		return NULL;
	*room = RLK_REPLY_TEXT_MAX - reader->buffer_len;
	return reader->buffer + reader->buffer_len;
}

/* Tells the reader that `len` bytes are where rlk_reader_room() said. false: as above. */
static inline bool rlk_reader_received(rlk_reader *reader, size_t len, rlk_error *err)
{
	reader->unread += len;
	reader->buffer_len += len;
	return !reader->in_parser || rlk_reader_pass_on(reader, err);
}

/* The next complete reply; NULL: none is complete, a push has come in front of it, or the reader is broken and *err says
 * why. */
const rlk_reply *rlk_reader_next(rlk_reader *reader, rlk_error *err);

/* Called after that: returns the push, once. NULL: none has come. */
const rlk_reply *rlk_reader_take_push(rlk_reader *reader);

/* Are there no bytes behind the last reply? */
static inline bool rlk_reader_is_empty(const rlk_reader *reader)
{
	return reader->unread == 0;
}

/* Does the reply to ROLE name a master? Also true when the user may not ask. */
bool rlk_reply_is_master(const rlk_reply *reply);

/* The beginning of the error of a server at its `maxclients`. */
#define RLK_REPLY_TURNED_AWAY "ERR max number of clients"

/* Is the reply +OK? Within MULTI a server answers +QUEUED. */
static inline bool rlk_reply_is_ok(const rlk_reply *reply)
{
	return reply->type == RLK_REPLY_STATUS && rlk_str_equal(reply->text, RLK_STR("OK"));
}

/* Is the reply a number from `least` to `most`? */
static inline bool rlk_reply_is_within(const rlk_reply *reply, int64_t least, int64_t most)
{
	return reply->type == RLK_REPLY_INTEGER && reply->integer >= least && reply->integer <= most;
}

/* Sets *err: the reply does not fit the request. */
void rlk_reply_misfit(rlk_error *err);

/* Is this an error reply that starts with this code, e.g. "NOSCRIPT"? */
bool rlk_reply_is_error(const rlk_reply *reply, const char *code);

/* Does the server not know EVAL or EVALSHA, or does this user lack the right to it? */
bool rlk_reply_refuses_scripts(const rlk_reply *reply);

/* Does the server not know the command, or does this user lack the right to it or to its keys? */
bool rlk_reply_refuses_any(const rlk_reply *reply);

/* Turns an error reply into *err: RLK_ERR_AUTH for NOAUTH, WRONGPASS, NOPERM, and where scripts are refused;
 * RLK_ERR_SPLIT for TRYAGAIN; RLK_ERR_SERVER otherwise. */
void rlk_reply_to_error(const rlk_reply *reply, rlk_error *err);

#endif
