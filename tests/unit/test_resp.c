/*
 * rlk_resp: requests written, replies scanned.
 */
#include "net/rlk_resp.h"

#include "unit.h"

#include <stdlib.h>

static void numbers(void)
{
	static const struct {
		int64_t value;
		const char *text;
	} cases[] = { { 0, "0" }, { 7, "7" }, { -1, "-1" }, { 60000, "60000" }, { INT64_MAX, "9223372036854775807" },
		{ INT64_MIN, "-9223372036854775808" } };
	char buf[RLK_RESP_INT_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_str s = rlk_resp_int(cases[i].value, buf);

		CHECK_INT(s.len, strlen(cases[i].text));
		CHECK(memcmp(s.data, cases[i].text, s.len) == 0);
		CHECK(s.data >= buf && s.data + s.len <= buf + sizeof(buf));
	}
}

static void requests(void)
{
	static const char wanted[] = "*4\r\n$3\r\nSET\r\n$0\r\n\r\n$5\r\na\0\r\nb\r\n$10\r\n0123456789\r\n";
	rlk_str argv[] = { RLK_STR("SET"), rlk_str_make(NULL, 0), rlk_str_make("a\0\r\nb", 5), RLK_STR("0123456789") };
	rlk_buf buf = RLK_BUF_INIT;

	CHECK(rlk_resp_append(&buf, argv, 4));
	CHECK(rlk_str_equal(rlk_buf_str(&buf), RLK_STR(wanted)));
	rlk_buf_destroy(&buf);
}

/* Lengths of every number of digits. */
static void sizes(void)
{
	static const size_t lengths[] = { 0, 1, 9, 10, 11, 99, 100, 999, 1000, 9999, 10000, 65535 };
	rlk_buf buf = RLK_BUF_INIT;
	size_t total = 0;
	char *text = calloc(1, 65535);

	CHECK(text != NULL);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		rlk_str argv[12];
		int header = snprintf(NULL, 0, "$%zu\r\n", lengths[i]);

		for (size_t n = 0; n < 12; n++)
			argv[n] = rlk_str_make(text, lengths[i]);
		total += sizeof("*12\r\n") - 1 + 12 * ((size_t)header + lengths[i] + 2);
		CHECK(rlk_resp_append(&buf, argv, 12));
		CHECK_INT(buf.len, total);
	}
	rlk_buf_destroy(&buf);
	free(text);
}

/* Every reply whole, with another behind it, and cut at every byte. The copy ends where the bytes end, so that
 * the sanitizer sees a look beyond. */
