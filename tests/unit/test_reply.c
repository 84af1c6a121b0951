/*
 * rlk_reply: what hiredis parses, in our fixed store.
 */
#include "net/rlk_reply.h"

#include "feed.h"
#include "unit.h"

static rlk_error err;

/* Feeds everything at once and reads the first reply. */
static const rlk_reply *first(rlk_reader *reader, const char *bytes)
{
	rlk_error_clear(&err);
	return feed(reader, bytes, strlen(bytes), &err) ? rlk_reader_next(reader, &err) : NULL;
}

static void types(void)
{
	static const struct {
		const char *bytes;
		rlk_reply_type type;
		int64_t integer;
		const char *text;
	} cases[] = {
		{ "+OK\r\n", RLK_REPLY_STATUS, 0, "OK" },
		{ "-ERR no\r\n", RLK_REPLY_ERROR, 0, "ERR no" },
		{ ":-2\r\n", RLK_REPLY_INTEGER, -2, "" },
		{ "$4\r\na\r\nb\r\n", RLK_REPLY_STRING, 0, "a\r\nb" },
		{ "$0\r\n\r\n", RLK_REPLY_STRING, 0, "" },
		{ "$-1\r\n", RLK_REPLY_NIL, 0, "" },
		{ "*-1\r\n", RLK_REPLY_NIL, 0, "" },
		{ "*0\r\n", RLK_REPLY_ARRAY, 0, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_reader *reader = rlk_reader_new();
		const rlk_reply *reply;

		CHECK(reader != NULL);
		/* Byte by byte: complete with the last one. */
		for (const char *c = cases[i].bytes; c[1] != '\0'; c++) {
			CHECK(feed(reader, c, 1, NULL));
			CHECK(rlk_reader_next(reader, NULL) == NULL);
			CHECK(!rlk_reader_is_empty(reader));
		}
		reply = first(reader, "\n");
		CHECK(reply != NULL);
		CHECK(rlk_reader_is_empty(reader));
		CHECK_INT(reply->type, cases[i].type);
		CHECK_INT(reply->integer, cases[i].integer);
		CHECK(rlk_str_equal(reply->text, rlk_str_from_cstr(cases[i].text)));
		CHECK_INT(reply->count, 0);
		CHECK(rlk_reader_next(reader, &err) == NULL && err.code == RLK_ERR_NONE);
		rlk_reader_free(reader);
	}
}

static void arrays(void)
{
	rlk_reader *reader = rlk_reader_new();
	const rlk_reply *reply;

	reply = first(reader, "*4\r\n$1\r\na\r\n:5\r\n$-1\r\n+bc\r\n");
	CHECK(reply != NULL && reply->type == RLK_REPLY_ARRAY);
	CHECK_INT(reply->count, 4);
	CHECK(rlk_str_equal(reply->items[0].text, RLK_STR("a")) && rlk_str_equal(reply->items[3].text, RLK_STR("bc")));
	CHECK_INT(reply->items[1].integer, 5);
	CHECK_INT(reply->items[2].type, RLK_REPLY_NIL);

	/* The tail of a long one is lost, and what is nested deeper; neither disturbs what follows. */
	reply = first(reader, "*10\r\n:1\r\n:2\r\n:3\r\n:4\r\n:5\r\n:6\r\n:7\r\n:8\r\n:9\r\n:10\r\n:11\r\n");
	CHECK(reply != NULL);
	CHECK_INT(reply->count, RLK_REPLY_ITEMS_MAX);
	CHECK_INT(reply->items[7].integer, 8);
	CHECK(!rlk_reader_is_empty(reader));
	reply = rlk_reader_next(reader, &err);
	CHECK(reply != NULL && reply->type == RLK_REPLY_INTEGER && reply->integer == 11);
	reply = first(reader, "*2\r\n*2\r\n:1\r\n*1\r\n:2\r\n:3\r\n");
	CHECK(reply != NULL);
	CHECK_INT(reply->count, 2);
	CHECK_INT(reply->items[0].type, RLK_REPLY_ARRAY);
	CHECK_INT(reply->items[0].count, 0);
	CHECK_INT(reply->items[1].integer, 3);
	rlk_reader_free(reader);
}

/* Whatever is read where, order and content are kept, wherever what comes is cut in two. */
static void kinds_follow_one_another(void)
{
	static const char bytes[] = "+OK\r\n:1\r\n*2\r\n$1\r\na\r\n:7\r\n$3\r\nxyz\r\n$-1\r\n-ERR no\r\n:2\r\n";
	static const rlk_reply_type types[] = { RLK_REPLY_STATUS, RLK_REPLY_INTEGER, RLK_REPLY_ARRAY, RLK_REPLY_STRING,
		RLK_REPLY_NIL, RLK_REPLY_ERROR, RLK_REPLY_INTEGER };
	const size_t len = sizeof(bytes) - 1, count = sizeof(types) / sizeof(types[0]);

	for (size_t cut = 0; cut <= len; cut++) {
		rlk_reader *reader = rlk_reader_new();
		const rlk_reply *reply;
		size_t seen = 0;

		for (int half = 0; half < 2; half++) {
			CHECK(feed(reader, half == 0 ? bytes : bytes + cut, half == 0 ? cut : len - cut, &err));
			while ((reply = rlk_reader_next(reader, &err)) != NULL) {
				CHECK(seen < count && reply->type == types[seen]);
				if (reply->type == RLK_REPLY_ARRAY)
					CHECK(reply->count == 2 && reply->items[1].integer == 7);
				if (reply->type == RLK_REPLY_STRING)
					CHECK(rlk_str_equal(reply->text, RLK_STR("xyz")));
				if (++seen == count)
					CHECK_INT(reply->integer, 2);
			}
		}
		CHECK_INT(seen, count);
		CHECK(rlk_reader_is_empty(reader));
		rlk_reader_free(reader);
	}
}

static void long_texts_are_cut(void)
{
	static char bytes[2 * RLK_REPLY_TEXT_MAX + 100];
	rlk_reader *reader = rlk_reader_new();
	const rlk_reply *reply;
	int len;

	/* Twice, to see that the room is given back with every reply. */
	for (int round = 0; round < 2; round++) {
		len = snprintf(bytes, sizeof(bytes), "*2\r\n$%d\r\n%0*d\r\n$%d\r\n%0*d\r\n", RLK_REPLY_TEXT_MAX - 1,
			RLK_REPLY_TEXT_MAX - 1, 0, RLK_REPLY_TEXT_MAX, RLK_REPLY_TEXT_MAX, 0);
		CHECK(len > 0 && (size_t)len < sizeof(bytes));
		reply = first(reader, bytes);
		CHECK(reply != NULL);
		CHECK_INT(reply->items[0].text.len, RLK_REPLY_TEXT_MAX - 1);
		CHECK_INT(reply->items[1].text.len, 1);
	}
	reply = first(reader, "$2\r\nab\r\n");
	CHECK(reply != NULL);
	CHECK_INT(reply->text.len, 2);
	rlk_reader_free(reader);
}

static void too_much_is_refused(void)
{
	static char zeros[RLK_REPLY_BYTES_MAX];
	rlk_reader *reader = rlk_reader_new();

	memset(zeros, '0', sizeof(zeros));
	CHECK(feed(reader, "$70000\r\n", 8, &err));
	CHECK(rlk_reader_next(reader, &err) == NULL);
	CHECK(feed(reader, zeros, sizeof(zeros) - 8, &err));
	rlk_error_clear(&err);
	CHECK(!feed(reader, zeros, 1, &err));
	CHECK_INT(err.code, RLK_ERR_PROTOCOL);
	rlk_reader_free(reader);
}

/* As the renewal child has it. */
static void without_heap_the_buffer_is_all_there_is(void)
{
	static rlk_reader reader;
	static char bytes[RLK_REPLY_TEXT_MAX];
	size_t room;

	reader.no_heap = true;
	rlk_reader_reset(&reader);
	for (size_t at = 0; at < sizeof(bytes); at += 4)
		memcpy(bytes + at, ":1\r\n", 4);
	/* Full of replies, then of all but the first. */
	CHECK(feed(&reader, bytes, sizeof(bytes), &err));
	CHECK(rlk_reader_next(&reader, &err) != NULL);
	CHECK(rlk_reader_room(&reader, &room, &err) != NULL);
	CHECK_INT(room, 4);
	CHECK(feed(&reader, bytes, 4, &err));
	for (size_t at = 0; at < sizeof(bytes); at += 4)
		CHECK_INT(rlk_reader_next(&reader, &err)->integer, 1);
	CHECK(rlk_reader_is_empty(&reader));
	/* Full of the beginning of one. */
	memset(bytes, '0', sizeof(bytes));
	memcpy(bytes, "$5000\r\n", 7);
	CHECK(feed(&reader, bytes, sizeof(bytes), &err));
	CHECK(rlk_reader_next(&reader, &err) == NULL);
	rlk_error_clear(&err);
	CHECK(rlk_reader_room(&reader, &room, &err) == NULL);
	CHECK_INT(err.code, RLK_ERR_PROTOCOL);
}

static void garbage_is_refused(void)
{
	static const char *const cases[] = { "HTTP/1.1 400\r\n", "\r\n", ":x\r\n", "$-2\r\n", "*-2\r\n", "$x\r\n", "#t\r\n",
		",1.5\r\n" };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_reader *reader = rlk_reader_new();

		CHECK(first(reader, cases[i]) == NULL);
		CHECK_INT(err.code, RLK_ERR_PROTOCOL);
		CHECK(strstr(err.text, "HTTP") == NULL);
		rlk_reader_free(reader);
	}
	rlk_reader_free(NULL);
}

