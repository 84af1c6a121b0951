/*
 * rlk_holder: asks who holds a lock.
 */
#include "lock/rlk_lock_own.h"

#include "net/rlk_resp.h"

#include <stdlib.h>

static void describe_holder(rlk_lock_holder *holder, rlk_str value, int64_t pttl_ms)
{
	holder->token_len = value.len < sizeof(holder->token) ? value.len : sizeof(holder->token) - 1;
	if (holder->token_len > 0)
		memcpy(holder->token, value.data, holder->token_len);
	holder->ttl_ms = pttl_ms;
	holder->weight = 1;
	holder->ours = rlk_token_parse(rlk_str_make(holder->token, holder->token_len), &holder->info);
}

/* The type of the key as messages call it, a sorted set as given. NULL: a lock may have this type, there is no key, or the
 * server does not tell. */
static const char *ask_type(const rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline, const char *sorted_set)
{
	const struct {
		rlk_str type;
		const char *name;
	} types[] = { { RLK_STR("hash"), "a hash" }, { RLK_STR("list"), "a list" }, { RLK_STR("set"), "a set" },
		{ RLK_STR("stream"), "a stream" }, { RLK_STR("string"), NULL }, { RLK_STR("none"), NULL },
		{ RLK_STR("zset"), sorted_set } };
	const rlk_str argv[] = { RLK_STR("TYPE"), rlk_buf_str(&lock->keys.lock) };
	const rlk_reply *reply;

	if (rlk_conn_call(conn, argv, 2, deadline, &reply, NULL) != RLK_YES || reply->type != RLK_REPLY_STATUS)
		return NULL;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (rlk_str_equal(reply->text, types[i].type))
			return types[i].name;
	}
	return "a module's data";
}

static void set_no_lock(const rlk_conn *conn, const char *what, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_NO_LOCK, 0, "the key holds %s, not a lock", what);
	rlk_error_set_node(err, conn->server->uri);
}

void rlk_lock_explain_no_lock(const rlk_lock *lock, rlk_conn *conn, rlk_deadline deadline, rlk_error *err)
{
	const char *what = ask_type(lock, conn, rlk_conn_answers_until(conn, deadline), "a sorted set");

	set_no_lock(conn, what != NULL ? what : "something else than a string", err);
}

/* *arg: an element for each server. */
static rlk_vote read_holder(void *arg, int server, const rlk_reply *reply)
{
	rlk_lock_holder *holder = (rlk_lock_holder *)arg + server;

	if (reply->type == RLK_REPLY_NIL)
		return RLK_VOTE_NO;
	if (reply->type != RLK_REPLY_ARRAY || reply->count != RLK_SCRIPT_HOLDER_FIELDS ||
		reply->items[RLK_SCRIPT_HOLDER_VALUE].type != RLK_REPLY_STRING)
		return RLK_VOTE_NONE;
	describe_holder(holder, reply->items[RLK_SCRIPT_HOLDER_VALUE].text, reply->items[RLK_SCRIPT_HOLDER_PTTL].integer);
	holder->waited = reply->items[RLK_SCRIPT_HOLDER_WAITED].integer == 1;
	return RLK_VOTE_YES;
}

/* The holder that most servers name, or NULL. */
static const rlk_lock_holder *majority(const rlk_votes *votes, const rlk_lock_holder *each)
{
	for (int i = 0; i < votes->count; i++) {
		int named = 0;

		for (int j = 0; j < votes->count && votes->cast[i] == RLK_VOTE_YES; j++)
			named += votes->cast[j] == RLK_VOTE_YES &&
				rlk_str_equal(rlk_str_make(each[i].token, each[i].token_len),
					rlk_str_make(each[j].token, each[j].token_len));
		if (named >= rlk_votes_needed(votes->count))
			return &each[i];
	}
	return NULL;
}

/* --- several holders, on one server ---------------------------------------------------------------- */

/* Reads one answer; a long list takes several. */
typedef struct {
	bool waited;
	int64_t next;
	size_t len;
	char text[RLK_REPLY_TEXT_MAX];
} holders_page;

static rlk_vote read_page(void *arg, int server, const rlk_reply *reply)
{
	holders_page *page = arg;
	const rlk_reply *next;
	rlk_str text;

	(void)server;
	if (reply->type == RLK_REPLY_NIL)
		return RLK_VOTE_NO;
	if (reply->type != RLK_REPLY_ARRAY || reply->count != RLK_SCRIPT_HOLDERS_FIELDS ||
		reply->items[RLK_SCRIPT_HOLDERS_TEXT].type != RLK_REPLY_STRING)
		return RLK_VOTE_NONE;
	next = &reply->items[RLK_SCRIPT_HOLDERS_NEXT];
	if (!rlk_reply_is_within(next, 0, RLK_NEVER) || (next->integer > 0 && next->integer <= page->next))
		return RLK_VOTE_NONE; /* this would not end */
	text = reply->items[RLK_SCRIPT_HOLDERS_TEXT].text;
	page->waited = reply->items[RLK_SCRIPT_HOLDERS_WAITED].integer == 1;
	page->next = next->integer;
	page->len = text.len < sizeof(page->text) ? text.len : sizeof(page->text) - 1;
	memcpy(page->text, text.data, page->len);
	page->text[page->len] = '\0';
	return RLK_VOTE_YES;
}

