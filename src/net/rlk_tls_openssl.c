/*
 * rlk_tls_openssl: one connection.
 *
 * OpenSSL reads and writes through rlk_socket, since its own writes raise
 * SIGPIPE. Its queue of errors is emptied before each call, as
 * SSL_get_error() judges by it, and after a failure, as PHP's openssl
 * extension would report it as its own.
 */
#ifdef HAVE_REDISLOCK_SSL

#include "base/rlk_os.h"
#include "net/rlk_tls_own.h"

#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>

struct rlk_tls {
	SSL *ssl;
	rlk_tls_context *context;
	int fd; /* the caller's */
	long owner_pid;
	rlk_socket_event wants;      /* of the last call, if it must be repeated */
	rlk_socket_event send_wants; /* the last rlk_tls_send() */
	bool answered;               /* the server has sent data after the handshake */
	bool ended;                  /* the socket is at the end of the stream */
	int sys_errno;               /* of the socket's last failure */
	char name[RLK_TLS_NAME_MAX];
	char problem[192]; /* "": none */
};

/* --- OpenSSL on our socket --- */

/* Returns what a BIO has to return for a result of rlk_socket. `again`: the flag for a repeated call. */
static int bio_result(BIO *bio, long n, int again)
{
	rlk_tls *tls = BIO_get_data(bio);

	BIO_clear_retry_flags(bio);
	if (n == RLK_SOCKET_AGAIN)
		BIO_set_flags(bio, again | BIO_FLAGS_SHOULD_RETRY);
	else if (n == RLK_SOCKET_ERROR)
		tls->sys_errno = errno;
	return n >= 0 ? (int)n : -1;
}

static int bio_write(BIO *bio, const char *data, int len)
{
	const rlk_tls *tls = BIO_get_data(bio);

	return bio_result(bio, rlk_socket_send(tls->fd, data, (size_t)len), BIO_FLAGS_WRITE);
}

static int bio_read(BIO *bio, char *data, int len)
{
	rlk_tls *tls = BIO_get_data(bio);
	long n = rlk_socket_receive(tls->fd, data, (size_t)len);

	tls->ended = tls->ended || n == 0;
	return bio_result(bio, n, BIO_FLAGS_READ);
}

static long bio_control(BIO *bio, int command, long number, void *pointer)
{
	const rlk_tls *tls = BIO_get_data(bio);

	(void)number;
	(void)pointer;
	if (command == BIO_CTRL_EOF)
		return tls->ended;
	return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *method; /* never freed */

bool rlk_tls_prepare(void)
{
	if (method != NULL)
		return true;
	method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "redislock");
	return method != NULL && BIO_meth_set_write(method, bio_write) == 1 && BIO_meth_set_read(method, bio_read) == 1 &&
		BIO_meth_set_ctrl(method, bio_control) == 1;
}

/* --- begin and end --- */

/* Called while reading: TLS 1.3 sends sessions behind the handshake. */
int rlk_tls_on_session(SSL *ssl, SSL_SESSION *session)
{
	rlk_tls *tls = SSL_get_app_data(ssl);

	rlk_tls_context_remember(tls->context, tls->name, session);
	return 1; /* the reference is ours now */
}

/* Resuming the last session saves both sides half the work of a handshake. Without it a lock with a connection of its
 * own takes 63 % more of the client's processor (55 to 82, 16 paired rounds). */
static void resume(rlk_tls *tls)
{
	SSL_SESSION *session = rlk_tls_context_session(tls->context, tls->name);

	if (session == NULL)
		return;
	if (SSL_set_session(tls->ssl, session) != 1)
		ERR_clear_error();
	SSL_SESSION_free(session);
}

