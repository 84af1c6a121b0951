/*
 * rlk_tls_options: what is asked of a server, and shown to it, where the connection is encrypted.
 *
 * The names are those of PHP's SSL context options. Owns its strings.
 */
#ifndef RLK_TLS_OPTIONS_H
#define RLK_TLS_OPTIONS_H

#include "base/rlk_buf.h"

#include <stdbool.h>

typedef struct {
	bool wanted;         /* some option asked for TLS: the connection must not be in clear text */
	bool no_verify_peer; /* these three in the negative, so that all zero is the strict default */
	bool no_verify_name;
	bool allow_self_signed; /* for the certificate of the server itself, when nothing else is wrong with it */
	char *peer_name;        /* the name its certificate has to have; NULL: that of the host */
	char *cafile, *capath;  /* certificates we trust; both NULL: the system's */
	char *local_cert;       /* our own certificate, for servers that ask for one; NULL: none */
	char *local_pk;         /* its key; NULL: in local_cert as well */
	char *passphrase;       /* of that key. Wiped when destroyed */
} rlk_tls_options;

/* Deep copy into uninitialised memory. false: memory is out, *to can be destroyed. */
bool rlk_tls_options_copy(rlk_tls_options *to, const rlk_tls_options *from);

/* Frees the strings, wiping them. Safe to call twice. */
void rlk_tls_options_destroy(rlk_tls_options *options);

/* Appends all of it, the passphrase included, as bytes that differ when anything does. false: memory is out. */
bool rlk_tls_options_append(const rlk_tls_options *options, rlk_buf *out);

#endif
