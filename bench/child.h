/*
 * child: what the programs of the table child_cost share: a renewal on one server, and a lock to give to it.
 *
 * They are linked with the sources below src/php, so that the child is measured without PHP around it.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "process.h"

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"
#include "renew/rlk_renewal.h"

#define TOKEN "bench-token-of-the-usual-length-0123456789abcdef0123456789abcdef"

typedef struct {
	rlk_renewal renewal;
	rlk_server server;
	rlk_renewal_server known;
} bench_child;

/* The host does something here; what it is does not matter. */
static inline void bench_notify(void)
{
}

static inline void bench_child_init(bench_child *b, const char *socket_path)
{
	memset(&b->known, 0, sizeof(b->known));
	rlk_renewal_init(&b->renewal, bench_notify);
	rlk_server_init(&b->server, 1000, 1000);
	b->server.transport = RLK_TRANSPORT_UNIX;
	if (!rlk_str_store(&b->server.path, rlk_str_from_cstr(socket_path)))
		fail("out of memory");
	rlk_server_write_uri(&b->server);
}

/* As acquiring does it, the acquiring itself left out. Returns the slot. */
static inline int bench_child_hold(bench_child *b, rlk_str key, int64_t ttl_ms, int64_t interval_ms)
{
	const rlk_renewal_lock lock = {
		.backend = rlk_backend_process,
		.servers = &b->server,
		.known = &b->known,
		.server_count = 1,
		.key = key,
		.token = RLK_STR(TOKEN),
		.label = RLK_STR(""),
		.ttl_ms = ttl_ms,
		.interval_ms = interval_ms,
		.max_hold_ms = RLK_NEVER,
		.deadline = RLK_DEADLINE_NONE,
	};
	rlk_error err;
	int slot;

	rlk_error_clear(&err);
	slot = rlk_renewal_arm(&b->renewal, &lock, &err);
	if (slot == RLK_SLOT_NONE) {
		errno = 0;
		fail(err.text);
	}
	rlk_renewal_activate(&b->renewal, slot, rlk_clock_now_ms(), rlk_clock_now_ms() + rlk_validity_ms(ttl_ms), 0);
	return slot;
}

#endif
