/*
 * rlk_server: one server and how to reach it, as configured. No I/O here.
 *
 * Owns its strings. Messages name the server by its URI, which never has a password or a user name.
 */
#ifndef RLK_SERVER_H
#define RLK_SERVER_H

#include "base/rlk_error.h"
#include "base/rlk_str.h"

#include <stdint.h>

/* What TLS verifies of a server, and shows to it. Named as PHP's SSL context options. Owns its strings. */
typedef struct {
	bool no_verify_peer; /* these three in the negative, so that all zero is the strict default */
	bool no_verify_name;
	bool allow_self_signed; /* the server's own certificate, when nothing else is wrong with it */
	char *peer_name;        /* the name its certificate has to have; NULL: that of the host */
	char *cafile, *capath;  /* certificates we trust; both NULL: the system's */
	char *local_cert;       /* our own certificate, for servers that ask for one; NULL: none */
	char *local_pk;         /* its key; NULL: in local_cert as well */
	char *passphrase;       /* of that key. Wiped when destroyed */
} rlk_tls_options;

typedef enum { RLK_TRANSPORT_TCP, RLK_TRANSPORT_UNIX, RLK_TRANSPORT_TLS } rlk_transport; /* TLS: over TCP */

typedef struct {
	rlk_transport transport;
	char *host;             /* TCP, TLS: name or numeric address without brackets; NULL for unix, and for the default
	                     * until config/rlk_config_servers.c writes it out */
	uint16_t port;          /* TCP, TLS: 1..65535 */
	char *path;             /* unix: path of the socket; else NULL */
	char *user;             /* NULL: AUTH with the password alone */
	char *password;         /* NULL: no AUTH. Wiped when destroyed. May hold any byte but NUL. */
	char *client_name;      /* NULL: no CLIENT SETNAME */
	rlk_tls_options tls;    /* counts with RLK_TRANSPORT_TLS */
	int database;           /* SELECT n; -1: no SELECT */
	int connect_timeout_ms; /* > 0; the whole of resolving, connecting, AUTH and SELECT */
	int io_timeout_ms;      /* > 0; for all requests of an operation over one connection, replies included */
	int retries;            /* further tries of connecting and of idempotent commands, 0 = none */
	int retry_delay_ms;     /* pause before each of those */
	char uri[RLK_ERROR_NODE_MAX]; /* "tcp://host:port", "tls://host:port" or "unix:///path" */
} rlk_server;

#define RLK_DEFAULT_PORT 6379
#define RLK_RETRY_DELAY_DEFAULT_MS 100

/* A server with the default address, no credentials and the given timeouts; nothing allocated. */
void rlk_server_init(rlk_server *server, int connect_timeout_ms, int io_timeout_ms);

/* Deep copy into uninitialised memory. false: out of memory, *to is initialised and empty. */
bool rlk_server_copy(rlk_server *to, const rlk_server *from);

/* Frees the strings, wiping the password. Safe to call twice. */
void rlk_server_destroy(rlk_server *server);

/* Writes the URI from transport, host, port and path. Call after changing one of them. */
void rlk_server_write_uri(rlk_server *server);

/* The path of the socket, or the host. */
const char *rlk_server_address(const rlk_server *server);

/* The name that the server's certificate must have, sent as SNI too. */
const char *rlk_server_tls_name(const rlk_server *server);

/* Appends all options, the passphrase included, as bytes that differ if any option differs. false: out of memory. */
bool rlk_tls_options_append(const rlk_tls_options *options, rlk_buf *out);

#endif
