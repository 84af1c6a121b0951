/*
 * rlk_server: memory and URI of one configured server.
 *
 * config/rlk_layer.c checks what the fields may contain. Between calls every
 * string is NULL or ours.
 */
#include "net/rlk_server.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_HOST "127.0.0.1"

/* Offsets of the strings of a server; those of its rlk_tls_options come first. */
#define TLS_TEXTS 6
static const size_t texts[] = { offsetof(rlk_server, tls.peer_name), offsetof(rlk_server, tls.cafile),
	offsetof(rlk_server, tls.capath), offsetof(rlk_server, tls.local_cert), offsetof(rlk_server, tls.local_pk),
	offsetof(rlk_server, tls.passphrase), offsetof(rlk_server, host), offsetof(rlk_server, path),
	offsetof(rlk_server, user), offsetof(rlk_server, password), offsetof(rlk_server, client_name) };
#define TEXTS (sizeof(texts) / sizeof(texts[0]))

static char **text_at(rlk_server *server, size_t i)
{
	return (char **)(void *)((char *)server + texts[i]);
}

void rlk_server_init(rlk_server *server, int connect_timeout_ms, int io_timeout_ms)
{
	memset(server, 0, sizeof(*server));
	server->transport = RLK_TRANSPORT_TCP;
	server->port = RLK_DEFAULT_PORT;
	server->database = -1;
	server->connect_timeout_ms = connect_timeout_ms;
	server->io_timeout_ms = io_timeout_ms;
	server->retry_delay_ms = RLK_RETRY_DELAY_DEFAULT_MS;
	rlk_server_write_uri(server);
}

bool rlk_server_copy(rlk_server *to, const rlk_server *from)
{
	bool ok = true;

	*to = *from;
	for (size_t i = 0; i < TEXTS; i++) {
		char **text = text_at(to, i);
		rlk_str original = rlk_str_from_cstr(*text);

		*text = NULL;
		ok = rlk_str_store(text, original) && ok;
	}
	if (!ok) {
		rlk_server_destroy(to);
		rlk_server_init(to, from->connect_timeout_ms, from->io_timeout_ms);
	}
	return ok;
}

void rlk_server_destroy(rlk_server *server)
{
	for (size_t i = 0; i < TEXTS; i++)
		rlk_str_store(text_at(server, i), rlk_str_make(NULL, 0));
}

const char *rlk_server_address(const rlk_server *server)
{
	if (server->transport == RLK_TRANSPORT_UNIX)
		return server->path != NULL ? server->path : "";
	return server->host != NULL ? server->host : DEFAULT_HOST;
}

void rlk_server_write_uri(rlk_server *server)
{
	const char *address = rlk_server_address(server);
	bool brackets = strchr(address, ':') != NULL;
	char *c;

	if (server->transport == RLK_TRANSPORT_UNIX)
		snprintf(server->uri, sizeof(server->uri), "unix://%s", address);
	else
		snprintf(server->uri, sizeof(server->uri), "%s://%s%s%s:%u",
			server->transport == RLK_TRANSPORT_TLS ? "tls" : "tcp", brackets ? "[" : "", address, brackets ? "]" : "",
			(unsigned)server->port);
	/* URIs go into logs: a line break in the name of a socket must not start a new line there. */
	for (c = server->uri; *c != '\0'; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
}

const char *rlk_server_tls_name(const rlk_server *server)
{
	return server->tls.peer_name != NULL ? server->tls.peer_name : server->host;
}

bool rlk_tls_options_append(const rlk_tls_options *options, rlk_buf *out)
{
	rlk_server server = { .tls = *options };
	char flags[] = { '0' + options->no_verify_peer, '0' + options->no_verify_name, '0' + options->allow_self_signed };
	bool ok = rlk_buf_append(out, flags, sizeof(flags));

	for (size_t i = 0; ok && i < TLS_TEXTS; i++) {
		const char *text = *text_at(&server, i);

		/* NULL differs from an empty string. */
		ok = rlk_buf_append(out, text != NULL ? "+" : "-", 1) &&
			(text == NULL || rlk_buf_append(out, text, strlen(text) + 1));
	}
	return ok;
}
