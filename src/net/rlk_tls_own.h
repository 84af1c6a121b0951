/*
 * rlk_tls_own: what the two files that use OpenSSL share.
 */
#ifndef RLK_TLS_OWN_H
#define RLK_TLS_OWN_H

#include "net/rlk_tls.h"

#include <openssl/ssl.h>
#include <stdatomic.h>

/* A process uses few names with one context. A new session replaces the oldest. */
#define RLK_TLS_SESSIONS 8

typedef struct {
	SSL_SESSION *session; /* NULL: unused */
	char name[RLK_TLS_NAME_MAX];
} rlk_tls_session;

struct rlk_tls_context {
	rlk_tls_context *next;
	unsigned char identity[RLK_TLS_FINGERPRINT_BYTES]; /* digest of the options and the state of their files */
	SSL_CTX *ctx;
	atomic_uint references;                     /* the list of contexts holds one */
	rlk_tls_session sessions[RLK_TLS_SESSIONS]; /* under the mutex */
	int next_session;                           /* index of the oldest */
	bool verify_peer, verify_name, allow_self_signed;
};

/* Prepares once what all connections use. Called under the mutex. false: out of memory. */
bool rlk_tls_prepare(void);

/* OpenSSL's callback for new sessions, in rlk_tls_openssl.c. */
int rlk_tls_on_session(SSL *ssl, SSL_SESSION *session);

/* The last session with a server of this name, whose certificate was accepted under this context. NULL: none. The caller
 * gets a reference. */
SSL_SESSION *rlk_tls_context_session(rlk_tls_context *context, const char *name);

/* Stores a session, taking over a reference; NULL removes the stored one. */
void rlk_tls_context_remember(rlk_tls_context *context, const char *name, SSL_SESSION *session);

#endif
