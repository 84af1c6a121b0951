/*
 * rlk_quorum_lock: see the header.
 */
#include "lock/rlk_quorum_lock.h"

#include "base/rlk_clock.h"
#include "base/rlk_os.h"
#include "base/rlk_random.h"
#include "net/rlk_resp.h"
#include "net/rlk_socket.h"

#include <stdlib.h>

static rlk_vote read_set(void *arg, int server, const rlk_reply *reply)
{
	(void)arg;
	(void)server;
	if (reply->type == RLK_REPLY_STATUS && rlk_str_equal(reply->text, RLK_STR("OK")))
		return RLK_VOTE_YES;
	return reply->type == RLK_REPLY_NIL ? RLK_VOTE_NO : RLK_VOTE_NONE;
}

/* Of the scripts that answer 1 for done and 0 for "not ours", and of the compare commands that answer so or as SET does. */
static rlk_vote read_done(void *arg, int server, const rlk_reply *reply)
{
	if (reply->type != RLK_REPLY_INTEGER)
		return read_set(arg, server, reply);
	return reply->integer != 0 ? RLK_VOTE_YES : RLK_VOTE_NO;
}

/* In a round about something we have. Too few answers: *err says which. */
static rlk_outcome outcome_of(const rlk_nodes *nodes, rlk_verdict verdict, rlk_error *err)
{
	switch (verdict) {
		case RLK_VERDICT_YES:
			return RLK_YES;
		case RLK_VERDICT_NO:
			return RLK_NO;
		case RLK_VERDICT_LATE:
			rlk_error_set(err, RLK_ERR_TIMEOUT, 0, "the answers took longer than the ttl");
			if (err != NULL)
				err->retryable = true;
			return RLK_UNKNOWN;
		default:
			rlk_nodes_explain(nodes, err);
			return RLK_UNKNOWN;
	}
}

/* Servers that were asked in the last round, and have not answered. */
static uint32_t unanswered(const rlk_nodes *nodes)
{
	uint32_t among = 0;

	for (int i = 0; i < nodes->count; i++) {
		rlk_vote vote = nodes->quorum.votes[i];

		among |= vote == RLK_VOTE_PENDING || vote == RLK_VOTE_SILENT ? UINT32_C(1) << i : 0;
	}
	return among & nodes->quorum.sent;
}

/* With a given token nothing is released where the outcome is not known, and the key is ours where it has that already. */
static rlk_outcome try_once(rlk_lock *lock, rlk_nodes *nodes, int64_t ttl_ms, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str key = rlk_buf_str(&lock->key), token = rlk_buf_str(&lock->token);
	rlk_str argv[] = { RLK_STR("SET"), key, token, RLK_STR("NX"), RLK_STR("PX"), rlk_resp_int(ttl_ms, number) };
	rlk_release release = { key, token, 0, lock->given };
	const rlk_str adopt_argv[] = { key, token, argv[5] };
	const rlk_question adopt = { &rlk_script_extend, adopt_argv, 3, 1, false };
	const rlk_nodes_request request = { .question = { NULL, argv, 6, 0, false },
		.among = RLK_NODES_ALL,
		.pending = &release,
		.adopt = lock->given ? &adopt : NULL,
		.unsure = lock->unsure,
		.read = lock->given ? read_done : read_set };
	uint32_t may_have;
	rlk_verdict verdict;
	rlk_outcome outcome;

	rlk_nodes_begin(nodes, RLK_ROUND_TAKE, rlk_lock_least_ttl_ms(lock, ttl_ms));
	release.until_ms = rlk_clock_add(nodes->asked_at_ms, 2 * ttl_ms); /* it may arrive late */
	verdict = rlk_nodes_ask(nodes, &request);
	may_have = rlk_nodes_may_have(nodes);
	lock->unsure = lock->given && (lock->unsure || unanswered(nodes) != 0);
	if (verdict == RLK_VERDICT_YES) {
		lock->held = true;
		lock->ttl_ms = ttl_ms;
		lock->ttl_known = true;
		lock->acquired_at_ms = nodes->asked_at_ms;
		lock->valid_until_ms = nodes->quorum.valid_until_ms;
		lock->maybe_on = may_have;
		return RLK_YES;
	}
	rlk_nodes_let_go(nodes, lock->given ? may_have & ~unanswered(nodes) : may_have, &release);
	outcome = outcome_of(nodes, verdict, err);
	return outcome == RLK_UNKNOWN ? RLK_FAIL : outcome; /* what may have been done is being undone */
}

