/*
 * lock_case: a lock "k" with the token "mine", on a server that does what a script says. For the tests of locks.
 */
#ifndef LOCK_CASE_H
#define LOCK_CASE_H

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"
#include "fake_server.h"
#include "unit.h"

static fake_server fake;
static rlk_server server;
static rlk_drain_list drain;
static rlk_conn conn;
static const rlk_servers one = { &conn, NULL };
static rlk_lock lock;
static rlk_replicas replicas;
static rlk_error err;

/* Like a fresh one, known to the scripts. */
static inline bool set_token(void)
{
	bool done = rlk_lock_set_token(&lock, RLK_STR("mine"), RLK_STR(""), &err);

	lock.token.from_caller = false;
	return done;
}

/* A lock "k" with the token "mine" on a server that plays the script. */
static inline bool begin(const char *script, int io_timeout_ms)
{
	rlk_error_clear(&err);
	rlk_server_init(&server, 5000, io_timeout_ms);
	if (!fake_server_start(&fake, script) || !fake_server_address(&fake, &server))
		return false;
	rlk_conn_init(&conn, &server, &drain);
	return rlk_lock_init(&lock, RLK_STR(""), RLK_STR("k"), &err) && set_token();
}

/* Gives everything back; what the server has to say of the exchange. */
static inline const char *end(void)
{
	const char *verdict;

	rlk_conn_close(&conn);
	verdict = fake_server_end(&fake);
	rlk_drain_tend(&drain);
	if (drain.open != 0)
		printf("# %d connections are drained still\n", drain.open);
	rlk_drain_clear(&drain);
	rlk_lock_destroy(&lock);
	rlk_server_destroy(&server);
	return verdict;
}

static inline rlk_outcome acquire(int64_t ttl_ms, int64_t wait_ms, int64_t retry_ms)
{
	rlk_lock_terms terms = { .ttl_ms = ttl_ms,
		.deadline = wait_ms > 0 ? rlk_deadline_in(wait_ms) : RLK_DEADLINE_NONE,
		.attempts = wait_ms > 0 ? 0 : 1,
		.retry_ms = retry_ms,
		.replicas = &replicas };

	if (lock.token.text.len == 0 && !set_token()) /* a release whose answer is to come has taken it along */
		return RLK_FAIL;
	return rlk_lock_acquire(&lock, &one, &terms, &err);
}

#define HELD "EXPECT SET k mine NX PX 10000\nSEND +OK\n"
/* In front of the second acquisition over a connection. */
#define ASKED "EXPECT COMMAND LIST FILTERBY PATTERN del*\nSEND -ERR unknown subcommand\n"

#endif
