/*
 * crowd_core: a waiter made of src/lock, without PHP. With threads it shows what ten thousand of them cost; as
 * processes, how much of our time is PHP's.
 */
#include "crowd.h"

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"

#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MS 60000 /* ten thousand connections at once take their time */

typedef struct {
	rlk_server server;
	rlk_conn conn;
	rlk_lock lock;
} waiter;

void *crowd_open(const crowd_place *place)
{
	waiter *w = calloc(1, sizeof(*w));
	rlk_str name = rlk_str_from_cstr(place->name), host = rlk_str_from_cstr(place->host);
	rlk_error err;

	rlk_error_clear(&err);
	if (w == NULL)
		crowd_fail("out of memory");
	rlk_server_init(&w->server, TIMEOUT_MS, TIMEOUT_MS);
	w->server.transport = place->port != 0 ? RLK_TRANSPORT_TCP : RLK_TRANSPORT_UNIX;
	w->server.port = (uint16_t)place->port;
	rlk_conn_init(&w->conn, &w->server, NULL);
	if (!rlk_str_store(place->port != 0 ? &w->server.host : &w->server.path, host) ||
		!rlk_lock_init(&w->lock, RLK_STR(""), name, &err) ||
		!rlk_conn_connect(&w->conn, false, RLK_DEADLINE_NONE, &err))
		crowd_fail(err.text);
	return w;
}

void crowd_acquire(void *waiter_)
{
	waiter *w = waiter_;
	rlk_lock_terms terms = { .ttl_ms = 30000, .retry_ms = 200, .renewed = true };
	rlk_error err;

	rlk_error_clear(&err);
	terms.deadline = rlk_deadline_in(600000);
	if (!rlk_lock_set_token(&w->lock, RLK_STR(""), RLK_STR(""), &err) ||
		rlk_lock_acquire(&w->lock, &(rlk_servers){ &w->conn, NULL }, &terms, &err) != RLK_YES)
		crowd_fail(err.text);
}

void crowd_release(void *waiter_)
{
	waiter *w = waiter_;
	rlk_error err;

	rlk_error_clear(&err);
	if (rlk_lock_release(&w->lock, &(rlk_servers){ &w->conn, NULL }, RLK_DEADLINE_NONE, 0, &err) != RLK_YES)
		crowd_fail(err.code == RLK_ERR_NONE ? "the lock was lost" : err.text);
}
