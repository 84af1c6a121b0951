/*
 * rlk_topology_rules: what replies mean, whose turn it is, and for how long.
 */
#include "redis/rlk_topology_rules.h"

#include "base/rlk_os.h"
#include "unit.h"

static void what_a_node_says(void)
{
	static const struct {
		const char *error;
		rlk_redirect kind;
		const char *host;
		int port, slot;
	} cases[] = {
		{ "MOVED 3999 127.0.0.1:6381", RLK_REDIRECT_MOVED, "127.0.0.1", 6381, 3999 },
		{ "ASK 0 10.0.0.7:1", RLK_REDIRECT_ASK, "10.0.0.7", 1, 0 },
		{ "MOVED 16383 ::1:7000", RLK_REDIRECT_MOVED, "::1", 7000, 16383 },
		{ "MOVED 1 [::1]:7000", RLK_REDIRECT_MOVED, "::1", 7000, 1 },
		{ "MOVED 1 node-3.example:7000", RLK_REDIRECT_MOVED, "node-3.example", 7000, 1 },
		{ "MOVED 1 :7000", RLK_REDIRECT_MOVED, "", 7000, 1 },
		{ "MOVED 1 host:", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "MOVED 1 host", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "MOVED 1", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "MOVED", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "MOVED x host:1", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "MOVED 1 host:70000", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "CLUSTERDOWN The cluster is down", RLK_REDIRECT_ANOTHER, "", 0, 0 },
		{ "MOVED 16384 host:1", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "MOVED 99999999999999999999 host:1", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "LOADING Redis is loading the dataset in memory", RLK_REDIRECT_ANOTHER, "", 0, 0 },
		{ "MASTERDOWN Link with MASTER is down", RLK_REDIRECT_ANOTHER, "", 0, 0 },
		{ "TRYAGAIN Multiple keys request during rehashing of slot", RLK_REDIRECT_SPLIT, "", 0, 0 },
		{ "READONLY You can't write against a read only replica.", RLK_REDIRECT_NONE, "", 0, 0 },
		{ "ERR MOVED 1 host:1", RLK_REDIRECT_NONE, "", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_reply reply = { .type = RLK_REPLY_ERROR, .text = rlk_str_from_cstr(cases[i].error) };
		rlk_redirection to = rlk_redirection_read(RLK_TOPOLOGY_CLUSTER, &reply);

		CHECK_INT(to.kind, cases[i].kind);
		if (to.kind != RLK_REDIRECT_MOVED && to.kind != RLK_REDIRECT_ASK)
			continue;
		CHECK(rlk_str_equal(to.host, rlk_str_from_cstr(cases[i].host)));
		CHECK_INT(to.port, cases[i].port);
		CHECK_INT(to.hash_slot, cases[i].slot);
	}
}

static rlk_redirect of_service(rlk_reply_type type, const char *text)
{
	rlk_reply reply = { .type = type, .text = rlk_str_from_cstr(text) };

	return rlk_redirection_read(RLK_TOPOLOGY_SENTINEL, &reply).kind;
}

static void what_a_server_of_a_service_says(void)
{
	rlk_reply readonly = { .type = RLK_REPLY_ERROR, .text = RLK_STR("READONLY You can't write.") };

	CHECK_INT(of_service(RLK_REPLY_ERROR, "READONLY You can't write."), RLK_REDIRECT_DEMOTED);
	CHECK_INT(of_service(RLK_REPLY_ERROR, "ERR WAIT cannot be used with replica instances. Please also note"),
		RLK_REDIRECT_DEMOTED);
	CHECK_INT(of_service(RLK_REPLY_ERROR, "ERR unknown command 'WAIT'"), RLK_REDIRECT_NONE);
	CHECK_INT(of_service(RLK_REPLY_ERROR, "MASTERDOWN Link with MASTER is down"), RLK_REDIRECT_DEMOTED);
	/* Of a script, before Redis 7. */
	CHECK_INT(of_service(RLK_REPLY_ERROR,
				  "ERR Error running script (call to f_846ba1fe7cd1c03672cf6c388074fa53ae0587d6): @user_script:19: "
				  "@user_script: 19: -READONLY You can't write against a read only replica."),
		RLK_REDIRECT_DEMOTED);
	CHECK_INT(of_service(RLK_REPLY_ERROR, "LOADING Redis is loading the dataset in memory"), RLK_REDIRECT_WAIT);
	CHECK_INT(of_service(RLK_REPLY_ERROR, "MOVED 1 host:1"), RLK_REDIRECT_NONE);
	CHECK_INT(of_service(RLK_REPLY_STRING, "READONLY as a value"), RLK_REDIRECT_NONE);
	CHECK_INT(rlk_redirection_read(RLK_TOPOLOGY_SINGLE, &readonly).kind, RLK_REDIRECT_NONE);
}

static int pause_ms(rlk_redirect kind, int redirections)
{
	rlk_redirection to = { .kind = kind };

	return rlk_redirection_pause_ms(&to, redirections);
}

static void pauses_where_nothing_leads_on(void)
{
	CHECK_INT(pause_ms(RLK_REDIRECT_MOVED, 0), 0);
	CHECK_INT(pause_ms(RLK_REDIRECT_ASK, 1), 0);
	CHECK(pause_ms(RLK_REDIRECT_MOVED, 2) > 0);
	CHECK(pause_ms(RLK_REDIRECT_ANOTHER, 0) > 0);
	CHECK(pause_ms(RLK_REDIRECT_WAIT, 0) > 0);
	CHECK(pause_ms(RLK_REDIRECT_DEMOTED, 0) > 0);
	CHECK(pause_ms(RLK_REDIRECT_MOVED, 1000) > pause_ms(RLK_REDIRECT_MOVED, 2));
}

/* Three sentinels, a second for a lap, all the time in the world. */
static rlk_search begun(unsigned turn, int64_t until_ms)
{
	rlk_search search = { .turn = turn };

	rlk_search_begin(&search, 3, 1000, until_ms, 5000);
	return search;
}

static void each_sentinel_has_its_share(void)
{
	rlk_search search = begun(0, RLK_NEVER);

	CHECK_INT(rlk_search_next(&search, 5000), RLK_SEARCH_ASK);
	CHECK_INT(search.turn, 0);
	CHECK_INT(search.next_at_ms, 5250); /* one share is for the master */
	CHECK_INT(rlk_search_next(&search, 5249), RLK_SEARCH_ASK);
	CHECK_INT(search.turn, 0);
	CHECK_INT(rlk_search_next(&search, 5250), RLK_SEARCH_ASK);
	CHECK_INT(search.turn, 1);
	CHECK_INT(search.next_at_ms, 5500);
	rlk_search_pass(&search, 5300); /* it denied */
	CHECK_INT(rlk_search_next(&search, 5300), RLK_SEARCH_ASK);
	CHECK_INT(search.turn, 2);
	CHECK_INT(search.next_at_ms, 5650);
}

static void rounds_have_pauses_between_them(void)
{
	rlk_search search = begun(1, RLK_NEVER);
	int64_t now_ms = 5000;

	for (int i = 0; i < 3; i++) {
		CHECK_INT(rlk_search_next(&search, now_ms), RLK_SEARCH_ASK);
		rlk_search_pass(&search, now_ms);
	}
	CHECK_INT(rlk_search_next(&search, now_ms), RLK_SEARCH_PAUSE);
	CHECK_INT(search.next_at_ms, now_ms + 100);
	CHECK_INT(rlk_search_next(&search, now_ms + 99), RLK_SEARCH_PAUSE);
	CHECK_INT(rlk_search_next(&search, now_ms + 100), RLK_SEARCH_ASK);
	CHECK_INT(search.turn, 1);
	CHECK_INT(search.left, 3);
	/* The longer a failover takes the longer they are, up to a second. */
	for (now_ms = 10000; now_ms < 200000; now_ms = search.next_at_ms) {
		if (rlk_search_next(&search, now_ms) == RLK_SEARCH_PAUSE)
			CHECK(search.next_at_ms - now_ms <= 1000);
	}
	while (rlk_search_next(&search, now_ms) == RLK_SEARCH_ASK)
		rlk_search_pass(&search, now_ms);
	CHECK_INT(search.next_at_ms - now_ms, 1000);
}

/* Who named the master last is asked first the next time. */
static void begins_with_the_sentinel_that_helped(void)
{
	rlk_search search = begun(0, RLK_NEVER);

	rlk_search_pass(&search, 5010);
	CHECK_INT(search.turn, 1); /* this one names the master */
	rlk_search_begin(&search, 3, 1000, RLK_NEVER, 9000);
	CHECK_INT(rlk_search_next(&search, 9000), RLK_SEARCH_ASK);
	CHECK_INT(search.turn, 1);
	CHECK_INT(search.left, 3);
}

static void ends_with_its_time(void)
{
	rlk_search search = begun(0, 5090);

	CHECK_INT(search.next_at_ms, 5000 + 90 / 4);
	for (int i = 0; i < 3; i++)
		rlk_search_pass(&search, 5010);
	CHECK_INT(rlk_search_next(&search, 5010), RLK_SEARCH_OVER);
	CHECK_INT(rlk_search_next(&search, 99999), RLK_SEARCH_OVER);
	search = begun(0, 5000); /* without any time each has a moment all the same */
	CHECK_INT(rlk_search_next(&search, 5000), RLK_SEARCH_ASK);
	CHECK_INT(search.next_at_ms, 5001);
}

static void a_single_sentinel_has_every_turn(void)
{
	rlk_search search = { .turn = 0 };

	rlk_search_begin(&search, 1, 1000, RLK_NEVER, 0);
	CHECK_INT(search.next_at_ms, 500);
	CHECK_INT(rlk_search_next(&search, 500), RLK_SEARCH_PAUSE);
	CHECK_INT(rlk_search_next(&search, 600), RLK_SEARCH_ASK);
	CHECK_INT(search.turn, 0);
}

static void what_a_sentinel_says(void)
{
	rlk_reply items[2] = { { .type = RLK_REPLY_STRING, .text = RLK_STR("10.0.0.1") },
		{ .type = RLK_REPLY_STRING, .text = RLK_STR("6379") } };
	rlk_reply names = { .type = RLK_REPLY_ARRAY, .items = items, .count = 2 };
	const rlk_reply denies = { .type = RLK_REPLY_NIL },
					refuses = { .type = RLK_REPLY_ERROR, .text = RLK_STR("NOPERM") },
					number = { .type = RLK_REPLY_INTEGER, .integer = 1 };
	uint16_t port;
	rlk_str host;

	CHECK_INT(rlk_search_read(&names, &host, &port), RLK_SENTINEL_NAMES);
	CHECK(rlk_str_equal(host, RLK_STR("10.0.0.1")));
	CHECK_INT(port, 6379);
	CHECK_INT(rlk_search_read(&denies, &host, &port), RLK_SENTINEL_DENIES);
	CHECK_INT(rlk_search_read(&refuses, &host, &port), RLK_SENTINEL_REFUSES);
	CHECK_INT(rlk_search_read(&number, &host, &port), RLK_SENTINEL_CONFUSED);
	items[1].text = RLK_STR("0");
	CHECK_INT(rlk_search_read(&names, &host, &port), RLK_SENTINEL_CONFUSED);
	items[1].text = RLK_STR("6379");
	items[0].text = RLK_STR("");
	CHECK_INT(rlk_search_read(&names, &host, &port), RLK_SENTINEL_CONFUSED);
	items[0].type = RLK_REPLY_INTEGER;
	CHECK_INT(rlk_search_read(&names, &host, &port), RLK_SENTINEL_CONFUSED);
}

/* The one that was chosen of nodes that are avoided until then, at 1000. */
static int chosen(int count, const int64_t *avoided_until_ms)
{
	int64_t best_until_ms = RLK_NEVER;
	int best = -1;

	for (int i = 0; i < count; i++) {
		if (rlk_choice_takes(&best_until_ms, avoided_until_ms[i], 1000))
			best = i;
	}
	return best;
}

static void prefers_nodes_that_answer(void)
{
	CHECK_INT(chosen(3, (int64_t[]){ 0, 0, 0 }), 0);
	CHECK_INT(chosen(3, (int64_t[]){ 1001, 1000, 0 }), 1);
	CHECK_INT(chosen(3, (int64_t[]){ 1500, 1300, 1300 }), 1);
	CHECK_INT(chosen(3, (int64_t[]){ 1300, 1500, 999 }), 2);
	CHECK_INT(rlk_topology_share_ms(1000, 3), 334);
	CHECK_INT(rlk_topology_share_ms(1000, 1), 1000);
	CHECK_INT(rlk_topology_share_ms(1000, 0), 1000);
}

int main(void)
{
	RUN(what_a_node_says);
	RUN(what_a_server_of_a_service_says);
	RUN(pauses_where_nothing_leads_on);
	RUN(each_sentinel_has_its_share);
	RUN(rounds_have_pauses_between_them);
	RUN(begins_with_the_sentinel_that_helped);
	RUN(ends_with_its_time);
	RUN(a_single_sentinel_has_every_turn);
	RUN(what_a_sentinel_says);
	RUN(prefers_nodes_that_answer);
	return unit_done();
}
