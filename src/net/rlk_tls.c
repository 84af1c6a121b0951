/*
 * rlk_tls: what does not depend on the library.
 */
#include "net/rlk_tls.h"

#include "base/rlk_clock.h"

#include <errno.h>

const char *rlk_tls_name(const rlk_server *server)
{
	return server->tls.peer_name != NULL ? server->tls.peer_name : server->host;
}

/* Redis waits for the rest of a command where it speaks clear text; others hang up. */
#define DOES_IT "; does it speak TLS on this port?"

/* Returns false, with the reason in *err. */
static bool failed(const rlk_tls *tls, int ready, int sys_errno, rlk_error *err)
{
	const char *problem = rlk_tls_problem(tls);
	char text[96];

	if (problem != NULL) {
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot connect with TLS: %s", problem);
		if (err != NULL)
			err->retryable = false; /* the certificate will be no other one a moment later */
		return false;
	}
	if (ready == 0)
		rlk_error_set(err, RLK_ERR_CONNECT, ETIMEDOUT,
			"cannot connect with TLS: the server did not answer in time" DOES_IT);
	else if (sys_errno == 0)
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot connect with TLS: the server closed the connection" DOES_IT);
	else
		rlk_error_set(err, RLK_ERR_CONNECT, sys_errno, "cannot connect with TLS: %s" DOES_IT,
			rlk_error_strerror(sys_errno, text, sizeof(text)));
	return false;
}

static bool shake_hands(rlk_tls *tls, int fd, int64_t deadline_at_ms, rlk_error *err)
{
	for (;;) {
		long n = rlk_tls_handshake(tls);
		int ready;

		if (n == 0)
			return true;
		if (n == RLK_SOCKET_ERROR)
			return failed(tls, 1, errno, err);
		ready = rlk_socket_wait(fd, rlk_tls_wants(tls), deadline_at_ms);
		if (ready != 1)
			return failed(tls, ready, errno, err);
	}
}

rlk_tls *rlk_tls_begin(const rlk_server *server, int fd, rlk_error *err)
{
	rlk_tls_context *context = rlk_tls_context_get(&server->tls, err);
	rlk_tls *tls;

	if (context == NULL) {
		if (err != NULL)
			err->retryable = false;
		return NULL;
	}
	tls = rlk_tls_new(context, fd, rlk_tls_name(server), err);
	rlk_tls_context_release(context);
	return tls;
}

rlk_tls *rlk_tls_open(const rlk_server *server, int fd, int64_t deadline_at_ms, rlk_error *err)
{
	rlk_tls *tls = rlk_tls_begin(server, fd, err);

	if (tls == NULL || shake_hands(tls, fd, deadline_at_ms, err))
		return tls;
	rlk_tls_free(tls);
	return NULL;
}
