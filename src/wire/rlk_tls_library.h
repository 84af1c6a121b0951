/*
 * rlk_tls_library: what the files that know OpenSSL share. No others include this.
 */
#ifndef RLK_TLS_LIBRARY_H
#define RLK_TLS_LIBRARY_H

#include "wire/rlk_tls.h"

#include <openssl/ssl.h>

struct rlk_tls_context {
	rlk_tls_context *next;
	unsigned char
		identity[RLK_TLS_FINGERPRINT_BYTES]; /* a digest of the options and of when their files were written */
	SSL_CTX *ctx;
	unsigned references; /* under the mutex; the list of contexts is one of them */
	bool verify_peer, verify_name, allow_self_signed;
};

/* One more reference. */
void rlk_tls_context_keep(rlk_tls_context *context);

#endif
