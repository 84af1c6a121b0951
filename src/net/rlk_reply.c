/*
 * rlk_reply: the adapter between hiredis' parser and a fixed store.
 *
 * Most replies are short, flat and come in one piece. Those are read where they
 * are by the scanner the renewal child has; pieces, nested and long arrays and
 * whatever looks wrong are for hiredis.
 *
 * Invariant: between two calls of rlk_reader_next() the store holds the last
 * complete reply, or the beginning of the one being read; and bytes that were
 * not read yet are either all in `recent` or all with hiredis.
 */
#include "net/rlk_reply.h"

#include "net/rlk_resp.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>

#if defined(HIREDIS_MAJOR) && HIREDIS_MAJOR >= 1
typedef size_t rlk_hiredis_count;
#else
typedef int rlk_hiredis_count;
#endif

/* Of a server's error, in a message. */
#define SHOWN_MAX 200

/* Longer than the replies that are frequent: a status, a number, a token. */
#define RECENT_MAX 512

struct rlk_reader {
	redisReader *parser;
	bool heard;    /* something was fed */
	size_t unread; /* bytes fed since the last complete reply */
	size_t recent_at, recent_len;
	char recent[RECENT_MAX];
	rlk_reply root;
	rlk_reply items[RLK_REPLY_ITEMS_MAX];
	size_t text_used;
	char text[RLK_REPLY_TEXT_MAX];
};

/* Where hiredis puts what it parsed: the root, an item of the root array, or, for what does not fit
 * or is nested deeper than anything we ask for, a place nobody reads. */
static rlk_reply *place(const redisReadTask *task)
{
	rlk_reader *reader = task->privdata;
	rlk_reply *to = &reader->root;

	if (task->parent == NULL) {
		reader->text_used = 0;
	} else if (task->parent->parent == NULL && task->idx >= 0 && task->idx < RLK_REPLY_ITEMS_MAX) {
		to = &reader->items[task->idx];
		if (reader->root.count <= (size_t)task->idx)
			reader->root.count = (size_t)task->idx + 1;
	} else {
		static _Thread_local rlk_reply nowhere;
		to = &nowhere;
	}
	memset(to, 0, sizeof(*to));
	return to;
}

static void *create_string(const redisReadTask *task, char *text, size_t len)
{
	rlk_reply *to = place(task);
	rlk_reader *reader = task->privdata;
	size_t room = RLK_REPLY_TEXT_MAX - reader->text_used;

	if (len > room)
		len = room;
	memcpy(reader->text + reader->text_used, text, len);
	to->text = rlk_str_make(reader->text + reader->text_used, len);
	reader->text_used += len;
	to->type = task->type == REDIS_REPLY_STATUS ? RLK_REPLY_STATUS :
		task->type == REDIS_REPLY_ERROR         ? RLK_REPLY_ERROR :
												  RLK_REPLY_STRING;
	return to;
}

static void *create_array(const redisReadTask *task, rlk_hiredis_count count)
{
	rlk_reply *to = place(task);
	rlk_reader *reader = task->privdata;

	(void)count; /* counted as the items arrive */
	to->type = RLK_REPLY_ARRAY;
	to->items = to == &reader->root ? reader->items : NULL;
	return to;
}

static void *create_integer(const redisReadTask *task, long long value)
{
	rlk_reply *to = place(task);

	to->type = RLK_REPLY_INTEGER;
	to->integer = value;
	return to;
}

static void *create_nil(const redisReadTask *task)
{
	rlk_reply *to = place(task);

	to->type = RLK_REPLY_NIL;
	return to;
}

static void free_nothing(void *reply)
{
	(void)reply;
}

static redisReplyObjectFunctions functions = {
	.createString = create_string,
	.createArray = create_array,
	.createInteger = create_integer,
	.createNil = create_nil,
	.freeObject = free_nothing,
};

rlk_reader *rlk_reader_new(void)
{
	rlk_reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	reader->parser = redisReaderCreateWithFunctions(&functions);
	if (reader->parser == NULL) {
		free(reader);
		return NULL;
	}
	reader->parser->privdata = reader;
	return reader;
}

void rlk_reader_free(rlk_reader *reader)
{
	if (reader == NULL)
		return;
	redisReaderFree(reader->parser);
	free(reader);
}

static bool give(rlk_reader *reader, const char *data, size_t len, rlk_error *err)
{
	if (redisReaderFeed(reader->parser, data, len) == REDIS_OK)
		return true;
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory while reading a reply");
	return false;
}