/* Reads the holder at *at, and moves *at to the next. false: there is none. */
static bool take_holder(const holders_page *page, size_t *at, rlk_lock_holder *holder)
{
	const char *end = page->text + page->len;
	char *value;
	long long left_ms = strtoll(page->text + *at, &value, 10);
	long weight;
	size_t len;

	weight = strtol(value, &value, 10);
	len = strtoul(value, &value, 10);
	if (value >= end || *value != ' ' || len > (size_t)(end - value - 1))
		return false;
	memset(holder, 0, sizeof(*holder));
	describe_holder(holder, rlk_str_make(value + 1, len), left_ms);
	holder->waited = page->waited;
	holder->weight = (int)weight;
	*at = (size_t)(value + 1 - page->text) + len;
	return true;
}

/* All pages together have the time limit of one request. */
static rlk_outcome find_all_on_one(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	rlk_tell_holder tell, void *arg, rlk_error *err)
{
	holders_page page = { .next = 0 };
	rlk_outcome outcome;
	bool enough = false;

	do {
		char number[RLK_RESP_INT_MAX];
		rlk_lock_holder holder;
		rlk_str keys[3], next = rlk_resp_int(page.next, number);
		rlk_operation op = {
			.request = { &rlk_script_set_holders, keys, &next, rlk_lock_keys_to_wake(lock, keys) > 1 ? 2 : 1, 1 },
			.read = read_page,
			.arg = &page,
			.may_repeat = true,
		};
		const char *what;

		outcome = rlk_operation_run(lock, servers, &op, deadline, err);
		deadline = rlk_conn_answers_until(servers->conn, deadline);
		for (size_t at = 0; outcome == RLK_YES && !enough && take_holder(&page, &at, &holder);) {
			/* The value is empty, or could not be read: asks whether the key is a lock at all. */
			if (holder.token_len == 0 && (what = ask_type(lock, servers->conn, deadline, NULL)) != NULL) {
				set_no_lock(servers->conn, what, err);
				outcome = RLK_FAIL;
				break;
			}
			enough = !tell(arg, &holder);
		}
	} while (outcome == RLK_YES && page.next > 0 && !enough);
	return outcome;
}

/* --- one ------------------------------------------------------------------------------------------- */

static bool take_first(void *first, const rlk_lock_holder *holder)
{
	*(rlk_lock_holder *)first = *holder;
	return false;
}

static rlk_outcome find_on_one(rlk_lock *lock, const rlk_servers *servers, rlk_operation *op, rlk_deadline deadline,
	rlk_lock_holder *holder, rlk_error *err)
{
	rlk_outcome outcome;

	op->arg = holder;
	outcome = rlk_operation_run(lock, servers, op, deadline, err);
	/* The key is no string: a lock of several holders, or no lock. */
	if (outcome == RLK_YES && holder->token_len == 0)
		outcome =
			find_all_on_one(lock, servers, rlk_conn_answers_until(servers->conn, deadline), take_first, holder, err);
	return outcome;
}

static rlk_outcome find_on_several(rlk_lock *lock, const rlk_servers *servers, rlk_operation *op, rlk_deadline deadline,
	rlk_lock_holder *holder, rlk_lock_holder *each, rlk_error *err)
{
	size_t count = (size_t)servers->quorum->count;
	rlk_lock_holder *found = each != NULL ? each : malloc(count * sizeof(*found));
	const rlk_lock_holder *most;
	rlk_outcome outcome;

	if (found == NULL) {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for the answers");
		return RLK_FAIL;
	}
	memset(found, 0, count * sizeof(*found));
	op->arg = found;
	outcome = rlk_operation_run(lock, servers, op, deadline, err);
	most = majority(&servers->quorum->votes, found);
	if (outcome == RLK_YES && most != NULL)
		*holder = *most;
	else if (outcome == RLK_YES)
		outcome = RLK_NO;
	if (found != each)
		free(found);
	return outcome;
}

rlk_outcome rlk_lock_ask_holder(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	rlk_lock_holder *holder, rlk_lock_holder *each, rlk_error *err)
{
	rlk_str keys[3];
	rlk_operation op = {
		.request = { &rlk_script_holder, keys, NULL, rlk_lock_keys_to_wake(lock, keys) > 1 ? 2 : 1, 0 },
		.round = RLK_ROUND_SURVEY,
		.read = read_holder,
		.may_repeat = true,
	};

	memset(holder, 0, sizeof(*holder));
	return servers->quorum != NULL ? find_on_several(lock, servers, &op, deadline, holder, each, err) :
									 find_on_one(lock, servers, &op, deadline, holder, err);
}

rlk_outcome rlk_lock_ask_holders(rlk_lock *lock, const rlk_servers *servers, rlk_deadline deadline,
	rlk_tell_holder tell, void *arg, rlk_error *err)
{
	rlk_lock_holder holder;
	rlk_outcome outcome;

	if (servers->quorum == NULL)
		return find_all_on_one(lock, servers, deadline, tell, arg, err);
	outcome = rlk_lock_ask_holder(lock, servers, deadline, &holder, NULL, err);
	if (outcome == RLK_YES)
		tell(arg, &holder);
	return outcome;
}