/* A line break or an escape sequence must not get into somebody's log or terminal. Newer parsers refuse the former. */
static void control_characters_of_a_server_are_not_passed_on(void)
{
	rlk_reply reply = { .type = RLK_REPLY_ERROR, .text = RLK_STR("ERR a\x1b[31m\nb\x7f\xc3\xa4") };

	rlk_error_clear(&err);
	rlk_reply_to_error(&reply, &err);
	CHECK_STR(err.text, "the server answered: ERR a?[31m?b?\xc3\xa4");
}

static void errors(void)
{
	static const struct {
		const char *bytes;
		rlk_error_code code;
		bool retryable;
	} cases[] = {
		{ "-NOAUTH Authentication required.\r\n", RLK_ERR_AUTH, false },
		{ "-WRONGPASS invalid\r\n", RLK_ERR_AUTH, false },
		{ "-NOPERM this user\r\n", RLK_ERR_AUTH, false },
		{ "-ERR something\r\n", RLK_ERR_SERVER, false },
		{ "-LOADING Redis is loading\r\n", RLK_ERR_SERVER, true },
		{ "-READONLY\r\n", RLK_ERR_SERVER, true },
		{ "-READONLYISH x\r\n", RLK_ERR_SERVER, false },
		{ "-OOM command\r\n", RLK_ERR_SERVER, true },
		{ "-MISCONF Errors writing\r\n", RLK_ERR_SERVER, true },
		{ "-NOREPLICAS Not enough\r\n", RLK_ERR_SERVER, true },
		{ "-ERR max number of clients reached\r\n", RLK_ERR_SERVER, true },
		{ "-\r\n", RLK_ERR_SERVER, false },
		{ "-ERR Error running script (call to f_7e1): @user_script:12: @user_script: 12: -READONLY You can't\r\n",
			RLK_ERR_SERVER, true },
		{ "-ERR Error running script (call to f_7e1): @user_script:12: no READONLY\r\n", RLK_ERR_SERVER, false },
		{ "-ERR Error running script: -\r\n", RLK_ERR_SERVER, false },
	};
	rlk_reader *reader = rlk_reader_new();
	const rlk_reply *reply;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		reply = first(reader, cases[i].bytes);
		CHECK(reply != NULL);
		rlk_reply_to_error(reply, NULL);
		rlk_reply_to_error(reply, &err);
		CHECK_INT(err.code, cases[i].code);
		CHECK_INT(err.retryable, cases[i].retryable);
	}
	reply = first(reader, "-NOSCRIPT No matching\r\n");
	CHECK(rlk_reply_is_error(reply, "NOSCRIPT") && !rlk_reply_is_error(reply, "NOSCRIP") &&
		!rlk_reply_is_error(reply, "NOSCRIPTS"));
	reply = first(reader, "+NOSCRIPT\r\n");
	CHECK(!rlk_reply_is_error(reply, "NOSCRIPT"));
	rlk_reader_free(reader);
}

