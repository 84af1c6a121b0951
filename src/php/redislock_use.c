/*
 * redislock_use: an operation under way, and the connection that it has for itself.
 *
 * Without a poller (redislock_poller.h) an operation blocks its thread, and uses the connection of its client. With one, other
 * fibers go on while it waits. So it checks the connection out of the client and gives it back at the end; whoever uses the
 * client meanwhile takes another one. Its uses are listed, since they live on the stacks of fibers: a fork leaves their
 * connections to the parent, and after a fatal error those fibers never go on.
 */
#include "php/redislock_hold.h"

#include "net/rlk_address.h"
#include "php/redislock_poller.h"
#include "php/redislock_renewal.h"

/* --- checking out and giving back ------------------------------------------------------------------ */

/* A connection that has to tell another lock of its extension stays where that lock expects it. */
static bool may_check_out(rlk_conn *conn, const rlk_lock *own)
{
	rlk_conn_collect(conn);
	return !rlk_expected_has_listener(&conn->expected, own);
}

static void note_moved(rlk_lock *lock, const rlk_conn *from, rlk_conn *to)
{
	if (lock->extension.conn == from)
		lock->extension.conn = to;
}

/* `own`: the lock that nobody else uses meanwhile; NULL: none. */
static void take_connection(redislock_use *use, redislock_client *client, rlk_lock *own)
{
	rlk_conn *conn = &use->conn;

	if (may_check_out(&client->conn, own)) {
		*conn = rlk_conn_set_aside(&client->conn);
		if (own != NULL)
			note_moved(own, &client->conn, conn);
	} else {
		rlk_conn_init(conn, client->conn.server, client->conn.drain);
		conn->pool = client->conn.pool;
		conn->topology = client->conn.topology;
		conn->limit_at_ms = client->conn.limit_at_ms;
	}
	conn->hooks = &redislock_poller_hooks;
}

/* One that no other operation has. The client has the one that was used last: its votes are those that messages tell of. */
static rlk_quorum *take_quorum(redislock_client *client)
{
	rlk_quorum *quorum = client->quorum;

	if (quorum == NULL)
		return NULL;
	quorum = rlk_quorum_find_idle(quorum);
	if (quorum == NULL)
		zend_error_noreturn(E_ERROR, "Out of memory for the connections of a lock");
	quorum->in_use = true;
	quorum->hooks = &redislock_poller_hooks;
	quorum->limit_at_ms = client->conn.limit_at_ms;
	redislock_client_set_quorum(client, quorum);
	return quorum;
}

static void give_back_quorum(redislock_client *client, rlk_quorum *quorum)
{
	if (quorum == NULL)
		return;
	quorum->in_use = false;
	quorum->hooks = NULL;
	redislock_client_set_quorum(client, quorum);
	rlk_quorum_free_idle_others(quorum);
}

const rlk_servers *redislock_use_check_out(redislock_use *use, redislock_hold *hold, bool exclusive)
{
	redislock_client *client = hold->client;

	memset(use, 0, sizeof(*use));
	use->hold = hold;
	hold->refcount++;
	if (exclusive)
		hold->user = use;
	take_connection(use, client, exclusive ? &hold->lock : NULL);
	use->servers = (rlk_servers){ &use->conn, take_quorum(client) };
	rlk_topology_add_user(client->topology, &use->conn, &use->user);
	use->next = RLG(uses);
	RLG(uses) = use;
	rlk_topology_set_key(&use->conn, rlk_buf_str(&hold->lock.keys.lock));
	return &use->servers;
}

static void unlink_use(const redislock_use *use)
{
	redislock_use **link = &RLG(uses);

	while (*link != use)
		link = &(*link)->next;
	*link = use->next;
}

/* The client has another connection by now. */
static void put_away_second(redislock_client *client, rlk_conn *conn, rlk_lock *lock)
{
	if (lock->extension.conn == conn)
		rlk_conn_read_unread(conn, rlk_clock_now_ms() + conn->server->io_timeout_ms);
	if (lock->extension.conn == conn) {
		rlk_expected_forget(&conn->expected, lock);
		lock->extension.conn = NULL;
	}
	conn->hooks = NULL;
	redislock_client_put_away(client, conn);
}

