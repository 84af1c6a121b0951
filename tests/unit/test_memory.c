/* unit: add tests/unit/fake_server.c */
/* unit: add tests/unit/failing_memory.c */
/* unit: link -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -l:libhiredis.a */
/* unit: POSIX only: variables of a thread are allocated there, amid the allocation that is to fail */
/*
 * Every way through the engine again for every k, with the k-th allocation failing: what follows is an error that says
 * so, nothing is believed that is not so, nothing leaks (which the sanitizer or valgrind sees), and, given memory, the
 * next call on the same lock and connection works.
 */
#include "lock/rlk_lock.h"

#include "base/rlk_os.h"
#include "lock/rlk_wait.h"
#include "failing_memory.h"
#include "fake_server.h"
#include "renew/rlk_renewal.h"
#include "unit.h"
#include "net/rlk_pool.h"
#include "net/rlk_socket.h"
#include "redis/rlk_exchange.h"

static fake_server fake;
static rlk_server server;
static rlk_drain_list drain;
static rlk_pool pool;
static rlk_conn conn;
static const rlk_servers one = { &conn, NULL };
static rlk_lock lock;
static rlk_error err;

/* What the servers know. Scripts are new to them each time, so that both ways to call one are taken. */
#define SERVER \
	"AUTH u p => +OK\nSELECT 3 => +OK\nCLIENT SETNAME c => +OK\n" \
	"SET k mine NX PX 10000 => +OK\nSET k mine NX PX 2000 => +OK\nSET taken * NX PX * => $-1\n" \
	"EVALSHA * 2 k {k}:rlk:waiters => *3\\r\\n$5\\r\\nother\\r\\n:9000\\r\\n:1\n" \
	"EVALSHA * 6 taken {taken}:rlk:waiters ... => *4\\r\\n:0\\r\\n:9000\\r\\n:1\\r\\n:0\n" \
	"BLPOP {taken}:rlk:signal * => *-1\n" \
	"EVALSHA ... => -NOSCRIPT No matching script\n" \
	"EVAL ... => :1\n"
#define OLDER "SERVE\nCOMMAND ... => -ERR unknown subcommand\n" SERVER
#define NEWER \
	"SERVE\nCOMMAND ... => *1\\r\\n$5\\r\\ndelex\nDELEX k IFEQ mine => :1\nSET k * IFEQ mine ... => +OK\n" \
	"EXISTS {k}:rlk:waiters => :1\n" SERVER

typedef rlk_outcome (*walk)(void);

/* How long a_wait_in_vain() waits. */
static int64_t patience_ms = 200;

static bool begin(const char *name)
{
	rlk_server_init(&server, 5000, 5000);
	drain = (rlk_drain_list){ 0 };
	memset(&pool, 0, sizeof(pool));
	memset(&lock, 0, sizeof(lock));
	rlk_conn_init(&conn, &server, &drain);
	conn.pool = &pool;
	server.database = 3;
	if (!fake_server_address(&fake, &server) || !rlk_str_store(&server.user, RLK_STR("u")) ||
		!rlk_str_store(&server.password, RLK_STR("p")) || !rlk_str_store(&server.client_name, RLK_STR("c"))) {
		rlk_error_set(&err, RLK_ERR_MEMORY, 0, "memory");
		return false;
	}
	return rlk_lock_init(&lock, RLK_STR(""), rlk_str_from_cstr(name), &err) &&
		rlk_lock_set_token(&lock, RLK_STR("mine"), RLK_STR(""), &err);
}

static void end(void)
{
	rlk_lock_destroy(&lock); /* first: its second connection may go to the pool */
	rlk_conn_close(&conn);
	rlk_pool_clear(&pool);
	rlk_drain_clear(&drain);
	rlk_server_destroy(&server);
}

static rlk_outcome acquire(bool fence, int64_t wait_ms)
{
	rlk_lock_terms terms = { .ttl_ms = 10000,
		.deadline = wait_ms > 0 ? rlk_deadline_in(wait_ms) : RLK_DEADLINE_NONE,
		.attempts = wait_ms > 0 ? 0 : 1,
		.retry_ms = 1,
		.fence = fence };
	rlk_outcome outcome;

	outcome = rlk_lock_acquire(&lock, &one, &terms, &err);
	return lock.held != (outcome == RLK_YES) ? RLK_FAIL : outcome;
}

/* Everything that is asked of a lock without waiting. The connection goes into the pool between two steps and comes
 * out of it. */
