/*
 * rlk_reply: see the header. The first half adapts the parser of hiredis to a fixed store.
 *
 * Invariant: between two calls of rlk_reader_next() the store has the last complete reply, or the beginning of the one
 * that hiredis reads. The unread bytes are either all in `buffer` or all with hiredis.
 */
#include "net/rlk_reply.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>

#if defined(HIREDIS_MAJOR) && HIREDIS_MAJOR >= 1
typedef size_t rlk_hiredis_count;
#else
typedef int rlk_hiredis_count;
#endif

/* Bytes of a server's error that go into a message. */
#define SHOWN_MAX 200

/* The place for a value that hiredis has parsed: the root, an item of the root array, or none, if the value does not
 * fit or is nested deeper than any reply that we ask for. */
static rlk_reply *target(const redisReadTask *task, rlk_reply_type type)
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
	*to = (rlk_reply){ .type = type };
	return to;
}

static void *create_string(const redisReadTask *task, char *text, size_t len)
{
	rlk_reply *to = target(task,
		task->type == REDIS_REPLY_STATUS    ? RLK_REPLY_STATUS :
			task->type == REDIS_REPLY_ERROR ? RLK_REPLY_ERROR :
											  RLK_REPLY_STRING);
	rlk_reader *reader = task->privdata;
	size_t room = RLK_REPLY_TEXT_MAX - reader->text_used;

	if (len > room)
		len = room;
	memcpy(reader->text + reader->text_used, text, len);
	to->text = rlk_str_make(reader->text + reader->text_used, len);
	reader->text_used += len;
	return to;
}

static void *create_array(const redisReadTask *task, rlk_hiredis_count count)
{
	rlk_reply *to = target(task, RLK_REPLY_ARRAY);
	rlk_reader *reader = task->privdata;

	(void)count; /* counted as the items arrive */
	to->items = to == &reader->root ? reader->items : NULL;
	return to;
}

static void *create_integer(const redisReadTask *task, long long value)
{
	rlk_reply *to = target(task, RLK_REPLY_INTEGER);

	to->integer = value;
	return to;
}

static void *create_nil(const redisReadTask *task)
{
	return target(task, RLK_REPLY_NIL);
}

static redisReplyObjectFunctions functions = {
	.createString = create_string,
	.createArray = create_array,
	.createInteger = create_integer,
	.createNil = create_nil,
};

rlk_reader *rlk_reader_new(void)
{
	rlk_reader *reader = malloc(sizeof(*reader));

	if (reader == NULL)
		return NULL;
	rlk_reader_reset(reader);
	reader->parser = NULL;
	reader->no_heap = false;
	return reader;
}

void rlk_reader_free(rlk_reader *reader)
{
	if (reader == NULL || reader->no_heap)
		return;
	if (reader->parser != NULL)
		redisReaderFree(reader->parser);
	free(reader);
}

void rlk_reader_reset(rlk_reader *reader)
{
	reader->in_parser = reader->broken = reader->resp3 = reader->pushed = false;
	reader->unread = reader->buffer_at = reader->buffer_len = 0;
}

/* hiredis' own messages quote what the peer sent. */
static void report_no_redis(rlk_reader *reader, rlk_error *err)
{
	reader->broken = true;
	rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the peer does not speak the Redis protocol");
}

bool rlk_reader_pass_on(rlk_reader *reader, rlk_error *err)
{
	const char *data = reader->buffer + reader->buffer_at;
	size_t len = reader->buffer_len - reader->buffer_at;
	bool ok;

	if (reader->unread > RLK_REPLY_BYTES_MAX) {
		rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the server sent a reply of more than %d bytes", RLK_REPLY_BYTES_MAX);
		return false;
	}
	if (reader->no_heap) {
		report_no_redis(reader, err);
		return false;
	}
	if (reader->parser == NULL) {
		reader->parser = redisReaderCreateWithFunctions(&functions);
		if (reader->parser != NULL)
			reader->parser->privdata = reader;
	}
	reader->in_parser = true;
	reader->buffer_at = reader->buffer_len = 0;
	ok = reader->parser != NULL && redisReaderFeed(reader->parser, data, len) == REDIS_OK;
	reader->broken = !ok;
	if (!ok)
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory while reading a reply");
	return ok;
}

bool rlk_reader_make_room(rlk_reader *reader, rlk_error *err)
{
	reader->buffer_len -= reader->buffer_at;
	memmove(reader->buffer, reader->buffer + reader->buffer_at, reader->buffer_len);
	reader->buffer_at = 0;
	return reader->buffer_len < RLK_REPLY_TEXT_MAX || rlk_reader_pass_on(reader, err);
}

/* The next reply from the bytes that hiredis has. */
static const rlk_reply *next_parsed(rlk_reader *reader, rlk_error *err)
{
	void *reply = NULL;

	/* For a boolean or double of RESP3 newer versions of hiredis return something that is no pointer. */
	if (redisReaderGetReply(reader->parser, &reply) != REDIS_OK || (reply != NULL && reply != &reader->root)) {
		report_no_redis(reader, err);
		return NULL;
	}
	if (reply == NULL)
		return NULL;
	reader->unread = reader->parser->len - reader->parser->pos;
	reader->in_parser = reader->unread > 0;
	return reply;
}

