/*
 * wait_case: a lock with the token "mine" that is waited for, on a server that does what a script says; and what waiter and
 * server say to each other.
 */
#ifndef WAIT_CASE_H
#define WAIT_CASE_H

#include "base/rlk_os.h"
#include "fake_server.h"
#include "lock/rlk_lock.h"
#include "lock/rlk_wait.h"
#include "unit.h"

static fake_server fake;
static rlk_server server;
static rlk_drain_list drain;
static rlk_conn conn;
static const rlk_servers one = { &conn, NULL };
static rlk_lock lock;
static rlk_error err;

/* A lock with the token "mine" on a server that plays the script. */
static inline bool begin_named(const char *script, const char *name, int io_timeout_ms)
{
	rlk_error_clear(&err);
	rlk_server_init(&server, 5000, io_timeout_ms);
	if (!fake_server_start(&fake, script) || !fake_server_address(&fake, &server))
		return false;
	rlk_conn_init(&conn, &server, &drain);
	if (!rlk_lock_init(&lock, RLK_STR(""), rlk_str_from_cstr(name), &err) ||
		!rlk_lock_set_token(&lock, RLK_STR("mine"), RLK_STR(""), &err))
		return false;
	lock.token.from_caller = false; /* like a fresh one, known to the scripts */
	return true;
}

static inline bool begin(const char *script)
{
	return begin_named(script, "k", 5000);
}

static inline const char *end(void)
{
	const char *verdict;

	rlk_conn_close(&conn);
	verdict = fake_server_end(&fake);
	rlk_drain_clear(&drain);
	rlk_lock_destroy(&lock);
	rlk_server_destroy(&server);
	return verdict;
}

/* Reads before what nobody waited for, but the server has still to say. */
static inline const char *end_drained(void)
{
	while (rlk_conn_has_unread(&conn))
		rlk_conn_collect(&conn);
	return end();
}

static inline rlk_lock_terms terms_for(int64_t ttl_ms, int64_t wait_ms)
{
	return (rlk_lock_terms){ .ttl_ms = ttl_ms, .deadline = rlk_deadline_in(wait_ms), .retry_ms = 200 };
}

static inline rlk_outcome acquire(int64_t ttl_ms, int64_t wait_ms)
{
	rlk_lock_terms terms = terms_for(ttl_ms, wait_ms);

	return rlk_lock_acquire(&lock, &one, &terms, &err);
}

#define NIL "SEND $-1\n"
#define HELD "EXPECT SET k mine NX PX 10000\n" NIL
#define JOIN \
	"EXPECT EVALSHA * 6 k {k}:rlk:waiters {k}:rlk:signal {k}:rlk:turn {k}:rlk:turn:rlk:waiters {k}:rlk:turn:rlk:signal mine 2000  * *\n"
#define WAKES "SEND *4\\r\\n:0\\r\\n:9000\\r\\n:1\\r\\n:0\n"
#define PAIR "EXPECT BLPOP {k}:rlk:signal *\nEXPECT SET k mine NX PX 2000\n"
#define POPPED "SEND *2\\r\\n$14\\r\\n{k}:rlk:signal\\r\\n$1\\r\\n1\n"
#define TIMED_OUT "SEND *-1\n"
#define OK "SEND +OK\n"
#define EXTENSION "EXPECT EVAL (text) 1 k mine 10000\n"
#define LEAVE "EXPECT EVAL (text) 3 k {k}:rlk:waiters {k}:rlk:signal mine\n"

#endif