/* Pauses. Between two rounds nothing is under way, so handlers may use the same servers. false: stop, see *err. */
static bool pause_until(const rlk_hooks *hooks, int64_t until_ms, rlk_error *err)
{
	const rlk_socket_beside nothing = { RLK_SOCKET_NONE, RLK_SOCKET_READABLE };
	long pid = rlk_os_process_id();

	while (rlk_socket_wait_or_signal(RLK_SOCKET_NONE, nothing, until_ms, hooks != NULL ? hooks->pending : NULL,
			   hooks != NULL ? hooks->arg : NULL) == RLK_SOCKET_SIGNAL) {
		bool stop = hooks->interrupted(hooks->arg);

		if (rlk_os_process_id() != pid) {
			rlk_error_set(err, RLK_ERR_IO, 0, "the process was forked while it waited for the lock");
			return false;
		}
		if (stop) {
			rlk_error_set(err, RLK_ERR_INTERRUPTED, 0, "the wait was interrupted");
			return false;
		}
	}
	return true;
}

rlk_outcome rlk_quorum_acquire(rlk_lock *lock, rlk_nodes *nodes, const rlk_lock_request *request, rlk_error *err)
{
	const rlk_hooks *hooks = request->hooks;

	rlk_quorum_note_unanswered(lock, nodes); /* a given token may be the same again */
	rlk_lock_forget(lock);
	for (int attempt = 1;; attempt++) {
		rlk_outcome outcome = RLK_FAIL;
		int64_t now_ms, until_ms;
		rlk_error local;

		rlk_error_clear(&local);
		if (hooks == NULL || hooks->attempt == NULL || hooks->attempt(hooks->arg, &local))
			outcome = try_once(lock, nodes, request->ttl_ms, &local);
		now_ms = rlk_clock_now_ms();
		if (outcome == RLK_YES || (outcome == RLK_FAIL && !local.retryable) ||
			(request->attempts > 0 ? attempt >= request->attempts : now_ms >= request->deadline_at_ms)) {
			rlk_error_adopt(err, &local);
			return outcome;
		}
		until_ms =
			now_ms + rlk_quorum_pause_ms(rlk_clock_earlier(request->retry_ms, INT32_MAX), rlk_random_spread(INT32_MAX));
		if (request->attempts == 0 && until_ms > request->deadline_at_ms)
			until_ms = request->deadline_at_ms;
		if (!pause_until(hooks, until_ms, err))
			return RLK_FAIL;
	}
}

/* A script about a lock we have, to the servers that may have its key. */
static rlk_verdict ask_ours(rlk_lock *lock, rlk_nodes *nodes, rlk_nodes_request *request, rlk_str *argv, int64_t ttl_ms)
{
	argv[0] = rlk_buf_str(&lock->key);
	argv[1] = rlk_buf_str(&lock->token);
	request->question.argv = argv;
	request->question.key_count = 1;
	request->among = lock->maybe_on != 0 ? lock->maybe_on : RLK_NODES_ALL;
	rlk_nodes_begin(nodes, RLK_ROUND_KEEP, ttl_ms);
	return rlk_nodes_ask(nodes, request);
}

static rlk_release release_of(const rlk_lock *lock, int64_t now_ms)
{
	int64_t until_ms = lock->ttl_ms > 0 ? rlk_clock_add(now_ms, 2 * lock->ttl_ms) : RLK_NEVER;

	return (rlk_release){ rlk_buf_str(&lock->key), rlk_buf_str(&lock->token), until_ms, lock->given };
}

/* It is not ours on most servers: the few that may still have it are told. With a token of the caller's they keep it, since
 * somebody else may just be taking the lock with that. */
static void forget_lost(rlk_lock *lock, rlk_nodes *nodes)
{
	rlk_release release = release_of(lock, rlk_clock_now_ms());

	if (!lock->given) {
		rlk_nodes_lock_ends(nodes, &release);
		rlk_nodes_let_go(nodes, lock->maybe_on != 0 ? lock->maybe_on : RLK_NODES_ALL, &release);
	}
	rlk_lock_forget(lock);
}