static rlk_outcome one_lock(void)
{
	rlk_lock_holder holder;
	rlk_outcome outcome = begin("k") ? acquire(false, 0) : RLK_FAIL;

	if (outcome == RLK_YES)
		outcome = rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err);
	/* The second time the connection is used it asks what commands there are. */
	if (outcome == RLK_YES)
		outcome = acquire(false, 0);
	if (outcome == RLK_YES)
		outcome = rlk_lock_confirm(&lock, &one, RLK_DEADLINE_NONE, NULL, &err);
	rlk_pool_put(&conn);
	if (outcome == RLK_YES)
		outcome = rlk_lock_extend(&lock, &one, RLK_DEADLINE_NONE, 20000, NULL, &err);
	if (outcome == RLK_YES)
		outcome = rlk_lock_ask_holder(&lock, &one, RLK_DEADLINE_NONE, &holder, NULL, &err);
	if (outcome == RLK_YES)
		outcome = rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, 0, &err);
	if (outcome == RLK_YES)
		outcome = acquire(true, 0);
	if (outcome == RLK_YES)
		outcome = rlk_lock_release(&lock, &one, RLK_DEADLINE_NONE, rlk_clock_now_ms() + 60000, &err);
	if (outcome == RLK_YES)
		outcome = rlk_lock_force_release(&lock, &one, RLK_DEADLINE_NONE, RLK_STR(""), &err);
	return outcome;
}

/* The SET of the pair is answered "no" each time, the script "yes" the second time it is called: by its text. */
static rlk_outcome a_wait_in_vain(void)
{
	rlk_outcome outcome = begin("taken") ? acquire(false, patience_ms) : RLK_FAIL;

	return outcome == RLK_NO ? RLK_YES : outcome;
}

static rlk_outcome an_abandoned_connection(void)
{
	rlk_str argv[] = { RLK_STR("SET"), RLK_STR("k"), RLK_STR("mine"), RLK_STR("NX"), RLK_STR("PX"), RLK_STR("2000") };

	if (!begin("k") || !rlk_conn_connect(&conn, false, RLK_DEADLINE_NONE, &err) ||
		!rlk_conn_append(&conn, argv, 6, &err))
		return RLK_FAIL;
	rlk_lock_post_release(&lock, &conn, false);
	rlk_conn_abandon(&conn, rlk_clock_now_ms() + 5000);
	/* Without memory to remember it in, it is closed instead of drained. */
	return conn.fd < 0 ? RLK_YES : RLK_FAIL;
}

static void notify(void)
{
}

static rlk_outcome a_renewed_lock(void)
{
	rlk_renewal renewal;
	rlk_renewal_server known = { 0 };
	rlk_renewal_lock description = { .backend = rlk_backend_thread,
		.deadline = RLK_DEADLINE_NONE,
		.servers = &server,
		.known = &known,
		.server_count = 1,
		.ttl_ms = 10000,
		.interval_ms = 1000,
		.linger_ms = 500,
		.max_hold_ms = RLK_NEVER };
	bool begun = begin("k");
	int slot;

	rlk_renewal_init(&renewal, notify);
	description.key = rlk_buf_str(&lock.keys.lock);
	description.token = rlk_buf_str(&lock.token.text);
	description.waiters = rlk_buf_str(&lock.keys.waiters);
	slot = begun ? rlk_renewal_arm(&renewal, &description, &err) : RLK_SLOT_NONE;
	rlk_renewal_disarm(&renewal, slot);
	rlk_renewal_stop(&renewal);
	return slot != RLK_SLOT_NONE ? RLK_YES : RLK_FAIL;
}

/* One walk for every k up to the one that needs fewer allocations. `code`: of the errors that are allowed beside
 * RLK_ERR_MEMORY. A wait that was too short is made again with more patience: it was over before it came to everything, or, on a
 * machine that stood still, before the first answer. */
static void every_allocation(walk go, const char *script, int at_least, rlk_error_code code)
{
	bool failed = true;
	int k;

	for (k = 1; failed; k++) {
		rlk_outcome outcome;

		CHECK(fake_server_start(&fake, script));
		rlk_error_clear(&err);
		failing_memory_at(k);
		outcome = go();
		failed = failing_memory_failed();
		failing_memory_at(0);
		if (patience_ms < 5000 && ((!failed && k <= at_least) || (outcome != RLK_YES && err.code == RLK_ERR_TIMEOUT))) {
			patience_ms *= 2;
			failed = true;
			k--;
		} else if (outcome != RLK_YES) {
			CHECK(failed);
			if (err.code != code)
				CHECK_INT(err.code, RLK_ERR_MEMORY);
			CHECK(strstr(err.text, "emory") != NULL);
		}
		end();
		CHECK_STR(fake_server_end(&fake), "");
	}
	CHECK(k > at_least);
}

static void engine(void)
{
	every_allocation(one_lock, OLDER, 20, RLK_ERR_MEMORY);
}

static void engine_with_compare_commands(void)
{
	every_allocation(one_lock, NEWER, 20, RLK_ERR_MEMORY);
}

static void waiting(void)
{
	every_allocation(a_wait_in_vain, OLDER, 15, RLK_ERR_MEMORY);
}

static void abandoning(void)
{
	every_allocation(an_abandoned_connection, OLDER, 12, RLK_ERR_MEMORY);
}

static void renewing(void)
{
	every_allocation(a_renewed_lock, OLDER, 8, RLK_ERR_RENEWAL);
}

int main(void)
{
	RUN(engine);
	RUN(engine_with_compare_commands);
	RUN(waiting);
	RUN(abandoning);
	RUN(renewing);
	return unit_done();
}