static bool set_name(rlk_tls *tls, const char *name)
{
	X509_VERIFY_PARAM *param = SSL_get0_param(tls->ssl);
	size_t len = strcspn(name, "%"); /* certificates do not have the zone of a link-local address */
	ASN1_OCTET_STRING *address;

	/* OpenSSL would accept any certificate for an empty name. */
	if (len == 0 || len >= sizeof(tls->name))
		return false;
	memcpy(tls->name, name, len);
	tls->name[len] = '\0';
	address = a2i_IPADDRESS(tls->name);
	if (address != NULL) {
		ASN1_OCTET_STRING_free(address);
		return !tls->context->verify_name || X509_VERIFY_PARAM_set1_ip_asc(param, tls->name) == 1;
	}
	ERR_clear_error();
	/* SNI: a machine with many names shows the right certificate. */
	if (SSL_set_tlsext_host_name(tls->ssl, tls->name) != 1)
		return false;
	X509_VERIFY_PARAM_set_hostflags(param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	return !tls->context->verify_name || X509_VERIFY_PARAM_set1_host(param, tls->name, 0) == 1;
}

rlk_tls *rlk_tls_new(rlk_tls_context *context, int fd, const char *name, rlk_error *err)
{
	rlk_tls *tls = calloc(1, sizeof(*tls));
	BIO *bio = NULL;

	ERR_clear_error();
	if (tls != NULL) {
		atomic_fetch_add(&context->references, 1);
		tls->context = context;
		tls->fd = fd;
		tls->owner_pid = rlk_os_process_id();
		tls->wants = tls->send_wants = RLK_SOCKET_WRITABLE;
		tls->ssl = SSL_new(context->ctx);
		bio = BIO_new(method);
	}
	if (bio != NULL && tls->ssl != NULL) {
		BIO_set_data(bio, tls);
		BIO_set_init(bio, 1);
		SSL_set_bio(tls->ssl, bio, bio);
		SSL_set_connect_state(tls->ssl);
		SSL_set_app_data(tls->ssl, tls);
		if (set_name(tls, name)) {
			resume(tls);
			return tls;
		}
	} else {
		BIO_free(bio);
	}
	ERR_clear_error();
	if (tls != NULL)
		rlk_tls_free(tls);
	rlk_error_set(err, RLK_ERR_CONNECT, 0,
		"cannot connect with TLS: out of memory, or the name of the peer is missing or too long");
	return NULL;
}

void rlk_tls_free(rlk_tls *tls)
{
	if (tls->owner_pid != rlk_os_process_id())
		return;
	/* Sends nothing. OpenSSL does not resume the session of a connection that ended without close_notify. */
	if (tls->ssl != NULL && SSL_is_init_finished(tls->ssl))
		SSL_set_shutdown(tls->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
	SSL_free(tls->ssl); /* with its BIO */
	rlk_tls_context_release(tls->context);
	free(tls);
}

/* --- handshake, send, receive --- */

static void note_problem(rlk_tls *tls)
{
	unsigned long code = ERR_peek_error();
	int fault = ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : 0;
	const char *reason = ERR_reason_error_string(code);
	long verdict = SSL_get_verify_result(tls->ssl);

	if (fault == SSL_R_CERTIFICATE_VERIFY_FAILED &&
		(verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH))
		snprintf(tls->problem, sizeof(tls->problem), "the server's certificate is not for \"%.80s\"", tls->name);
	else if (fault == SSL_R_CERTIFICATE_VERIFY_FAILED)
		snprintf(tls->problem, sizeof(tls->problem), "the server's certificate is not accepted: %s",
			X509_verify_cert_error_string(verdict));
	else if (fault == SSL_R_WRONG_VERSION_NUMBER)
		snprintf(tls->problem, sizeof(tls->problem), "the server does not speak TLS on this port");
	else
		snprintf(tls->problem, sizeof(tls->problem), "%s", reason != NULL ? reason : "the library does not say why");
}

/* In TLS 1.3 the client finishes the handshake before the server has checked its certificate. */
static void note_early_end(rlk_tls *tls)
{
	if (SSL_is_init_finished(tls->ssl) && !tls->answered)
		snprintf(tls->problem, sizeof(tls->problem),
			"the server hung up after the handshake, as servers do that want a certificate of ours, or another one "
			"(\"ssl.local_cert\")");
}

/* The result of a call that moved nothing: RLK_SOCKET_AGAIN, RLK_SOCKET_ERROR, or 0 at the end of the stream. */
static long result_of(rlk_tls *tls, int result)
{
	switch (SSL_get_error(tls->ssl, result)) {
		case SSL_ERROR_WANT_READ:
			tls->wants = RLK_SOCKET_READABLE;
			return RLK_SOCKET_AGAIN;
		case SSL_ERROR_WANT_WRITE:
			tls->wants = RLK_SOCKET_WRITABLE;
			return RLK_SOCKET_AGAIN;
		case SSL_ERROR_ZERO_RETURN:
			note_early_end(tls);
			return 0;
		case SSL_ERROR_SYSCALL:
			note_early_end(tls);
			if (tls->sys_errno == 0)
				return 0;
			errno = tls->sys_errno;
			return RLK_SOCKET_ERROR;
		default:
			note_problem(tls);
			ERR_clear_error();
			if (!SSL_is_init_finished(tls->ssl))
				rlk_tls_context_remember(tls->context, tls->name, NULL); /* the next try does not resume */
			errno = EPROTO;
			return RLK_SOCKET_ERROR;
	}
}

static void before_call(rlk_tls *tls)
{
	ERR_clear_error();
	tls->sys_errno = 0;
}

long rlk_tls_handshake(rlk_tls *tls)
{
	int result;
	long n;

	before_call(tls);
	result = SSL_connect(tls->ssl);
	if (result == 1)
		return 0;
	n = result_of(tls, result);
	if (n == 0)
		errno = 0;
	return n == RLK_SOCKET_AGAIN ? n : RLK_SOCKET_ERROR;
}

long rlk_tls_send(rlk_tls *tls, const char *data, size_t len)
{
	int result;
	long n;

	before_call(tls);
	result = SSL_write(tls->ssl, data, len < INT_MAX ? (int)len : INT_MAX);
	if (result > 0)
		return result;
	n = result_of(tls, result);
	tls->send_wants = tls->wants;
	if (n != 0)
		return n;
	errno = EPIPE;
	return RLK_SOCKET_ERROR;
}

long rlk_tls_receive(rlk_tls *tls, char *data, size_t len)
{
	int result;

	before_call(tls);
	result = SSL_read(tls->ssl, data, len < INT_MAX ? (int)len : INT_MAX);
	if (result <= 0)
		return result_of(tls, result);
	tls->answered = true;
	return result;
}

rlk_socket_event rlk_tls_wants(const rlk_tls *tls)
{
	return tls->wants;
}

rlk_socket_event rlk_tls_send_wants(const rlk_tls *tls)
{
	return tls->send_wants;
}

bool rlk_tls_is_idle(rlk_tls *tls)
{
	char byte;
	int result;

	/* The common case without OpenSSL, which is slow when its code is not in the processor's caches. */
	if (rlk_socket_is_idle(tls->fd) && !SSL_has_pending(tls->ssl))
		return true;
	before_call(tls);
	result = SSL_peek(tls->ssl, &byte, 1);
	/* A part of a record counts as something to read. */
	return result <= 0 && result_of(tls, result) == RLK_SOCKET_AGAIN && tls->wants == RLK_SOCKET_READABLE &&
		!SSL_has_pending(tls->ssl);
}

const char *rlk_tls_problem(const rlk_tls *tls)
{
	return tls->problem[0] != '\0' ? tls->problem : NULL;
}

#endif
