/*
 * rlk_use: see the header.
 */
#include "lock/rlk_use.h"

#include "base/rlk_list.h"
#include "net/rlk_pool.h"

/* The process is about to end. */
#define RECONNECTED_WITHIN_MS 1000

/* --- checking out and giving back ------------------------------------------------------------------ */

/* A connection that has to tell another lock of its extension stays where that lock expects it. */
static bool may_check_out(rlk_conn *conn, const rlk_lock *lock)
{
	rlk_conn_collect(conn);
	return !rlk_expected_has_listener(&conn->expected, lock);
}

static void note_moved(rlk_lock *lock, const rlk_conn *from, rlk_conn *to)
{
	if (lock->extension.conn == from)
		lock->extension.conn = to;
}

static void take_connection(rlk_use *use, bool exclusive, const rlk_hooks *hooks)
{
	rlk_conn *own = use->client->conn;

	if (may_check_out(own, exclusive ? use->lock : NULL)) {
		use->conn = rlk_conn_move_out(own);
		note_moved(use->lock, own, &use->conn);
	} else {
		use->conn = rlk_conn_like(own);
	}
	use->conn.hooks = hooks;
	use->servers.conn = &use->conn;
}

/* Takes a quorum that no other operation has. */
static bool take_quorum(rlk_use *use, const rlk_hooks *hooks)
{
	rlk_quorum *quorum = use->client->quorum;

	if (quorum->in_use)
		quorum = rlk_quorum_like(quorum);
	if (quorum == NULL)
		return false;
	quorum->in_use = true;
	quorum->hooks = hooks;
	use->servers.quorum = quorum;
	return true;
}

static void give_back_quorum(rlk_use *use)
{
	rlk_quorum *quorum = use->servers.quorum, *other = use->client->quorum;

	if (quorum == NULL)
		return;
	quorum->in_use = false;
	quorum->hooks = NULL;
	use->client->quorum = quorum;
	if (other != quorum && !other->in_use) /* else it is that of another use */
		rlk_quorum_free(other);
}

const rlk_servers *rlk_use_check_out(rlk_use *use, rlk_use **list, rlk_servers *client, rlk_lock *lock, bool exclusive,
	rlk_deadline deadline, const rlk_hooks *hooks)
{
	memset(use, 0, sizeof(*use));
	use->client = client;
	if (client->quorum != NULL && !take_quorum(use, hooks))
		return NULL;
	use->lock = lock;
	take_connection(use, exclusive, hooks);
	rlk_topology_add_user(use->conn.topology, &use->conn, &use->user);
	RLK_LIST_ADD(list, use);
	rlk_topology_set_key(&use->conn, rlk_buf_str(&lock->keys.lock), deadline);
	return &use->servers;
}

/* The client has another connection by now. */
static void put_away_second(rlk_conn *conn, rlk_lock *lock)
{
	if (lock->extension.conn == conn)
		rlk_conn_read_unread(conn, rlk_deadline_in(conn->server->io_timeout_ms));
	if (lock->extension.conn == conn) {
		rlk_expected_forget(&conn->expected, lock);
		lock->extension.conn = NULL;
	}
	conn->hooks = NULL;
	rlk_pool_put(conn);
}

static void give_back_connection(rlk_conn *own, rlk_conn *conn, rlk_lock *lock)
{
	uint32_t opened = own->opened + conn->opened, stale = own->stale + conn->stale;

	if (rlk_conn_is_awaited(conn))
		rlk_conn_close(conn);
	else if (rlk_conn_is_blocked(conn)) /* of a wait that was stopped: its place in the queue goes with it */
		rlk_conn_abandon(conn, rlk_clock_now_ms() + RLK_CONN_DRAINED_WITHIN_MS);
	if (own->fd != RLK_SOCKET_NONE && lock->extension.conn == conn && may_check_out(own, NULL))
		rlk_pool_put(own);
	if (conn->fd == RLK_SOCKET_NONE) {
		rlk_conn_close(conn);
	} else if (own->fd != RLK_SOCKET_NONE) {
		put_away_second(conn, lock);
	} else {
		*own = *conn;
		own->hooks = NULL;
		note_moved(lock, conn, own);
	}
	own->opened = opened;
	own->stale = stale;
}

void rlk_use_give_back(rlk_use *use)
{
	give_back_connection(use->client->conn, &use->conn, use->lock);
	give_back_quorum(use);
	rlk_topology_remove_user(use->conn.topology, &use->user);
	RLK_LIST_REMOVE(use);
	use->lock = NULL;
}

/* --- uses whose fiber does not go on here ------------------------------------------------------------ */

static void close_others(rlk_use *use)
{
	for (rlk_lock_beside *beside = use->beside; beside != NULL; beside = beside->outer)
		rlk_conn_close(beside->conn);
	if (use->conn.sentinel != NULL)
		rlk_conn_close(use->conn.sentinel);
}

void rlk_uses_after_fork(rlk_use *list)
{
	for (rlk_use *use = list; use != NULL; use = use->next) {
		close_others(use);
		rlk_conn_close(&use->conn);
		use->conn.of_parent = true;
		rlk_quorum_after_fork(use->servers.quorum);
		use->conn.opened = use->conn.stale = 0;
	}
}

/* What waits for replicas is acquired. The server would drop a release behind that wait when we hang up. A caller's token is
 * left to its ttl then; while it is not acquired, what is sent for it only wakes the next waiter. */
static void release_forgotten(const rlk_use *use, rlk_conn *conn)
{
	conn->hooks = NULL;
	if (use->lock->held) {
		rlk_conn_close(conn);
		if (!rlk_conn_connect(conn, false, rlk_deadline_in(RECONNECTED_WITHIN_MS), NULL))
			return;
	}
	rlk_lock_post_release(use->lock, conn, true);
}

void rlk_use_forget(rlk_use *use, bool acquires)
{
	rlk_topology *topology = use->conn.topology;
	rlk_lock *lock = use->lock;

	RLK_LIST_REMOVE(use);
	close_others(use);
	if (use->releases)
		lock->ledger.release_unread = rlk_lock_is_valid(lock);
	for (rlk_lock_beside *beside = use->beside; beside != NULL; beside = beside->outer)
		rlk_topology_remove_user(topology, &beside->user);
	if (acquires && use->servers.quorum != NULL)
		rlk_lock_release_leftovers_and_forget(lock, &use->servers);
	else if (acquires && rlk_conn_is_awaited(&use->conn) && !(lock->held && lock->token.from_caller))
		release_forgotten(use, &use->conn);
	rlk_conn_abandon(&use->conn, rlk_clock_now_ms() + RLK_CONN_DRAINED_WITHIN_MS);
	give_back_quorum(use);
	rlk_topology_remove_user(topology, &use->user);
}