static void give_back(redislock_client *client, rlk_conn *conn, rlk_lock *lock)
{
	rlk_conn *own = &client->conn;
	uint32_t opened = own->opened + conn->opened, stale = own->stale + conn->stale;

	if (rlk_conn_is_awaited(conn))
		rlk_conn_close(conn);
	else if (rlk_conn_is_blocked(conn)) /* of a wait that was stopped: its place in the queue goes with it */
		rlk_conn_abandon(conn, rlk_clock_now_ms() + RLK_CONN_DRAINED_WITHIN_MS);
	if (own->fd != RLK_SOCKET_NONE && lock->extension.conn == conn && may_check_out(own, NULL))
		redislock_client_put_away(client, own);
	if (conn->fd == RLK_SOCKET_NONE) {
		rlk_conn_close(conn);
	} else if (own->fd != RLK_SOCKET_NONE) {
		put_away_second(client, conn, lock);
	} else {
		*own = *conn;
		own->hooks = NULL;
		own->limit_at_ms = 0;
		note_moved(lock, conn, own);
	}
	own->opened = opened;
	own->stale = stale;
}

void redislock_use_give_back(redislock_use *use)
{
	redislock_hold *hold = use->hold;

	give_back(hold->client, &use->conn, &hold->lock);
	give_back_quorum(hold->client, use->servers.quorum);
	rlk_topology_remove_user(hold->client->topology, &use->user);
	unlink_use(use);
	use->hold = NULL;
	if (hold->user == use) {
		hold->user = NULL;
		redislock_interrupt_look_again(hold);
	}
	redislock_release_reference(hold);
}

/* --- uses whose fiber does not go on here ----------------------------------------------------------- */

void redislock_uses_after_fork(void)
{
	for (redislock_use *use = RLG(uses); use != NULL; use = use->next) {
		for (rlk_lock_beside *beside = use->beside; beside != NULL; beside = beside->outer)
			rlk_conn_close(beside->conn);
		if (use->conn.sentinel != NULL)
			rlk_conn_close(use->conn.sentinel);
		rlk_conn_close(&use->conn);
		use->conn.opened = use->conn.stale = 0;
	}
}

/* A SET that is under way has its release behind it, by the child or on the same connection. */
static void forget_use(redislock_use *use)
{
	redislock_hold *hold = use->hold;
	rlk_conn *conn = &use->conn;

	for (rlk_lock_beside *beside = use->beside; beside != NULL; beside = beside->outer) {
		rlk_topology_remove_user(hold->client->topology, &beside->user);
		rlk_conn_close(beside->conn);
	}
	if (conn->sentinel != NULL)
		rlk_conn_close(conn->sentinel);
	if (hold->state == REDISLOCK_WAITING && hold->slot != RLK_SLOT_NONE) {
		redislock_leave(hold);
	} else if (hold->state == REDISLOCK_WAITING) {
		if (use->servers.quorum != NULL)
			rlk_lock_forget_lost(&hold->lock, &use->servers);
		else if (rlk_conn_is_awaited(conn) && !hold->lock.token.from_caller)
			rlk_lock_post_release(&hold->lock, conn, true);
		redislock_hold_reset(hold);
	}
	rlk_conn_abandon(conn, rlk_clock_now_ms() + RLK_CONN_DRAINED_WITHIN_MS);
	give_back_quorum(hold->client, use->servers.quorum);
	rlk_topology_remove_user(hold->client->topology, &use->user);
	hold->user = NULL;
	redislock_release_reference(hold);
}

void redislock_uses_forget(void)
{
	redislock_use *use;

	while ((use = RLG(uses)) != NULL) {
		RLG(uses) = use->next;
		forget_use(use);
	}
	rlk_address_forget_suspended();
}