rlk_outcome rlk_quorum_extend(rlk_lock *lock, rlk_nodes *nodes, int64_t ttl_ms, rlk_error *err)
{
	char number[RLK_RESP_INT_MAX];
	rlk_str argv[3] = { RLK_STR(""), RLK_STR(""), rlk_resp_int(ttl_ms, number) };
	bool shortens = rlk_lock_may_shorten(lock, ttl_ms);
	rlk_nodes_request request = { .question = { .script = shortens ? &rlk_script_extend : &rlk_script_renew,
									  .argc = 3 },
		.read = read_done };
	rlk_outcome outcome = outcome_of(nodes, ask_ours(lock, nodes, &request, argv, ttl_ms), err);
	int64_t valid_until_ms = rlk_quorum_valid_until(nodes->asked_at_ms, rlk_lock_least_ttl_ms(lock, ttl_ms));

	if (outcome == RLK_YES) {
		lock->held = true;
		lock->ttl_ms = ttl_ms;
		lock->ttl_known = true;
		lock->extended_at_ms = shortens || rlk_nodes_refuse_scripts(nodes) ? nodes->asked_at_ms : 0;
		lock->valid_until_ms = valid_until_ms;
	} else if (outcome == RLK_NO) {
		forget_lost(lock, nodes);
	} else if (shortens || rlk_nodes_refuse_scripts(nodes)) {
		lock->least_ttl_ms = rlk_lock_least_ttl_ms(lock, ttl_ms);
		lock->valid_until_ms = rlk_clock_earlier(lock->valid_until_ms, valid_until_ms);
	}
	return outcome;
}

void rlk_quorum_note_unanswered(rlk_lock *lock, const rlk_nodes *nodes)
{
	for (int i = 0; i < nodes->count && lock->extended_at_ms > 0; i++) {
		if (nodes->node[i].gave_up_at_ms >= lock->extended_at_ms)
			lock->least_ttl_ms = rlk_lock_least_ttl_ms(lock, lock->ttl_ms);
	}
}

void rlk_quorum_leave(rlk_lock *lock, rlk_nodes *nodes)
{
	rlk_release release = release_of(lock, rlk_clock_now_ms());

	rlk_nodes_lock_is_lost(nodes, &release);
}

rlk_outcome rlk_quorum_release(rlk_lock *lock, rlk_nodes *nodes, int64_t rest_until_ms, rlk_error *err)
{
	char resting[RLK_TOKEN_MAX], number[RLK_RESP_INT_MAX];
	int64_t now_ms = rlk_clock_now_ms(), rest_ms = rest_until_ms - now_ms;
	rlk_release release = release_of(lock, now_ms);
	rlk_nodes_request request = { .question = { .script = &rlk_script_release, .argc = 2, .resets = lock->given },
		.pending = &release,
		.read = read_done };
	rlk_str argv[4];
	rlk_outcome outcome;

	request.repeated_no_is_yes = lock->held && now_ms < lock->valid_until_ms;
	if (rest_until_ms > 0 && rest_ms > 0) {
		size_t len = rlk_token_make(resting, RLK_STR(""), true, err);

		if (len == 0)
			return RLK_FAIL;
		argv[2] = rlk_str_make(resting, len);
		argv[3] = rlk_resp_int(rest_ms, number);
		request.question.argc = 4;
		request.pending = NULL; /* where it does not arrive, the lock rests for the ttl it has */
	}
	if (request.pending != NULL)
		request.released_before = rlk_nodes_lock_ends(nodes, &release);
	if (lock->unsure)
		lock->maybe_on = 0; /* an earlier try may have it elsewhere */
	outcome = outcome_of(nodes, ask_ours(lock, nodes, &request, argv, 0), err);
	lock->unsure = lock->given &&
		rlk_quorum_votes(&nodes->quorum, RLK_VOTE_YES) + rlk_quorum_votes(&nodes->quorum, RLK_VOTE_NO) < nodes->count;
	if (outcome != RLK_UNKNOWN) {
		rlk_lock_forget(lock);
		return outcome;
	}
	lock->leaving = true;
	lock->valid_until_ms = 0; /* it may have been done, and somebody else have the lock */
	return outcome;
}

typedef struct {
	int64_t left_ms; /* the least of those found, RLK_NEVER: without expiry */
} owned_state;

static rlk_vote read_owned(void *arg, int server, const rlk_reply *reply)
{
	owned_state *owned = arg;
	int64_t left_ms = reply->integer;

	(void)server;
	if (reply->type != RLK_REPLY_INTEGER)
		return RLK_VOTE_NONE;
	if (left_ms == RLK_SCRIPT_OWNED_NOT_OURS)
		return RLK_VOTE_NO;
	if (left_ms != RLK_SCRIPT_OWNED_NO_EXPIRY && left_ms < owned->left_ms)
		owned->left_ms = left_ms;
	return RLK_VOTE_YES;
}

