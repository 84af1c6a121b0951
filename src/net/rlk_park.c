/*
 * rlk_park: see the header.
 */
#include "net/rlk_park.h"

#include "base/rlk_clock.h"
#include "base/rlk_hash.h"
#include "net/rlk_stream.h"

#include <stdlib.h>

struct rlk_parked {
	rlk_parked *next;
	rlk_left left; /* fd is RLK_SOCKET_NONE: the stream has ended, and what is left is not to use the tokens */
	size_t sent;   /* bytes of left.unsent that are on their way */
	int64_t deadline_at_ms;
};

rlk_token_id rlk_token_id_of(rlk_str token, rlk_str key, const char *server)
{
	uint64_t of_server = rlk_hash_add(RLK_HASH_START, rlk_str_from_cstr(server));
	uint64_t of_lock = rlk_hash_add(rlk_hash_add(RLK_HASH_START, token), key);

	return of_server << 32 | (of_lock & UINT32_MAX);
}

bool rlk_tokens_may_have(const rlk_tokens *tokens, rlk_token_id id)
{
	bool overflow = tokens->count > RLK_TOKENS_MAX;
	unsigned count = overflow ? RLK_TOKENS_MAX : tokens->count;

	for (unsigned i = 0; i < count; i++) {
		if (tokens->id[i] == id || (overflow && tokens->id[i] >> 32 == id >> 32))
			return true;
	}
	return false;
}

void rlk_tokens_add(rlk_tokens *tokens, rlk_token_id id)
{
	if (rlk_tokens_may_have(tokens, id))
		return;
	if (tokens->count < RLK_TOKENS_MAX)
		tokens->id[tokens->count] = id;
	tokens->count++;
}

static void hang_up(rlk_park *park, rlk_parked *parked)
{
	if (parked->left.fd == RLK_SOCKET_NONE)
		return;
	rlk_stream_close(parked->left.fd, parked->left.tls);
	parked->left.fd = RLK_SOCKET_NONE;
	parked->left.tls = NULL;
	park->open--;
}

static void parked_free(rlk_park *park, rlk_parked *parked)
{
	hang_up(park, parked);
	rlk_reader_free(parked->left.reader);
	rlk_buf_destroy(&parked->left.unsent);
	free(parked);
}

/* The stream has ended, or nobody will listen to it any more. false: there is nothing to remember. */
static bool parked_ended(rlk_park *park, rlk_parked *parked)
{
	if (parked->left.tokens.count == 0)
		return false;
	hang_up(park, parked);
	parked->deadline_at_ms = rlk_clock_add(rlk_clock_now_ms(), RLK_PARK_REMEMBERED_MS);
	return true;
}

/* Without tokens nobody cares when the answers come: the server closes behind the last one. With them it is not told that
 * nothing more will be said, since it would drop a wait and all that is behind it without an answer. */
static void sent_all(rlk_parked *parked)
{
	if (parked->left.tokens.count == 0)
		rlk_socket_finish_sending(parked->left.fd);
}

/* Counts the replies in what came, some of which may have come before it was parked. true: the last one is there. */
static bool take_replies(rlk_left *left, const char *data, size_t len)
{
	if (left->tokens.count == 0 || left->reader == NULL || (len > 0 && !rlk_reader_feed(left->reader, data, len, NULL)))
		return false;
	while (left->replies > 0 && rlk_reader_next(left->reader, NULL) != NULL)
		left->replies--;
	return left->replies == 0;
}

/* Returns false when there is nothing left to do for this connection. */
static bool parked_advance(rlk_park *park, rlk_parked *parked)
{
	char data[512];
	long n;

	if (parked->left.fd == RLK_SOCKET_NONE)
		return true;
	if (parked->sent < parked->left.unsent.len) {
		n = rlk_stream_send(parked->left.fd, parked->left.tls, parked->left.unsent.data + parked->sent,
			parked->left.unsent.len - parked->sent);
		if (n == RLK_SOCKET_ERROR)
			return parked_ended(park, parked);
		if (n > 0)
			parked->sent += (size_t)n;
		if (parked->sent == parked->left.unsent.len)
			sent_all(parked);
	}
	do {
		n = rlk_stream_receive(parked->left.fd, parked->left.tls, data, sizeof(data));
		if (take_replies(&parked->left, data, n > 0 ? (size_t)n : 0))
			return false;
	} while (n > 0);
	return n == RLK_SOCKET_AGAIN || parked_ended(park, parked);
}