/* What is left of the recent bytes goes to hiredis. */
static bool pass_on(rlk_reader *reader, rlk_error *err)
{
	size_t at = reader->recent_at, len = reader->recent_len - at;

	reader->recent_at = reader->recent_len = 0;
	return len == 0 || give(reader, reader->recent + at, len, err);
}

bool rlk_reader_feed(rlk_reader *reader, const char *data, size_t len, rlk_error *err)
{
	reader->heard = true;
	reader->unread += len;
	if (reader->unread > RLK_REPLY_BYTES_MAX) {
		rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the server sent a reply of more than %d bytes", RLK_REPLY_BYTES_MAX);
		return false;
	}
	if (reader->unread == len && len <= RECENT_MAX) {
		memcpy(reader->recent, data, len);
		reader->recent_at = 0;
		reader->recent_len = len;
		return true;
	}
	return pass_on(reader, err) && give(reader, data, len, err);
}

/* Reads one value of the recent bytes that is no array. Returns as rlk_resp_scan(). */
static long scan_flat(const rlk_reader *reader, size_t at, rlk_reply *to)
{
	static const rlk_reply_type types[] = {
		[RLK_RESP_STATUS] = RLK_REPLY_STATUS,
		[RLK_RESP_ERROR] = RLK_REPLY_ERROR,
		[RLK_RESP_INTEGER] = RLK_REPLY_INTEGER,
		[RLK_RESP_BULK] = RLK_REPLY_STRING,
		[RLK_RESP_NIL] = RLK_REPLY_NIL,
	};
	rlk_resp_flat flat;
	long used = rlk_resp_scan(reader->recent + at, reader->recent_len - at, &flat);

	if (used <= 0)
		return used;
	*to = (rlk_reply){ .type = types[flat.type], .integer = flat.integer };
	if (flat.type != RLK_RESP_INTEGER)
		to->text = flat.text;
	return used;
}

/* The same for a short array of such values: what BLPOP answers, and join.lua. */
static long scan_array(rlk_reader *reader, size_t at)
{
	int64_t count;
	long used = rlk_resp_scan_array(reader->recent + at, reader->recent_len - at, &count), all = used;

	if (used <= 0 || count < 1 || count > RLK_REPLY_ITEMS_MAX)
		return used <= 0 ? used : -1;
	for (int64_t i = 0; i < count; i++, all += used) {
		used = scan_flat(reader, at + (size_t)all, &reader->items[i]);
		if (used <= 0)
			return used;
	}
	reader->root = (rlk_reply){ .type = RLK_REPLY_ARRAY, .items = reader->items, .count = (size_t)count };
	return all;
}

/* The next of the recent bytes as a reply; NULL: hiredis has to read them. */
static const rlk_reply *next_flat(rlk_reader *reader)
{
	size_t at = reader->recent_at;
	bool array = at < reader->recent_len && reader->recent[at] == '*';
	long used = array ? scan_array(reader, at) : scan_flat(reader, at, &reader->root);

	if (used <= 0)
		return NULL;
	reader->recent_at += (size_t)used;
	reader->unread -= (size_t)used;
	return &reader->root;
}

const rlk_reply *rlk_reader_next(rlk_reader *reader, rlk_error *err)
{
	const rlk_reply *flat = next_flat(reader);
	void *reply = NULL;

	if (flat != NULL)
		return flat;
	if (!pass_on(reader, err))
		return NULL;
	/* For a true/false or a decimal of RESP3, unasked, newer versions of hiredis return something that is no pointer. */
	if (redisReaderGetReply(reader->parser, &reply) != REDIS_OK || (reply != NULL && reply != &reader->root)) {
		/* hiredis' own text quotes the byte it stumbled over; what the peer sent stays out of messages. */
		rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the peer does not speak the Redis protocol");
		return NULL;
	}
	if (reply == NULL)
		return NULL;
	reader->unread = reader->parser->len - reader->parser->pos;
	return reply;
}

bool rlk_reader_has_heard(const rlk_reader *reader)
{
	return reader->heard;
}

bool rlk_reader_is_empty(const rlk_reader *reader)
{
	return reader->unread == 0;
}