static void flat_replies(void)
{
	static const struct {
		const char *bytes;
		rlk_reply_type type;
		int64_t integer;
		const char *text; /* NULL: no text to compare */
	} cases[] = {
		{ "+OK\r\n", RLK_REPLY_STATUS, 0, "OK" },
		{ "+\r\n", RLK_REPLY_STATUS, 0, "" },
		{ "-NOSCRIPT No matching script\r\n", RLK_REPLY_ERROR, 0, "NOSCRIPT No matching script" },
		{ ":0\r\n", RLK_REPLY_INTEGER, 0, NULL },
		{ ":-2\r\n", RLK_REPLY_INTEGER, -2, NULL },
		{ ":9223372036854775807\r\n", RLK_REPLY_INTEGER, INT64_MAX, NULL },
		{ "$0\r\n\r\n", RLK_REPLY_STRING, 0, "" },
		{ "$4\r\na\r\nb\r\n", RLK_REPLY_STRING, 0, "a\r\nb" },
		{ "$-1\r\n", RLK_REPLY_NIL, 0, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = strlen(cases[i].bytes);
		rlk_reply reply, items[RLK_REPLY_ITEMS_MAX];
		char twice[128];

		for (size_t cut = 0; cut <= len; cut++) {
			char *copy = malloc(cut + (cut == 0));

			CHECK(copy != NULL);
			memcpy(copy, cases[i].bytes, cut);
			CHECK_INT(rlk_resp_scan(copy, cut, false, &reply, items), cut == len ? (long)len : 0);
			free(copy);
		}
		snprintf(twice, sizeof(twice), "%s:1\r\n", cases[i].bytes);
		CHECK_INT(rlk_resp_scan(twice, strlen(twice), false, &reply, items), len);
		CHECK_INT(reply.type, cases[i].type);
		CHECK_INT(reply.integer, cases[i].integer);
		if (cases[i].text != NULL)
			CHECK(rlk_str_equal(reply.text, rlk_str_from_cstr(cases[i].text)));
	}
}

static void refused_replies(void)
{
	static const char *const cases[] = { "HTTP/1.1 400\r\n", "\r\n", "+OK\r+", ":\r\n", ":-\r\n", ":05\r\n", ":-0\r\n",
		"$02\r\nab\r\n", ":1x\r\n", ":9223372036854775808\r\n", ":99999999999999999999\r\n", "$x\r\n", "$-2\r\n",
		"$\r\n", "$2\r\nabcd\r\n", "$2147483648\r\n", "$9223372036854775807\r\n", "$2\r\nab\n\r" };
	rlk_reply reply, items[RLK_REPLY_ITEMS_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (rlk_resp_scan(cases[i], strlen(cases[i]), false, &reply, items) != -1)
			printf("# case %zu\n", i);
		CHECK_INT(rlk_resp_scan(cases[i], strlen(cases[i]), false, &reply, items), -1);
	}
	/* Long, but possible: not there yet. */
	CHECK_INT(rlk_resp_scan("$2147483647\r\nab", 15, false, &reply, items), 0);
}

/* Arrays, whatever is in them. */
static void replies_of_any_kind(void)
{
	static const struct {
		const char *bytes;
		rlk_reply_type type;
		size_t count;
		const char *first;
	} cases[] = {
		{ "*2\r\n$9\r\n127.0.0.1\r\n$4\r\n6379\r\n", RLK_REPLY_ARRAY, 2, "127.0.0.1" },
		{ "*3\r\n$6\r\nmaster\r\n:7\r\n*1\r\n*3\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\n0\r\n", RLK_REPLY_ARRAY, 3, "master" },
		{ "*0\r\n", RLK_REPLY_ARRAY, 0, NULL },
		{ "*-1\r\n", RLK_REPLY_NIL, 0, NULL },
		{ "*1\r\n*1\r\n+x\r\n", RLK_REPLY_ARRAY, 1, "" },
		{ "*2\r\n+x\r\n*0\r\n", RLK_REPLY_ARRAY, 2, "x" },
		{ "*9\r\n+x\r\n:2\r\n:3\r\n:4\r\n:5\r\n:6\r\n:7\r\n:8\r\n$1\r\n9\r\n", RLK_REPLY_ARRAY, 8, "x" },
		{ "+OK\r\n", RLK_REPLY_STATUS, 0, NULL },
		{ "-ERR x\r\n", RLK_REPLY_ERROR, 0, NULL },
	};
	static const char *const refused[] = { "*1\r\nx", "*x\r\n", "*-2\r\n", "*1\n\r+x\r\n", "*2000000000\r\n",
		"*9223372036854775807\r\n", "*-9223372036854775807\r\n", "*1\r\n$-2\r\n", "*1024\r\n*1024\r\n" };
	rlk_reply reply, items[RLK_REPLY_ITEMS_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = strlen(cases[i].bytes);

		for (size_t cut = 0; cut <= len; cut++) {
			char *copy = malloc(cut + (cut == 0));

			CHECK(copy != NULL);
			memcpy(copy, cases[i].bytes, cut);
			CHECK_INT(rlk_resp_scan(copy, cut, false, &reply, items), cut == len ? (long)len : 0);
			if (cut == len && cases[i].first != NULL)
				CHECK(rlk_str_equal(reply.items[0].text, rlk_str_from_cstr(cases[i].first)));
			free(copy);
		}
		CHECK_INT(reply.type, cases[i].type);
		CHECK_INT(reply.count, cases[i].count);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CHECK_INT(rlk_resp_scan(refused[i], strlen(refused[i]), false, &reply, items), -1);
}

static void replies_of_resp3(void)
{
	static const struct {
		const char *bytes;
		rlk_reply_type type;
		size_t count;
		const char *second;
	} cases[] = {
		{ ">2\r\n$10\r\ninvalidate\r\n*1\r\n$3\r\nkey\r\n", RLK_REPLY_PUSH, 2, "key" },
		{ ">2\r\n$10\r\ninvalidate\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n", RLK_REPLY_PUSH, 2, "b" },
		{ ">2\r\n$10\r\ninvalidate\r\n_\r\n", RLK_REPLY_PUSH, 2, "" },
		{ "%2\r\n+proto\r\n:3\r\n+modules\r\n*1\r\n%1\r\n+ver\r\n,1.5\r\n", RLK_REPLY_ARRAY, 4, "" },
		{ "*2\r\n#t\r\n~2\r\n(12\r\n+x\r\n", RLK_REPLY_ARRAY, 2, "x" },
		{ "%0\r\n", RLK_REPLY_ARRAY, 0, NULL },
		{ "_\r\n", RLK_REPLY_NIL, 0, NULL },
		{ "+OK\r\n", RLK_REPLY_STATUS, 0, NULL },
	};
	static const char *const refused[] = { ">x\r\n", ">-1\r\n", "%1024\r\n", "%512\r\n*1\r\n", "!3\r\nabc\r\n",
		"HTTP\r\n", "*1\r\n|1\r\n" };
	rlk_reply reply, items[RLK_REPLY_ITEMS_MAX];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = strlen(cases[i].bytes);

		for (size_t cut = 0; cut <= len; cut++) {
			char *copy = malloc(cut + (cut == 0));

			CHECK(copy != NULL);
			memcpy(copy, cases[i].bytes, cut);
			CHECK_INT(rlk_resp_scan(copy, cut, true, &reply, items), cut == len ? (long)len : 0);
			if (cut == len && cases[i].second != NULL)
				CHECK(rlk_str_equal(reply.items[1].text, rlk_str_from_cstr(cases[i].second)));
			free(copy);
		}
		CHECK_INT(reply.type, cases[i].type);
		CHECK_INT(reply.count, cases[i].count);
		if (strchr("+*", cases[i].bytes[0]) == NULL)
			CHECK_INT(rlk_resp_scan(cases[i].bytes, len, false, &reply, items), -1);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CHECK_INT(rlk_resp_scan(refused[i], strlen(refused[i]), true, &reply, items), -1);
}

int main(void)
{
	RUN(numbers);
	RUN(requests);
	RUN(sizes);
	RUN(flat_replies);
	RUN(refused_replies);
	RUN(replies_of_any_kind);
	RUN(replies_of_resp3);
	return unit_done();
}
