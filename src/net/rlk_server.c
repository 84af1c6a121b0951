/*
 * rlk_server: memory and URI of one configured server.
 *
 * config/rlk_layer.c checks what the fields may contain. Between calls every
 * string is NULL or ours.
 */
#include "net/rlk_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_HOST "127.0.0.1"

/* Strings of rlk_tls_options, and of rlk_server with those. */
enum { TLS_TEXTS = 6, TEXTS = TLS_TEXTS + 5 };

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

static void texts_of_tls(rlk_tls_options *options, char **texts[TLS_TEXTS])
{
	texts[0] = &options->peer_name;
	texts[1] = &options->cafile;
	texts[2] = &options->capath;
	texts[3] = &options->local_cert;
	texts[4] = &options->local_pk;
	texts[5] = &options->passphrase;
}

static void texts_of(rlk_server *server, char **texts[TEXTS])
{
	texts_of_tls(&server->tls, texts);
	texts[TLS_TEXTS] = &server->host;
	texts[TLS_TEXTS + 1] = &server->path;
	texts[TLS_TEXTS + 2] = &server->user;
	texts[TLS_TEXTS + 3] = &server->password;
	texts[TLS_TEXTS + 4] = &server->client_name;
}

bool rlk_server_copy(rlk_server *to, const rlk_server *from)
{
	char **texts[TEXTS];
	bool ok = true;

	*to = *from;
	texts_of(to, texts);
	for (int i = 0; i < TEXTS; i++) {
		const char *text = *texts[i];

		*texts[i] = NULL;
		ok = rlk_str_store(texts[i], rlk_str_from_cstr(text)) && ok;
	}
	if (!ok) {
		rlk_server_destroy(to);
		rlk_server_init(to, from->connect_timeout_ms, from->io_timeout_ms);
	}
	return ok;
}

void rlk_server_destroy(rlk_server *server)
{
	char **texts[TEXTS];

	texts_of(server, texts);
	for (int i = 0; i < TEXTS; i++)
		rlk_str_store(texts[i], rlk_str_make(NULL, 0));
}

const char *rlk_server_address(const rlk_server *server)
{
	if (server->transport == RLK_TRANSPORT_UNIX)
		return server->path != NULL ? server->path : "";
	return server->host != NULL ? server->host : DEFAULT_HOST;
}

bool rlk_server_is_same(const rlk_server *a, const rlk_server *b)
{
	return a->transport == b->transport && (a->transport == RLK_TRANSPORT_UNIX || a->port == b->port) &&
		strcmp(rlk_server_address(a), rlk_server_address(b)) == 0;
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
	rlk_tls_options copy = *options; /* its strings are only read */
	char flags[] = { copy.no_verify_peer ? '1' : '0', copy.no_verify_name ? '1' : '0',
		copy.allow_self_signed ? '1' : '0' };
	char **texts[TLS_TEXTS];
	bool ok;

	texts_of_tls(&copy, texts);
	ok = rlk_buf_append(out, flags, sizeof(flags));
	for (int i = 0; ok && i < TLS_TEXTS; i++) {
		/* "Not given" differs from empty. */
		ok = rlk_buf_append(out, *texts[i] != NULL ? "+" : "-", 1) &&
			(*texts[i] == NULL || rlk_buf_append(out, *texts[i], strlen(*texts[i]) + 1));
	}
	return ok;
}
