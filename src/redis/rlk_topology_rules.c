/*
 * rlk_topology_rules: see the header.
 *
 * CLUSTER SLOTS is not used: a node without a hash slot answers who has it, which costs one redirection per slot.
 */
#include "redis/rlk_topology_rules.h"

#include "base/rlk_os.h"
#include "net/rlk_address.h"

/* The pause before a request is repeated that was not redirected, or went in circles; the longer one after so many
 * redirections. */
#define CIRCLE_BEGINS 2
#define REPEAT_PAUSE_MS 50
#define REPEATS_LATER 20
#define REPEAT_LATER_PAUSE_MS 250

/* The pause between two laps: a twentieth of the time that the search has lasted, within these. */
#define LAP_PAUSE_FIRST_MS 100
#define LAP_PAUSE_LAST_MS 1000
#define LAP_PAUSE_PART 20

/* --- hash slots ---------------------------------------------------------------------------------- */

rlk_str rlk_hash_tag(rlk_str key)
{
	const char *open = key.len > 0 ? memchr(key.data, '{', key.len) : NULL;
	const char *close;

	if (open == NULL)
		return key;
	close = memchr(open, '}', key.len - (size_t)(open - key.data));
	if (close == NULL || close == open + 1)
		return key;
	return rlk_str_make(open + 1, (size_t)(close - open - 1));
}

int rlk_hash_slot(rlk_str key)
{
	rlk_str part = rlk_hash_tag(key);
	uint16_t crc = 0;

	/* CRC16 of the XMODEM kind, bit by bit: names are short, and an operation needs one slot. */
	for (size_t i = 0; i < part.len; i++) {
		crc ^= (uint16_t)((unsigned char)part.data[i] << 8);
		for (int bit = 0; bit < 8; bit++)
			crc = (uint16_t)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
	}
	return crc % RLK_CLUSTER_SLOTS;
}

/* --- redirections -------------------------------------------------------------------------------- */

/* "3999 127.0.0.1:6381", behind MOVED or ASK. An IPv6 address may have brackets. */
static bool read_target(rlk_str text, rlk_redirection *to)
{
	size_t at = 0, colon = text.len;

	for (; at < text.len && text.data[at] >= '0' && text.data[at] <= '9' && to->hash_slot < RLK_CLUSTER_SLOTS; at++)
		to->hash_slot = to->hash_slot * 10 + (text.data[at] - '0');
	if (at == text.len || text.data[at++] != ' ' || to->hash_slot >= RLK_CLUSTER_SLOTS)
		return false;
	while (colon > at && text.data[colon - 1] != ':')
		colon--;
	if (colon == at)
		return false;
	to->port = rlk_address_parse_port(rlk_str_make(text.data + colon, text.len - colon));
	to->host = rlk_str_make(text.data + at, colon - 1 - at);
	if (to->host.len >= 2 && to->host.data[0] == '[' && to->host.data[to->host.len - 1] == ']')
		to->host = rlk_str_make(to->host.data + 1, to->host.len - 2);
	return to->port != 0;
}

static rlk_redirect read_cluster(const rlk_reply *reply, rlk_redirection *to)
{
	bool moved = rlk_str_starts_with(reply->text, RLK_STR("MOVED "));
	size_t at = moved ? 6 : rlk_str_starts_with(reply->text, RLK_STR("ASK ")) ? 4 : 0;

	if (at > 0 && !read_target(rlk_str_make(reply->text.data + at, reply->text.len - at), to))
		return RLK_REDIRECT_NONE;
	if (at > 0)
		return moved ? RLK_REDIRECT_MOVED : RLK_REDIRECT_ASK;
	if (rlk_reply_is_error(reply, "TRYAGAIN"))
		return RLK_REDIRECT_SPLIT;
	if (rlk_reply_is_error(reply, "CLUSTERDOWN") || rlk_reply_is_error(reply, "LOADING") ||
		rlk_reply_is_error(reply, "MASTERDOWN"))
		return RLK_REDIRECT_ANOTHER;
	return RLK_REDIRECT_NONE;
}

static rlk_redirect read_sentinel(const rlk_reply *reply)
{
	if (rlk_reply_is_error(reply, "LOADING"))
		return RLK_REDIRECT_WAIT;
	/* The last error is that of a replica to WAIT: a renewal that shortens nothing writes nothing, and a replica
	 * executes it, too. */
	if (rlk_reply_is_error(reply, "READONLY") || rlk_reply_is_error(reply, "MASTERDOWN") ||
		rlk_reply_is_error(reply, "ERR WAIT cannot"))
		return RLK_REDIRECT_DEMOTED;
	return RLK_REDIRECT_NONE;
}