const rlk_reply *rlk_reader_next(rlk_reader *reader, rlk_error *err)
{
	long used;

	if (reader->in_parser)
		return next_parsed(reader, err);
	used = rlk_resp_scan(reader->buffer + reader->buffer_at, reader->buffer_len - reader->buffer_at, reader->resp3,
		&reader->root, reader->items);
	if (used < 0)
		return rlk_reader_pass_on(reader, err) ? next_parsed(reader, err) : NULL;
	if (used == 0)
		return NULL;
	reader->buffer_at += (size_t)used;
	reader->unread -= (size_t)used;
	reader->pushed = reader->root.type == RLK_REPLY_PUSH;
	return reader->pushed ? NULL : &reader->root;
}

const rlk_reply *rlk_reader_take_push(rlk_reader *reader)
{
	bool pushed = reader->pushed;

	reader->pushed = false;
	return pushed ? &reader->root : NULL;
}

/* Before Redis 7 the error of a command in a script comes at the end of another: "ERR Error running script (call to
 * f_...): @user_script:12: @user_script: 12: -READONLY ...". */
static rlk_str unwrapped(rlk_str text)
{
	if (!rlk_str_starts_with(text, RLK_STR("ERR Error running script")))
		return text;
	for (size_t i = text.len; i-- > 3;) {
		if (memcmp(text.data + i - 3, ": -", 3) == 0)
			return rlk_str_make(text.data + i, text.len - i);
	}
	return text;
}

bool rlk_reply_is_error(const rlk_reply *reply, const char *code)
{
	size_t len = strlen(code);
	rlk_str text;

	if (reply->type != RLK_REPLY_ERROR)
		return false;
	text = unwrapped(reply->text);
	return rlk_str_starts_with(text, rlk_str_make(code, len)) && (text.len == len || text.data[len] == ' ');
}

bool rlk_reply_is_master(const rlk_reply *reply)
{
	if (reply->type == RLK_REPLY_ERROR)
		return !rlk_reply_is_error(reply, "LOADING");
	return reply->type == RLK_REPLY_ARRAY && reply->count > 0 && rlk_str_equal(reply->items[0].text, RLK_STR("master"));
}

/* The name in quotes behind the first occurrence of these words, or empty. */
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

/* The command that an error reply refuses, or empty. Some versions quote with backticks; the first half of NOPERM differs
 * between versions and contains the user's name. */
static rlk_str refused(const rlk_reply *reply)
{
	if (rlk_reply_is_error(reply, "NOPERM"))
		return quoted_behind(reply->text, RLK_STR(" run the "));
	if (rlk_reply_is_error(reply, "ERR unknown"))
		return quoted_behind(reply->text, RLK_STR("command "));
	return RLK_STR("");
}

/* The name must stand in quotes: a host, a user or a key may have the same name. */
bool rlk_reply_refuses_scripts(const rlk_reply *reply)
{
	static const char command[] = "evalsha";
	rlk_str name = refused(reply);
	size_t same = 0;

	while (same < name.len && same < sizeof(command) - 1 && (name.data[same] | 0x20) == command[same])
		same++;
	return same == name.len && (same == sizeof("eval") - 1 || same == sizeof(command) - 1);
}

bool rlk_reply_refuses_any(const rlk_reply *reply)
{
	return rlk_reply_is_error(reply, "NOPERM") || rlk_reply_is_error(reply, "ERR unknown");
}

/* States of a server that pass, by themselves or when somebody repairs it. */
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

void rlk_reply_misfit(rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_PROTOCOL, 0, "the server sent a reply that does not fit the request");
}

void rlk_reply_to_error(const rlk_reply *reply, rlk_error *err)
{
	bool scripts = rlk_reply_refuses_scripts(reply);
	bool auth = scripts || rlk_reply_is_error(reply, "NOAUTH") || rlk_reply_is_error(reply, "WRONGPASS") ||
		rlk_reply_is_error(reply, "NOPERM");
	rlk_error_code code = rlk_reply_is_error(reply, "TRYAGAIN") ? RLK_ERR_SPLIT : RLK_ERR_SERVER;
	size_t len = reply->text.len < SHOWN_MAX ? reply->text.len : SHOWN_MAX;
	char shown[SHOWN_MAX];

	for (size_t i = 0; i < len; i++) {
		char c = reply->text.data[i];

		shown[i] = (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
	}
	rlk_error_set(err, auth ? RLK_ERR_AUTH : code, 0, "%s%.*s",
		scripts ? "redislock needs the right to EVAL and EVALSHA, but the server answered: " : "the server answered: ",
		(int)len, shown);
	if (err != NULL && !auth)
		err->retryable = is_transient(reply);
}