rlk_outcome rlk_quorum_confirm(rlk_lock *lock, rlk_nodes *nodes, rlk_error *err)
{
	owned_state owned = { RLK_NEVER };
	rlk_nodes_request request = { .question = { .script = &rlk_script_owned, .argc = 2 },
		.read = read_owned,
		.arg = &owned };
	rlk_str argv[2];
	rlk_outcome outcome = outcome_of(nodes, ask_ours(lock, nodes, &request, argv, 0), err);

	if (lock->least_ttl_ms > 0)
		owned.left_ms = rlk_clock_earlier(owned.left_ms, lock->least_ttl_ms);
	if (outcome == RLK_YES && owned.left_ms == RLK_NEVER) {
		rlk_lock_found(lock, RLK_NEVER, RLK_NEVER);
	} else if (outcome == RLK_YES) {
		rlk_lock_found(lock, rlk_quorum_valid_until(nodes->asked_at_ms, owned.left_ms),
			rlk_clock_add(rlk_clock_now_ms(), owned.left_ms));
	} else if (outcome == RLK_NO) {
		forget_lost(lock, nodes);
	}
	return outcome;
}

static rlk_vote read_holder(void *arg, int server, const rlk_reply *reply)
{
	rlk_lock_holder *each = arg;

	if (reply->type == RLK_REPLY_NIL)
		return RLK_VOTE_NO;
	return rlk_lock_read_holder(reply, &each[server]) ? RLK_VOTE_YES : RLK_VOTE_NONE;
}

static bool same_token(const rlk_lock_holder *a, const rlk_lock_holder *b)
{
	return rlk_str_equal(rlk_str_make(a->token, a->token_len), rlk_str_make(b->token, b->token_len));
}

/* The one that most servers name. */
static const rlk_lock_holder *majority(const rlk_quorum *quorum, const rlk_lock_holder *each)
{
	for (int i = 0; i < quorum->count; i++) {
		int votes = 0;

		for (int j = 0; j < quorum->count && quorum->votes[i] == RLK_VOTE_YES; j++)
			votes += quorum->votes[j] == RLK_VOTE_YES && same_token(&each[i], &each[j]);
		if (votes >= rlk_quorum_needed(quorum->count))
			return &each[i];
	}
	return NULL;
}

rlk_outcome rlk_quorum_ask_holder(rlk_lock *lock, rlk_nodes *nodes, int64_t until_ms, rlk_lock_holder *holder,
	rlk_lock_holder *each, rlk_error *err)
{
	rlk_lock_holder *found = each != NULL ? each : malloc((size_t)nodes->count * sizeof(*found));
	rlk_str key = rlk_buf_str(&lock->key);
	const rlk_nodes_request request = { .question = { &rlk_script_holder, &key, 1, 1, false },
		.among = RLK_NODES_ALL,
		.read = read_holder,
		.arg = found };
	const rlk_lock_holder *most;
	rlk_outcome outcome;

	memset(holder, 0, sizeof(*holder));
	if (found == NULL) {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for the answers");
		return RLK_FAIL;
	}
	memset(found, 0, (size_t)nodes->count * sizeof(*found));
	rlk_nodes_begin(nodes, RLK_ROUND_HEAR, 0);
	nodes->quorum.hear_until_ms = until_ms;
	outcome = outcome_of(nodes, rlk_nodes_ask(nodes, &request), err);
	most = majority(&nodes->quorum, found);
	if (outcome == RLK_YES && most != NULL)
		*holder = *most;
	else if (outcome == RLK_YES)
		outcome = RLK_NO;
	if (found != each)
		free(found);
	return outcome;
}

/* *arg: has one of them a key that is no lock? */
static rlk_vote read_forced(void *arg, int server, const rlk_reply *reply)
{
	bool *no_lock = arg;

	(void)server;
	if (reply->type != RLK_REPLY_INTEGER)
		return RLK_VOTE_NONE;
	*no_lock = *no_lock || reply->integer == RLK_SCRIPT_FORCE_RELEASE_NO_LOCK;
	return reply->integer == RLK_SCRIPT_FORCE_RELEASE_DELETED ? RLK_VOTE_YES : RLK_VOTE_NO;
}

rlk_outcome rlk_quorum_force_release(rlk_lock *lock, rlk_nodes *nodes, rlk_error *err)
{
	rlk_str key = rlk_buf_str(&lock->key);
	bool no_lock = false;
	const rlk_nodes_request request = { .question = { &rlk_script_force_release, &key, 1, 1, false },
		.among = RLK_NODES_ALL,
		.read = read_forced,
		.arg = &no_lock };
	rlk_outcome outcome;

	rlk_nodes_begin(nodes, RLK_ROUND_HEAR, 0);
	outcome = outcome_of(nodes, rlk_nodes_ask(nodes, &request), err);
	if (outcome != RLK_YES || rlk_quorum_votes(&nodes->quorum, RLK_VOTE_YES) > 0)
		return outcome;
	if (no_lock)
		rlk_error_set(err, RLK_ERR_NO_LOCK, 0, "the key holds something else than a string, not a lock");
	return no_lock ? RLK_FAIL : RLK_NO;
}
