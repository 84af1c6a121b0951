/*
 * rlk_tls: what does not depend on the library.
 */
#include "net/rlk_tls.h"

const char *rlk_tls_name(const rlk_server *server)
{
	return server->tls.peer_name != NULL ? server->tls.peer_name : server->host;
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
