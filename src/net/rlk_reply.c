/*
 * rlk_reply: see the header.
 *
 * Invariant: the unread bytes are either all in `buffer` or all with hiredis.
 */
#include "net/rlk_reply.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>

/* Bytes of a server's error that go into a message. */
#define SHOWN_MAX 200

/* --- reading -------------------------------------------------------------------------------------- */

rlk_reader *rlk_reader_new(void)
{
	rlk_reader *reader = malloc(sizeof(*reader));

	if (reader == NULL)
		return NULL;
	rlk_reader_reset(reader);
	reader->parser = NULL;
	reader->parsed = NULL;
	reader->no_heap = false;
	return reader;
}

void rlk_reader_free(rlk_reader *reader)
{
	if (reader == NULL || reader->no_heap)
		return;
	if (reader->parser != NULL)
		redisReaderFree(reader->parser);
	freeReplyObject(reader->parsed);
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
	if (reader->parser == NULL)
		reader->parser = redisReaderCreate();
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
	return reader->buffer_len < RLK_REPLY_BUFFER || rlk_reader_pass_on(reader, err);
}

/* false: a type of RESP3. */
static bool take_value(const redisReply *from, rlk_reply *to)
{
	static const rlk_reply_type types[] = { [REDIS_REPLY_STRING] = RLK_REPLY_STRING,
		[REDIS_REPLY_ARRAY] = RLK_REPLY_ARRAY,
		[REDIS_REPLY_INTEGER] = RLK_REPLY_INTEGER,
		[REDIS_REPLY_NIL] = RLK_REPLY_NIL,
		[REDIS_REPLY_STATUS] = RLK_REPLY_STATUS,
		[REDIS_REPLY_ERROR] = RLK_REPLY_ERROR };

	if (from->type < REDIS_REPLY_STRING || from->type > REDIS_REPLY_ERROR)
		return false;
	*to = (rlk_reply){ types[from->type], from->integer, rlk_str_make(from->str, from->len), NULL, 0 };
	return true;
}

/* Makes our reply of the one that hiredis has parsed, where its text stays. */
static bool take_parsed(rlk_reader *reader)
{
	const redisReply *parsed = reader->parsed;
	bool ok = take_value(parsed, &reader->root);

	if (!ok || parsed->type != REDIS_REPLY_ARRAY)
		return ok;
	reader->root.items = reader->items;
	for (size_t i = 0; ok && i < parsed->elements && i < RLK_REPLY_ITEMS_MAX; i++, reader->root.count++)
		ok = take_value(parsed->element[i], &reader->items[i]);
	return ok;
}

/* The next reply from the bytes that hiredis has. */
static const rlk_reply *next_parsed(rlk_reader *reader, rlk_error *err)
{
	void *parsed = NULL;
	bool ok;

	freeReplyObject(reader->parsed);
	ok = redisReaderGetReply(reader->parser, &parsed) == REDIS_OK;
	reader->parsed = parsed;
	if (!ok || (parsed != NULL && !take_parsed(reader))) {
		report_no_redis(reader, err);
		return NULL;
	}
	if (parsed == NULL)
		return NULL;
	reader->unread = reader->parser->len - reader->parser->pos;
	reader->in_parser = reader->unread > 0;
	return &reader->root;
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

/* --- what a reply means --------------------------------------------------------------------------- */

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
