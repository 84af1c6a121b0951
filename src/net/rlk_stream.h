/*
 * rlk_stream: a socket in clear or under TLS (tls is NULL or not), so that a clear one costs one comparison more.
 */
#ifndef RLK_STREAM_H
#define RLK_STREAM_H

#include "net/rlk_tls.h"

static inline long rlk_stream_send(int fd, rlk_tls *tls, const char *data, size_t len)
{
	return tls == NULL ? rlk_socket_send(fd, data, len) : rlk_tls_send(tls, data, len);
}

static inline long rlk_stream_receive(int fd, rlk_tls *tls, char *data, size_t len)
{
	return tls == NULL ? rlk_socket_receive(fd, data, len) : rlk_tls_receive(tls, data, len);
}

/* After RLK_SOCKET_AGAIN from one of the two above, which is the event. */
static inline int rlk_stream_wait(int fd, const rlk_tls *tls, rlk_socket_event event, int64_t deadline_at_ms)
{
	return rlk_socket_wait(fd, tls == NULL ? event : rlk_tls_wants(tls), deadline_at_ms);
}

static inline bool rlk_stream_is_idle(int fd, rlk_tls *tls)
{
	return tls == NULL ? rlk_socket_is_idle(fd) : rlk_tls_is_idle(tls);
}

static inline void rlk_stream_close(int fd, rlk_tls *tls)
{
	if (tls != NULL)
		rlk_tls_free(tls);
	rlk_socket_close(fd);
}

#endif