bool rlk_reply_is_error(const rlk_reply *reply, const char *code)
{
	size_t len = strlen(code);

	return reply->type == RLK_REPLY_ERROR && rlk_str_starts_with(reply->text, rlk_str_make(code, len)) &&
		(reply->text.len == len || reply->text.data[len] == ' ');
}

/* Before Redis 7 the error of a command in a script is the end of another: "ERR Error running script (call to f_...):
 * @user_script:12: @user_script: 12: -READONLY ...". */
static rlk_reply unwrapped(const rlk_reply *reply)
{
	rlk_reply inner = *reply;

	if (!rlk_str_starts_with(reply->text, RLK_STR("ERR Error running script")))
		return inner;
	for (size_t i = reply->text.len; i-- > 3;) {
		if (memcmp(reply->text.data + i - 3, ": -", 3) == 0) {
			inner.text = rlk_str_make(reply->text.data + i, reply->text.len - i);
			break;
		}
	}
	return inner;
}

/* The name in quotes behind the first occurrence of these words. Empty: there is none. */
static rlk_str quoted_behind(rlk_str text, rlk_str words)
{
	for (size_t at = 0; at + words.len + 1 < text.len; at++) {
		const char *name = text.data + at + words.len + 1, *end;
		char quote = name[-1];

		if (memcmp(text.data + at, words.data, words.len) != 0)
			continue;
		if (quote != '\'' && quote != '`')
			break;
		end = memchr(name, quote, text.len - (size_t)(name - text.data));
		return rlk_str_make(name, end != NULL ? (size_t)(end - name) : 0);
	}
	return RLK_STR("");
}

/* The command that an error reply refuses. Empty: it says something else. Redis has put what it does not know into
 * backticks, and has worded the first half of NOPERM in several ways, with the name of a user in it. */
static rlk_str refused(const rlk_reply *reply)
{
	if (rlk_reply_is_error(reply, "NOPERM"))
		return quoted_behind(reply->text, RLK_STR(" run the "));
	if (reply->type == RLK_REPLY_ERROR && rlk_str_starts_with(reply->text, RLK_STR("ERR unknown ")))
		return quoted_behind(reply->text, RLK_STR("command "));
	return RLK_STR("");
}

bool rlk_reply_refuses(const rlk_reply *reply, const char *command)
{
	rlk_str name = refused(reply);
	size_t same = 0;

	while (same < name.len && command[same] != '\0' && (name.data[same] | 0x20) == command[same])
		same++;
	return name.len > 0 && same == name.len && command[same] == '\0';
}

bool rlk_reply_refuses_scripts(const rlk_reply *reply)
{
	return reply->type == RLK_REPLY_ERROR && (rlk_reply_refuses(reply, "eval") || rlk_reply_refuses(reply, "evalsha"));
}

bool rlk_reply_refuses_any(const rlk_reply *reply)
{
	return rlk_reply_is_error(reply, "NOPERM") ||
		(reply->type == RLK_REPLY_ERROR && rlk_str_starts_with(reply->text, RLK_STR("ERR unknown ")));
}

/* Server states that pass, by themselves or when somebody mends the server. */
static bool is_transient(const rlk_reply *reply)
{
	static const char *const codes[] = { "LOADING", "BUSY", "MASTERDOWN", "TRYAGAIN", "CLUSTERDOWN", "READONLY", "OOM",
		"MISCONF", "NOREPLICAS", RLK_REPLY_TURNED_AWAY };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (rlk_reply_is_error(reply, codes[i]))
			return true;
	}
	return false;
}

void rlk_reply_to_error(const rlk_reply *reply, rlk_error *err)
{
	bool auth = rlk_reply_is_error(reply, "NOAUTH") || rlk_reply_is_error(reply, "WRONGPASS") ||
		rlk_reply_is_error(reply, "NOPERM");
	bool split = rlk_reply_is_error(reply, "TRYAGAIN");
	size_t len = reply->text.len < SHOWN_MAX ? reply->text.len : SHOWN_MAX;
	char shown[SHOWN_MAX];

	for (size_t i = 0; i < len; i++) {
		char c = reply->text.data[i];

		shown[i] = (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
	}
	rlk_error_set(err,
		auth      ? RLK_ERR_AUTH :
			split ? RLK_ERR_SPLIT :
					RLK_ERR_SERVER,
		0, "the server answered: %.*s", (int)len, shown);
	if (err != NULL && !auth) {
		rlk_reply inner = unwrapped(reply);

		err->retryable = is_transient(&inner);
	}
}
