/*
 * rlk_endpoint: memory and label of one configured server.
 *
 * What the fields may contain is checked by whoever fills them in
 * (config/rlk_config_server.c). Between calls every string is NULL or ours.
 */
#include "net/rlk_endpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_RETRY_DELAY_MS 100

void rlk_endpoint_init(rlk_endpoint *endpoint, int connect_timeout_ms, int io_timeout_ms)
{
	memset(endpoint, 0, sizeof(*endpoint));
	endpoint->transport = RLK_TRANSPORT_TCP;
	endpoint->port = RLK_DEFAULT_PORT;
	endpoint->database = -1;
	endpoint->connect_timeout_ms = connect_timeout_ms;
	endpoint->io_timeout_ms = io_timeout_ms;
	endpoint->retry_delay_ms = DEFAULT_RETRY_DELAY_MS;
	rlk_endpoint_relabel(endpoint);
}

static bool copy_field(char **to, const char *from)
{
	*to = NULL;
	return rlk_str_store(to, rlk_str_from_cstr(from));
}

bool rlk_endpoint_copy(rlk_endpoint *to, const rlk_endpoint *from)
{
	bool ok;

	*to = *from;
	ok = copy_field(&to->host, from->host);
	ok = copy_field(&to->path, from->path) && ok;
	ok = copy_field(&to->user, from->user) && ok;
	ok = copy_field(&to->password, from->password) && ok;
	ok = copy_field(&to->client_name, from->client_name) && ok;
	ok = rlk_tls_options_copy(&to->tls, &from->tls) && ok;
	if (!ok) {
		rlk_endpoint_destroy(to);
		rlk_endpoint_init(to, from->connect_timeout_ms, from->io_timeout_ms);
	}
	return ok;
}

void rlk_endpoint_destroy(rlk_endpoint *endpoint)
{
	rlk_str_store(&endpoint->host, rlk_str_make(NULL, 0));
	rlk_str_store(&endpoint->path, rlk_str_make(NULL, 0));
	rlk_str_store(&endpoint->user, rlk_str_make(NULL, 0));
	rlk_str_store(&endpoint->password, rlk_str_make(NULL, 0));
	rlk_str_store(&endpoint->client_name, rlk_str_make(NULL, 0));
	rlk_tls_options_destroy(&endpoint->tls);
}

const char *rlk_endpoint_address(const rlk_endpoint *endpoint)
{
	if (endpoint->transport == RLK_TRANSPORT_UNIX)
		return endpoint->path != NULL ? endpoint->path : "";
	return endpoint->host != NULL ? endpoint->host : DEFAULT_HOST;
}

bool rlk_endpoint_is_same(const rlk_endpoint *a, const rlk_endpoint *b)
{
	return a->transport == b->transport && (a->transport == RLK_TRANSPORT_UNIX || a->port == b->port) &&
		strcmp(rlk_endpoint_address(a), rlk_endpoint_address(b)) == 0;
}

void rlk_endpoint_relabel(rlk_endpoint *endpoint)
{
	const char *address = rlk_endpoint_address(endpoint);
	bool brackets = strchr(address, ':') != NULL;
	char *c;

	if (endpoint->transport == RLK_TRANSPORT_UNIX)
		snprintf(endpoint->label, sizeof(endpoint->label), "unix://%s", address);
	else
		snprintf(endpoint->label, sizeof(endpoint->label), "%s://%s%s%s:%u",
			endpoint->transport == RLK_TRANSPORT_TLS ? "tls" : "tcp", brackets ? "[" : "", address, brackets ? "]" : "",
			(unsigned)endpoint->port);
	/* Labels end in logs: a line break in the name of a socket must not start a line of its own there. */
	for (c = endpoint->label; *c != '\0'; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
}
