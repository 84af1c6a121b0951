/*
 * fuzz_resp: our own reader of replies, and the writer of requests, under libFuzzer.
 *
 * What both the scanner and hiredis take for a reply has the same value; and a
 * reply that has not come whole is never taken for a wrong one, since it comes
 * in pieces of any size.
 */
#include "net/rlk_reply.h"
#include "net/rlk_resp.h"

#include "../unit/feed.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool true_always)
{
	if (!true_always)
		abort();
}

static void require_same(const rlk_reply *a, const rlk_reply *b)
{
	require(a->type == b->type && a->integer == b->integer && a->count == b->count);
	require(rlk_str_equal(a->text, b->text));
}

static void compare_with_hiredis(const char *data, size_t used, const rlk_reply *scanned)
{
	rlk_reader *reader = rlk_reader_new();
	const rlk_reply *reply;
	rlk_error err;

	rlk_error_clear(&err);
	require(reader != NULL);
	if (used <= RLK_REPLY_TEXT_MAX) {
		reader->in_parser = true;
		require(feed(reader, data, used, &err));
		reply = rlk_reader_next(reader, &err);
		/* It refuses zeros in front of a number, which no server writes. */
		if (reply != NULL) {
			require_same(reply, scanned);
			for (size_t i = 0; i < reply->count; i++)
				require_same(&reply->items[i], &scanned->items[i]);
			require(rlk_reader_is_empty(reader));
		}
		require(reply != NULL || err.code == RLK_ERR_PROTOCOL);
	}
	rlk_reader_free(reader);
}

static void scan(const char *data, size_t size)
{
	rlk_reply reply, part, items[RLK_REPLY_ITEMS_MAX], part_items[RLK_REPLY_ITEMS_MAX];
	long used;

	while (size > 0) {
		/* A copy of its own size: reading beyond it is noticed. */
		char *copy = malloc(size);

		require(copy != NULL);
		memcpy(copy, data, size);
		used = rlk_resp_scan(copy, size, false, &reply, items);
		require(used >= -1 && used <= (long)size);
		if (used > 0) {
			if (reply.text.len > 0)
				require(reply.text.data > copy && reply.text.data + reply.text.len + 2 <= copy + used);
			compare_with_hiredis(copy, (size_t)used, &reply);
			for (long n = used > 64 ? used - 64 : 0; n < used; n++)
				require(rlk_resp_scan(copy, (size_t)n, false, &part, part_items) == 0);
		}
		free(copy);
		if (used <= 0)
			return;
		data += used;
		size -= (size_t)used;
	}
}

/* Lines become the arguments of a request, which is read back as what it says it is. */
static void write_request(const char *data, size_t size)
{
	rlk_str argv[16];
	size_t argc = 0;
	rlk_buf buf = RLK_BUF_INIT;
	rlk_reply reply, items[RLK_REPLY_ITEMS_MAX];
	const char *at;

	while (argc < 16) {
		const char *end = memchr(data, '\n', size);
		size_t len = end != NULL ? (size_t)(end - data) : size;

		argv[argc++] = rlk_str_make(data, len);
		if (end == NULL)
			break;
		data = end + 1;
		size -= len + 1;
	}
	require(rlk_resp_append(&buf, argv, argc));
	at = memchr(buf.data, '\n', buf.len);
	require(buf.data[0] == '*' && strtoul(buf.data + 1, NULL, 10) == argc && at != NULL);
	at++;
	for (size_t i = 0; i < argc; i++) {
		long used = rlk_resp_scan(at, (size_t)(buf.data + buf.len - at), false, &reply, items);

		require(used > 0 && reply.type == RLK_REPLY_STRING && rlk_str_equal(reply.text, argv[i]));
		at += used;
	}
	require(at == buf.data + buf.len);
	rlk_buf_destroy(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	scan((const char *)data, size);
	write_request((const char *)data, size);
	return 0;
}
