/*
 * rlk_server: memory and label of one configured server.
 *
 * What the fields may contain is checked by whoever fills them in
 * (config/rlk_config.c). Between calls every string is NULL or ours.
 */
#include "net/rlk_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_RETRY_DELAY_MS 100
#define TEXTS 6 /* strings of rlk_tls_options */

void rlk_server_init(rlk_server *server, int connect_timeout_ms, int io_timeout_ms)
{
	memset(server, 0, sizeof(*server));
	server->transport = RLK_TRANSPORT_TCP;
	server->port = RLK_DEFAULT_PORT;
	server->database = -1;
	server->connect_timeout_ms = connect_timeout_ms;
	server->io_timeout_ms = io_timeout_ms;
	server->retry_delay_ms = DEFAULT_RETRY_DELAY_MS;
	rlk_server_relabel(server);
}

static void texts_of(rlk_tls_options *options, char **texts[TEXTS])
{
	texts[0] = &options->peer_name;
	texts[1] = &options->cafile;
	texts[2] = &options->capath;
	texts[3] = &options->local_cert;
	texts[4] = &options->local_pk;
	texts[5] = &options->passphrase;
}

static bool copy_tls_options(rlk_tls_options *to, const rlk_tls_options *from)
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
	return ok;
}

static void destroy_tls_options(rlk_tls_options *options)
{
	char **texts[TEXTS];

	texts_of(options, texts);
	for (int i = 0; i < TEXTS; i++)
		rlk_str_store(texts[i], rlk_str_make(NULL, 0));
}

static bool copy_field(char **to, const char *from)
{
	*to = NULL;
	return rlk_str_store(to, rlk_str_from_cstr(from));
}

bool rlk_server_copy(rlk_server *to, const rlk_server *from)
{
	bool ok;

	*to = *from;
	ok = copy_field(&to->host, from->host);
	ok = copy_field(&to->path, from->path) && ok;
	ok = copy_field(&to->user, from->user) && ok;
	ok = copy_field(&to->password, from->password) && ok;
	ok = copy_field(&to->client_name, from->client_name) && ok;
	ok = copy_tls_options(&to->tls, &from->tls) && ok;
	if (!ok) {
		rlk_server_destroy(to);
		rlk_server_init(to, from->connect_timeout_ms, from->io_timeout_ms);
	}
	return ok;
}

void rlk_server_destroy(rlk_server *server)
{
	rlk_str_store(&server->host, rlk_str_make(NULL, 0));
	rlk_str_store(&server->path, rlk_str_make(NULL, 0));
	rlk_str_store(&server->user, rlk_str_make(NULL, 0));
	rlk_str_store(&server->password, rlk_str_make(NULL, 0));
	rlk_str_store(&server->client_name, rlk_str_make(NULL, 0));
	destroy_tls_options(&server->tls);
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

void rlk_server_relabel(rlk_server *server)
{
	const char *address = rlk_server_address(server);
	bool brackets = strchr(address, ':') != NULL;
	char *c;

	if (server->transport == RLK_TRANSPORT_UNIX)
		snprintf(server->label, sizeof(server->label), "unix://%s", address);
	else
		snprintf(server->label, sizeof(server->label), "%s://%s%s%s:%u",
			server->transport == RLK_TRANSPORT_TLS ? "tls" : "tcp", brackets ? "[" : "", address, brackets ? "]" : "",
			(unsigned)server->port);
	/* Labels end in logs: a line break in the name of a socket must not start a line of its own there. */
	for (c = server->label; *c != '\0'; c++) {
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
	rlk_tls_options copy = *options; /* its strings are only looked at */
	char flags[] = { copy.no_verify_peer ? '1' : '0', copy.no_verify_name ? '1' : '0',
		copy.allow_self_signed ? '1' : '0' };
	char **texts[TEXTS];
	bool ok;

	texts_of(&copy, texts);
	ok = rlk_buf_append(out, flags, sizeof(flags));
	for (int i = 0; ok && i < TEXTS; i++) {
		/* "Not given" differs from empty. */
		ok = rlk_buf_append(out, *texts[i] != NULL ? "+" : "-", 1) &&
			(*texts[i] == NULL || rlk_buf_append(out, *texts[i], strlen(*texts[i]) + 1));
	}
	return ok;
}