rlk_redirection rlk_redirection_read(rlk_topology_kind kind, const rlk_reply *reply)
{
	rlk_redirection to = { .kind = RLK_REDIRECT_NONE };

	if (reply->type != RLK_REPLY_ERROR)
		return to;
	if (kind == RLK_TOPOLOGY_CLUSTER)
		to.kind = read_cluster(reply, &to);
	else if (kind == RLK_TOPOLOGY_SENTINEL)
		to.kind = read_sentinel(reply);
	return to;
}

/* MOVED and ASK are followed at once. Circles need time: the nodes do not agree yet. */
int rlk_redirection_pause_ms(const rlk_redirection *redirection, int redirections)
{
	bool leads_on = redirection->kind == RLK_REDIRECT_MOVED || redirection->kind == RLK_REDIRECT_ASK ||
		redirection->kind == RLK_REDIRECT_SPLIT;

	if (leads_on && redirections < CIRCLE_BEGINS)
		return 0;
	return redirections < REPEATS_LATER ? REPEAT_PAUSE_MS : REPEAT_LATER_PAUSE_MS;
}

/* --- sentinels ----------------------------------------------------------------------------------- */

static void begin_turn_of_sentinel(rlk_search *search, int64_t now_ms)
{
	int64_t share_ms = (search->lap_until_ms - now_ms) / (search->left + 1);

	search->next_at_ms = rlk_clock_add(now_ms, share_ms > 0 ? share_ms : 1);
}

static void begin_lap(rlk_search *search, int64_t now_ms)
{
	search->left = search->sentinels;
	search->lap_until_ms = rlk_clock_earlier(rlk_clock_add(now_ms, search->lap_ms), search->until_ms);
	begin_turn_of_sentinel(search, now_ms);
}

void rlk_search_begin(rlk_search *search, unsigned sentinels, int lap_ms, int64_t until_ms, int64_t now_ms)
{
	search->sentinels = sentinels;
	search->lap_ms = lap_ms;
	search->began_at_ms = now_ms;
	search->until_ms = until_ms;
	begin_lap(search, now_ms);
}

void rlk_search_pass(rlk_search *search, int64_t now_ms)
{
	int64_t pause_ms = (now_ms - search->began_at_ms) / LAP_PAUSE_PART;

	search->turn = (search->turn + 1) % search->sentinels;
	if (search->left > 0 && --search->left > 0) {
		begin_turn_of_sentinel(search, now_ms);
		return;
	}
	if (pause_ms < LAP_PAUSE_FIRST_MS)
		pause_ms = LAP_PAUSE_FIRST_MS;
	search->next_at_ms = now_ms + rlk_clock_earlier(pause_ms, LAP_PAUSE_LAST_MS);
}

rlk_search_step rlk_search_next(rlk_search *search, int64_t now_ms)
{
	if (search->left == 0 && search->next_at_ms >= search->until_ms)
		return RLK_SEARCH_OVER;
	if (now_ms >= search->next_at_ms && search->left > 0)
		rlk_search_pass(search, now_ms);
	else if (now_ms >= search->next_at_ms)
		begin_lap(search, now_ms);
	if (search->left > 0)
		return RLK_SEARCH_ASK;
	return search->next_at_ms >= search->until_ms ? RLK_SEARCH_OVER : RLK_SEARCH_PAUSE;
}

void rlk_search_argv(const char *service, rlk_str argv[RLK_SEARCH_ARGC])
{
	argv[0] = RLK_STR("SENTINEL");
	argv[1] = RLK_STR("get-master-addr-by-name");
	argv[2] = rlk_str_from_cstr(service);
}

rlk_sentinel_answer rlk_search_read(const rlk_reply *reply, rlk_str *host, uint16_t *port)
{
	if (reply->type == RLK_REPLY_NIL)
		return RLK_SENTINEL_DENIES;
	if (reply->type == RLK_REPLY_ERROR)
		return RLK_SENTINEL_REFUSES;
	if (reply->type != RLK_REPLY_ARRAY || reply->count != 2 || reply->items[0].type != RLK_REPLY_STRING)
		return RLK_SENTINEL_CONFUSED;
	*host = reply->items[0].text;
	*port = rlk_address_parse_port(reply->items[1].text);
	return host->len > 0 && *port != 0 ? RLK_SENTINEL_NAMES : RLK_SENTINEL_CONFUSED;
}

/* --- nodes --------------------------------------------------------------------------------------- */

bool rlk_choice_takes(int64_t *best_until_ms, int64_t avoided_until_ms, int64_t now_ms)
{
	if (*best_until_ms <= now_ms || avoided_until_ms >= *best_until_ms)
		return false;
	*best_until_ms = avoided_until_ms;
	return true;
}

int64_t rlk_topology_share_ms(int64_t left_ms, unsigned servers)
{
	return servers > 1 ? (left_ms + servers - 1) / servers : left_ms;
}
