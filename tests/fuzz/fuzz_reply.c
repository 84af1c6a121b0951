/*
 * fuzz_reply: replies of a server to the process itself, read by hiredis into our store, and what errors become, under
 * libFuzzer.
 *
 * The first byte is the size of the pieces the rest comes in, which must not
 * matter.
 */
#include "net/rlk_reply.h"

#include "../unit/feed.h"

#include <stdint.h>
#include <stdlib.h>

#define SUMMARY_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
	unsigned char bytes[SUMMARY_MAX];
	size_t len;
} summary;

static void require(bool true_always)
{
	if (!true_always)
		abort();
}

static void note(summary *s, const void *data, size_t len)
{
	if (len > SUMMARY_MAX - s->len)
		len = SUMMARY_MAX - s->len;
	if (len > 0)
		memcpy(s->bytes + s->len, data, len);
	s->len += len;
}

static void note_reply(summary *s, const rlk_reply *reply)
{
	unsigned char type = (unsigned char)reply->type;

	require(reply->type <= RLK_REPLY_ARRAY);
	require(reply->type == RLK_REPLY_INTEGER || reply->integer == 0);
	require(reply->text.len <= RLK_REPLY_TEXT_MAX && (reply->text.len == 0 || reply->text.data != NULL));
	require(reply->count <= RLK_REPLY_ITEMS_MAX && (reply->count == 0 || reply->type == RLK_REPLY_ARRAY));
	note(s, &type, 1);
	note(s, &reply->integer, sizeof(reply->integer));
	note(s, reply->text.data, reply->text.len);
}

/* Whatever the server says, the message is one line that fits. */
static void check_error(const rlk_reply *reply)
{
	rlk_error err;

	rlk_error_clear(&err);
	rlk_reply_to_error(reply, &err);
	require(err.code == RLK_ERR_AUTH || err.code == RLK_ERR_SERVER || err.code == RLK_ERR_SPLIT);
	require((err.code == RLK_ERR_SPLIT) == rlk_reply_is_error(reply, "TRYAGAIN"));
	require(err.code != RLK_ERR_AUTH || !err.retryable);
	require(strncmp(err.text, "the server answered: ", 21) == 0);
	for (const char *c = err.text; *c != '\0'; c++)
		require((unsigned char)*c >= 0x20 && *c != 0x7f);
	require(rlk_reply_is_error(reply, "NOSCRIPT") ==
		(reply->text.len >= 8 && memcmp(reply->text.data, "NOSCRIPT", 8) == 0 &&
			(reply->text.len == 8 || reply->text.data[8] == ' ')));
}

static void read_all(const char *data, size_t size, size_t piece, summary *s)
{
	rlk_reader *reader = rlk_reader_new();
	unsigned char end = 'x';
	rlk_error err;

	require(reader != NULL);
	rlk_error_clear(&err);
	for (size_t at = 0; at < size && err.code == RLK_ERR_NONE; at += piece) {
		size_t len = size - at < piece ? size - at : piece;
		const rlk_reply *reply;

		if (!feed(reader, data + at, len, &err))
			break;
		while ((reply = rlk_reader_next(reader, &err)) != NULL) {
			note_reply(s, reply);
			for (size_t i = 0; i < reply->count; i++)
				note_reply(s, &reply->items[i]);
			if (reply->type == RLK_REPLY_ERROR)
				check_error(reply);
		}
	}
	require(err.code == RLK_ERR_NONE || err.code == RLK_ERR_PROTOCOL || err.code == RLK_ERR_MEMORY);
	if (err.code == RLK_ERR_NONE)
		end = rlk_reader_is_empty(reader) ? 'e' : 'h';
	note(s, &end, 1);
	rlk_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static summary whole, pieces;

	/* More than a reply may have is refused by the number of bytes, which does depend on the pieces. */
	if (size < 2 || size > RLK_REPLY_BYTES_MAX / 2)
		return 0;
	whole.len = pieces.len = 0;
	read_all((const char *)data + 1, size - 1, size - 1, &whole);
	read_all((const char *)data + 1, size - 1, (size_t)data[0] % 32 + 1, &pieces);
	require(whole.len == pieces.len && memcmp(whole.bytes, pieces.bytes, whole.len) == 0);
	return 0;
}