/* As Redis 5 to 8 and Valkey say it, and services that are like them. */
static void refusals(void)
{
	static const struct {
		const char *bytes;
		bool scripts, any;
	} cases[] = {
		{ "-NOPERM this user has no permissions to run the 'evalsha' command or its subcommand\r\n", true, true },
		{ "-NOPERM this user has no permissions to run the 'eval' command\r\n", true, true },
		{ "-NOPERM User ann has no permissions to run the 'evalsha' command\r\n", true, true },
		{ "-ERR unknown command 'EVALSHA'\r\n", true, true },
		{ "-ERR unknown command 'EVALSHA', with args beginning with: '07a6' '1' 'job' \r\n", true, true },
		{ "-ERR unknown command `EVAL`, with args beginning with: `return 1`, `0`, \r\n", true, true },
		{ "-ERR unknown or unsupported command 'eval'\r\n", true, true },
		{ "-NOPERM User evaluator has no permissions to run the 'blpop' command\r\n", false, true },
		{ "-NOPERM User 'eval' has no permissions to run the 'blpop' command\r\n", false, true },
		{ "-NOPERM User ann has no permissions to run the 'eval_ro' command\r\n", false, true },
		{ "-NOPERM User ann has no permissions to access the 'eval' key\r\n", false, true },
		{ "-NOPERM No permissions to access a key\r\n", false, true },
		{ "-NOPERM User ann has no permissions to run the 'eval\r\n", false, true },
		{ "-NOPERM User ann has no permissions to run the '\r\n", false, true },
		{ "-NOPERM User ann has no permissions to run the \r\n", false, true },
		{ "-ERR unknown command 'BLPOP', with args beginning with: 'eval' '1' \r\n", false, true },
		{ "-ERR unknown command\r\n", false, true },
		{ "-MOVED 3999 retrieval-redis-0.retrieval:6379\r\n", false, false },
		{ "-ASK 3999 'eval'\r\n", false, false },
		{ "-NOSCRIPT No matching script. Please use EVAL.\r\n", false, false },
		{ "-ERR Error running script (call to f_7e1): @user_script:3: unknown command 'eval'\r\n", false, false },
		{ "-ERR ACL failure in script: User ann has no permissions to run the 'eval' command\r\n", false, false },
		{ "+ERR unknown command 'EVAL'\r\n", false, false },
	};
	rlk_reader *reader = rlk_reader_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const rlk_reply *reply = first(reader, cases[i].bytes);

		CHECK(reply != NULL);
		CHECK_INT(rlk_reply_refuses_scripts(reply), cases[i].scripts);
		CHECK_INT(rlk_reply_refuses_any(reply), cases[i].any);
	}
	rlk_reader_free(reader);
}

int main(void)
{
	RUN(types);
	RUN(arrays);
	RUN(kinds_follow_one_another);
	RUN(long_texts_are_cut);
	RUN(too_much_is_refused);
	RUN(without_heap_the_buffer_is_all_there_is);
	RUN(garbage_is_refused);
	RUN(errors);
	RUN(refusals);
	RUN(control_characters_of_a_server_are_not_passed_on);
	return unit_done();
}
