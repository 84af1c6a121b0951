/*
 * rlk_tls_none: a build without OpenSSL.
 */
#ifndef HAVE_REDISLOCK_SSL

#include "net/rlk_tls.h"

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

rlk_tls_context *rlk_tls_context_get(const rlk_tls_options *options, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "this build of redislock has no TLS");
	return NULL;
}

/* clang-format off */
const char *rlk_tls_library(void) { return NULL; }
bool rlk_tls_fingerprint(const rlk_tls_options *options, unsigned char out[RLK_TLS_FINGERPRINT_BYTES]) { return false; }
void rlk_tls_context_release(rlk_tls_context *context) {}
void rlk_tls_shutdown(void) {}
void rlk_tls_after_fork(void) {}
bool rlk_tls_after_clone(void) { return false; }

/* Never reached, since there is no context. */
rlk_tls *rlk_tls_new(rlk_tls_context *context, int fd, const char *name, rlk_error *err) { return NULL; }
long rlk_tls_handshake(rlk_tls *tls) { return RLK_SOCKET_ERROR; }
long rlk_tls_send(rlk_tls *tls, const char *data, size_t len) { return RLK_SOCKET_ERROR; }
long rlk_tls_receive(rlk_tls *tls, char *data, size_t len) { return RLK_SOCKET_ERROR; }
rlk_socket_event rlk_tls_wants(const rlk_tls *tls) { return RLK_SOCKET_READABLE; }
rlk_socket_event rlk_tls_send_wants(const rlk_tls *tls) { return RLK_SOCKET_WRITABLE; }
bool rlk_tls_is_idle(rlk_tls *tls) { return false; }
const char *rlk_tls_problem(const rlk_tls *tls) { return NULL; }
void rlk_tls_free(rlk_tls *tls) {}
/* clang-format on */

#endif
