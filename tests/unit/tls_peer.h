/*
 * tls_peer: the other end of a TLS connection, in the same thread, and a certificate for it.
 */
#ifndef TLS_PEER_H
#define TLS_PEER_H

#include <stdbool.h>

#include <openssl/ssl.h>

typedef struct {
	SSL_CTX *ctx;
	SSL *ssl;
	int fd;
} tls_peer;

/* Writes a certificate for this DNS name that vouches for itself, and its key, to new files of these names. */
bool tls_peer_certificate(const char *name, const char *cert_path, const char *key_path);

/* Takes over a non-blocking descriptor. `version`: TLS1_2_VERSION, say; 0: whatever is best. */
bool tls_peer_init(tls_peer *peer, int fd, const char *cert_path, const char *key_path, int version);
/* Another connection to the same server: what it remembers of its clients stays. The old one is closed. */
bool tls_peer_again(tls_peer *peer, int fd);

void tls_peer_destroy(tls_peer *peer);

#endif
