/*
 * rlk_conn_beside: a second connection for somebody who is waiting on the first and must not wait for anything else.
 */
#include "base/rlk_os.h"
#include "wire/rlk_conn.h"
#include "wire/rlk_intro.h"
#include "wire/rlk_pool.h"
#include "wire/rlk_stream.h"

/* A name service may take its time, so the first connection has to tell. Not so for a unix socket, which may be known by
 * another path to the server that made it. */
static bool find_address(const rlk_conn *conn, rlk_addresses *addresses)
{
	if (conn->endpoint->transport != RLK_TRANSPORT_UNIX)
		return rlk_socket_peer(conn->fd, addresses);
	return rlk_address_resolve(conn->endpoint, addresses, NULL);
}

static bool take_from_pool(rlk_conn *beside)
{
	while (beside->pool != NULL && rlk_pool_take(beside->pool, beside)) {
		if (beside->owner_pid == rlk_os_process_id() && rlk_stream_is_idle(beside->fd, beside->tls))
			return true;
		rlk_conn_close(beside);
	}
	return false;
}

bool rlk_conn_open_beside(rlk_conn *beside, const rlk_conn *conn, bool *pending)
{
	rlk_addresses addresses;
	int sys_errno;

	*pending = false;
	rlk_conn_init(beside, conn->endpoint, conn->park);
	beside->pool = conn->pool;
	if (take_from_pool(beside))
		return true;
	if (!find_address(conn, &addresses))
		return false;
	beside->fd = rlk_socket_connect(&addresses, 0, pending, &sys_errno);
	if (beside->fd == RLK_SOCKET_NONE)
		return false;
	beside->owner_pid = rlk_os_process_id();
	beside->reader = rlk_reader_new();
	if (beside->reader != NULL && rlk_intro_append(beside->endpoint, &beside->out, &beside->awaited) &&
		(*pending || rlk_conn_finish_beside(beside)))
		return true;
	rlk_conn_close(beside);
	return false;
}

bool rlk_conn_finish_beside(rlk_conn *beside)
{
	if (rlk_socket_connected(beside->fd) != 0) {
		rlk_conn_close(beside);
		return false;
	}
	if (beside->endpoint->transport == RLK_TRANSPORT_TLS) {
		beside->tls = rlk_tls_begin(beside->endpoint, beside->fd, NULL);
		if (beside->tls == NULL)
			rlk_conn_close(beside);
		return beside->tls != NULL;
	}
	/* As for every other one: it may go to the pool later. */
	if (beside->endpoint->transport != RLK_TRANSPORT_TCP)
		return true;
	rlk_socket_set_blocking(beside->fd);
	if (rlk_socket_set_wait(beside->fd, beside->endpoint->io_timeout_ms))
		beside->receive_waits_ms = beside->endpoint->io_timeout_ms;
	return true;
}
