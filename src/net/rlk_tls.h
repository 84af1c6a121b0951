/*
 * rlk_tls: TLS over a socket of ours, with OpenSSL.
 *
 * Nothing here waits: it answers as rlk_socket does, and the caller has the
 * poll loop and the deadline. Never a step back to clear
 * text: where TLS cannot be had there is no connection. In a build without
 * OpenSSL everything fails with a clear message.
 */
#ifndef RLK_TLS_H
#define RLK_TLS_H

#include "net/rlk_server.h"
#include "net/rlk_socket.h"

/* Certificates and keys as loaded from their files, and what is to be verified. Shared by connections and threads. */
typedef struct rlk_tls_context rlk_tls_context;

/* One encrypted connection. */
typedef struct rlk_tls rlk_tls;

/* As DNS has it, with the NUL. */
#define RLK_TLS_NAME_MAX 256

/* Version of the library in use, for people. NULL: this build has no TLS. */
const char *rlk_tls_library(void);

/* The context for these options. Loading costs milliseconds, so contexts are kept; one whose files have changed is
 * loaded anew. NULL: *err names the option and the file. Release it. */
rlk_tls_context *rlk_tls_context_get(const rlk_tls_options *options, rlk_error *err);
void rlk_tls_context_release(rlk_tls_context *context);

#define RLK_TLS_FINGERPRINT_BYTES 32

/* A digest of the options, the same exactly when they are. false: it cannot be made. */
bool rlk_tls_fingerprint(const rlk_tls_options *options, unsigned char fingerprint[RLK_TLS_FINGERPRINT_BYTES]);

/* Begins a connection over a connected socket, which stays the caller's. NULL: *err. */
rlk_tls *rlk_tls_new(rlk_tls_context *context, int fd, const char *name, rlk_error *err);

/* One step of the handshake: RLK_SOCKET_AGAIN, RLK_SOCKET_ERROR (rlk_tls_explain() says why), or 0: it is done. */
long rlk_tls_handshake(rlk_tls *tls);

/* As rlk_socket_send() and rlk_socket_receive(). What was sent in part is to be sent again, with more behind it or not. */
long rlk_tls_send(rlk_tls *tls, const char *data, size_t len);
long rlk_tls_receive(rlk_tls *tls, char *data, size_t len);

/* What to wait for after RLK_SOCKET_AGAIN: sending may have to receive first, and the other way round. */
rlk_socket_event rlk_tls_wants(const rlk_tls *tls);

/* Is there nothing to read, and is the connection not closed? Session tickets and new keys, which servers send when they
 * like, are taken in. */
bool rlk_tls_is_idle(rlk_tls *tls);

/* What was wrong beyond the socket, for people; NULL: nothing. */
const char *rlk_tls_problem(const rlk_tls *tls);

/* Says nothing to the server. In a forked copy of the process that opened it the memory is left alone: another thread may
 * have been busy with it. */
void rlk_tls_free(rlk_tls *tls);

/* Forgets the contexts that are not in use. At the end of the process. */
void rlk_tls_shutdown(void);

/* In a forked copy, before anything else. */
void rlk_tls_after_fork(void);

/* In a copy made without the C library's knowledge: fresh randomness, so that no two processes make the same keys.
 * false: there is none, no TLS may be spoken. */
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
