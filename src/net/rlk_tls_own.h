/*
 * rlk_tls_own: what the files that know OpenSSL share. No others include this.
 */
#ifndef RLK_TLS_OWN_H
#define RLK_TLS_OWN_H

#include "net/rlk_tls.h"

#include <openssl/ssl.h>

/* A process asks few names of one context. The place of the one written longest ago is used again. */
#define RLK_TLS_SESSIONS 8

typedef struct {
	SSL_SESSION *session; /* NULL: a free place */
	char name[RLK_TLS_NAME_MAX];
} rlk_tls_session;

struct rlk_tls_context {
	rlk_tls_context *next;
	unsigned char
		identity[RLK_TLS_FINGERPRINT_BYTES]; /* a digest of the options and of when their files were written */
	SSL_CTX *ctx;
	unsigned references;                        /* under the mutex; the list of contexts is one of them */
	rlk_tls_session sessions[RLK_TLS_SESSIONS]; /* under the mutex */
	int next_session;                           /* where the next one is written */
	bool verify_peer, verify_name, allow_self_signed;
};

/* One more reference. */
void rlk_tls_context_keep(rlk_tls_context *context);

/* What every connection needs is there from the first context on. Called under the mutex. false: memory is out. */
bool rlk_tls_prepare(void);

/* The library's callback for new sessions, in rlk_tls_openssl.c. */
int rlk_tls_on_session(SSL *ssl, SSL_SESSION *session);

/* The last session with a server of this name, whose certificate was accepted under this context then: it needs not be
 * looked at again. NULL: none. The caller has a reference. */
SSL_SESSION *rlk_tls_context_session(rlk_tls_context *context, const char *name);

/* Remembers a session, taking over a reference; NULL forgets what there is. */
void rlk_tls_context_remember(rlk_tls_context *context, const char *name, SSL_SESSION *session);

#endif