static void drop_oldest(rlk_park *park)
{
	rlk_parked **oldest = NULL, *parked;
	bool dispensable = false;

	for (rlk_parked **link = &park->first; *link != NULL; link = &(*link)->next) {
		parked = *link;
		if (parked->left.fd == RLK_SOCKET_NONE || (dispensable && parked->left.tokens.count > 0))
			continue;
		oldest = link;
		dispensable = parked->left.tokens.count == 0;
	}
	parked = *oldest;
	if (parked_ended(park, parked))
		return;
	*oldest = parked->next;
	parked_free(park, parked);
}

void rlk_park_add(rlk_park *park, const rlk_left *left, int64_t deadline_at_ms)
{
	rlk_parked *parked = calloc(1, sizeof(*parked));

	if (parked == NULL) {
		rlk_left lost = *left;

		rlk_stream_close(lost.fd, lost.tls);
		rlk_reader_free(lost.reader);
		rlk_buf_destroy(&lost.unsent);
		return;
	}
	parked->left = *left;
	parked->deadline_at_ms = left->tokens.count > 0 ? RLK_NEVER : deadline_at_ms;
	if (left->unsent.len == 0)
		sent_all(parked);
	parked->next = park->first;
	park->first = parked;
	if (++park->open > RLK_PARK_MAX)
		drop_oldest(park);
	rlk_park_tend(park);
}

void rlk_park_remember(rlk_park *park, const rlk_tokens *tokens)
{
	rlk_parked *parked = calloc(1, sizeof(*parked));

	if (parked == NULL)
		return;
	parked->left.fd = RLK_SOCKET_NONE;
	parked->left.tokens = *tokens;
	parked->deadline_at_ms = rlk_clock_add(rlk_clock_now_ms(), RLK_PARK_REMEMBERED_MS);
	parked->next = park->first;
	park->first = parked;
}

void rlk_park_tend(rlk_park *park)
{
	rlk_parked **link = &park->first;
	int64_t now_ms;

	if (park->first == NULL)
		return;
	now_ms = rlk_clock_now_ms();
	while (*link != NULL) {
		rlk_parked *parked = *link;

		if (parked->deadline_at_ms > now_ms && parked_advance(park, parked)) {
			link = &parked->next;
			continue;
		}
		*link = parked->next;
		parked_free(park, parked);
	}
}

static rlk_parked *find(const rlk_park *park, rlk_token_id token)
{
	for (rlk_parked *parked = park->first; parked != NULL; parked = parked->next) {
		if (rlk_tokens_may_have(&parked->left.tokens, token))
			return parked;
	}
	return NULL;
}

bool rlk_park_settle(rlk_park *park, rlk_token_id token, int64_t until_at_ms)
{
	for (;;) {
		const rlk_parked *parked;
		int64_t now_ms = rlk_clock_now_ms(), next_ms;

		rlk_park_tend(park);
		parked = find(park, token);
		if (parked == NULL || now_ms >= until_at_ms)
			return parked == NULL;
		next_ms = rlk_clock_earlier(parked->deadline_at_ms, until_at_ms);
		rlk_stream_wait(parked->left.fd, parked->left.tls,
			parked->sent < parked->left.unsent.len ? RLK_SOCKET_WRITABLE : RLK_SOCKET_READABLE, next_ms);
	}
}

void rlk_park_clear(rlk_park *park)
{
	while (park->first != NULL) {
		rlk_parked *parked = park->first;

		park->first = parked->next;
		parked_free(park, parked);
	}
}
