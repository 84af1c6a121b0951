/*
 * rlk_tls: TLS by OpenSSL, over our own sockets.
 *
 * Nothing here waits: results are those of rlk_socket, and the caller has the poll loop and the deadline. There is no
 * fallback to clear text. In a build without OpenSSL everything fails with a clear message.
 */
#ifndef RLK_TLS_H
#define RLK_TLS_H

#include "net/rlk_server.h"
#include "net/rlk_socket.h"

/* Loaded certificates and keys, and what to verify. Shared by connections and threads. */
typedef struct rlk_tls_context rlk_tls_context;

/* One encrypted connection. */
typedef struct rlk_tls rlk_tls;

/* The longest name in DNS, with the NUL. */
#define RLK_TLS_NAME_MAX 256

/* Name and version of the library in use. NULL: this build has no TLS. */
const char *rlk_tls_library(void);

/* The context for these options; release it, which does nothing for NULL. Loading takes milliseconds, so contexts are kept
 * until their files change. NULL: *err names the option and the file. */
rlk_tls_context *rlk_tls_context_get(const rlk_tls_options *options, rlk_error *err);
void rlk_tls_context_release(rlk_tls_context *context);

#define RLK_TLS_FINGERPRINT_BYTES 32

/* A digest of the options, for comparison. false: the digest cannot be made. */
bool rlk_tls_fingerprint(const rlk_tls_options *options, unsigned char fingerprint[RLK_TLS_FINGERPRINT_BYTES]);

/* Begins TLS over a connected socket, which stays the caller's. `name`: what the certificate is for. NULL: see *err. */
rlk_tls *rlk_tls_new(rlk_tls_context *context, int fd, const char *name, rlk_error *err);

/* One step of the handshake: RLK_SOCKET_AGAIN, RLK_SOCKET_ERROR (see rlk_tls_problem() and errno), or 0: it is done. */
long rlk_tls_handshake(rlk_tls *tls);

/* As rlk_socket_send() and rlk_socket_receive(). After RLK_SOCKET_AGAIN the same bytes have to be sent next, though more
 * may follow them. */
long rlk_tls_send(rlk_tls *tls, const char *data, size_t len);
long rlk_tls_receive(rlk_tls *tls, char *data, size_t len);

/* The event to wait for after RLK_SOCKET_AGAIN: sending may have to receive first, and vice versa. */
rlk_socket_event rlk_tls_wants(const rlk_tls *tls);

/* The same of the last rlk_tls_send(), whatever was received since. */
rlk_socket_event rlk_tls_send_wants(const rlk_tls *tls);

/* As rlk_socket_is_idle(). Session tickets and new keys, which servers send at any time, are processed. */
bool rlk_tls_is_idle(rlk_tls *tls);

/* What went wrong in TLS, for a message; NULL: nothing. */
const char *rlk_tls_problem(const rlk_tls *tls);

/* Frees the connection, and sends nothing. In a forked copy of the process that opened it the memory leaks: another
 * thread may have used it at the fork. */
void rlk_tls_free(rlk_tls *tls);

/* Called at the end of the process: frees the contexts that are not in use. */
void rlk_tls_shutdown(void);

/* Called in a forked copy, before anything else. */
void rlk_tls_after_fork(void);

/* Called in a copy made by a raw clone: reseeds the random generator, so that no two processes make the same keys.
 * false: TLS must not be used. */
bool rlk_tls_after_clone(void);

/* --- a socket in clear (tls is NULL) or under TLS ------------------------------------------- */

static inline long rlk_stream_send(int fd, rlk_tls *tls, const char *data, size_t len)
{
	return tls == NULL ? rlk_socket_send(fd, data, len) : rlk_tls_send(tls, data, len);
}

static inline long rlk_stream_receive(int fd, rlk_tls *tls, char *data, size_t len)
{
	return tls == NULL ? rlk_socket_receive(fd, data, len) : rlk_tls_receive(tls, data, len);
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
