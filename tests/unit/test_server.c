/*
 * rlk_server: defaults, URIs, copies.
 */
#include "net/rlk_server.h"

#include "net/rlk_address.h"
#include "unit.h"

static void starts_with_the_defaults(void)
{
	rlk_server server;

	rlk_server_init(&server, 1500, 2500);
	CHECK_INT(server.transport, RLK_TRANSPORT_TCP);
	CHECK_INT(server.port, 6379);
	CHECK_INT(server.database, -1);
	CHECK_INT(server.connect_timeout_ms, 1500);
	CHECK_INT(server.io_timeout_ms, 2500);
	CHECK_INT(server.retries, 0);
	CHECK(server.host == NULL && server.path == NULL && server.user == NULL && server.password == NULL &&
		server.client_name == NULL);
	CHECK_STR(server.uri, "tcp://127.0.0.1:6379");
	rlk_server_destroy(&server);
	rlk_server_destroy(&server);
}

static void uris_name_the_server_alone(void)
{
	static const struct {
		rlk_transport transport;
		const char *host, *path, *uri;
	} cases[] = {
		{ RLK_TRANSPORT_TCP, "redis.example", NULL, "tcp://redis.example:7000" },
		{ RLK_TRANSPORT_TCP, "::1", NULL, "tcp://[::1]:7000" },
		{ RLK_TRANSPORT_TCP, "fe80::1%eth0", NULL, "tcp://[fe80::1%eth0]:7000" },
		{ RLK_TRANSPORT_TCP, "h", "/run/redis.sock", "tcp://h:7000" },
		{ RLK_TRANSPORT_UNIX, "h", "/run/redis.sock", "unix:///run/redis.sock" },
		{ RLK_TRANSPORT_UNIX, NULL, "/run/a\nb\x7f", "unix:///run/a?b?" },
	};
	rlk_server server;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_server_init(&server, 1, 1);
		server.transport = cases[i].transport;
		server.port = 7000;
		CHECK(rlk_str_store(&server.host, rlk_str_from_cstr(cases[i].host)));
		CHECK(rlk_str_store(&server.path, rlk_str_from_cstr(cases[i].path)));
		CHECK(rlk_str_store(&server.user, RLK_STR("someone")));
		CHECK(rlk_str_store(&server.password, RLK_STR("s3cret")));
		rlk_server_write_uri(&server);
		CHECK_STR(server.uri, cases[i].uri);
		rlk_server_destroy(&server);
	}
}

static void uris_are_cut(void)
{
	char host[300];
	rlk_server server;

	memset(host, 'h', sizeof(host) - 1);
	host[sizeof(host) - 1] = '\0';
	rlk_server_init(&server, 1, 1);
	CHECK(rlk_str_store(&server.host, rlk_str_from_cstr(host)));
	rlk_server_write_uri(&server);
	CHECK_INT(strlen(server.uri), RLK_ERROR_NODE_MAX - 1);
	rlk_server_destroy(&server);
}

static bool endpoint_at(rlk_server *server, rlk_transport transport, const char *address, uint16_t port)
{
	rlk_server_init(server, 1, 1);
	server->transport = transport;
	server->port = port;
	return rlk_str_store(transport == RLK_TRANSPORT_UNIX ? &server->path : &server->host, rlk_str_from_cstr(address));
}

static void told_apart_by_the_whole_of_their_places(void)
{
	char host[300], upper[300];
	const struct {
		rlk_transport transport;
		const char *address;
		uint16_t port;
		bool same; /* as the first one */
	} cases[] = {
		{ RLK_TRANSPORT_TCP, host, 1, true },
		{ RLK_TRANSPORT_TCP, host, 2, false },
		{ RLK_TRANSPORT_TCP, host + 1, 1, false },
		{ RLK_TRANSPORT_TLS, host, 1, false },
		{ RLK_TRANSPORT_UNIX, host, 1, false },
		{ RLK_TRANSPORT_TCP, upper, 1, true },
	};
	rlk_server first, other, fresh;

	memset(host, 'h', sizeof(host) - 1);
	host[sizeof(host) - 1] = '\0';
	memset(upper, 'H', sizeof(upper) - 1);
	upper[sizeof(upper) - 1] = '\0';
	CHECK(endpoint_at(&first, RLK_TRANSPORT_TCP, host, 1));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(endpoint_at(&other, cases[i].transport, cases[i].address, cases[i].port));
		CHECK_INT(rlk_address_is_same(&first, &other), cases[i].same);
		rlk_server_destroy(&other);
	}
	rlk_server_destroy(&first);
	CHECK(endpoint_at(&first, RLK_TRANSPORT_UNIX, "/s", 1) && endpoint_at(&other, RLK_TRANSPORT_UNIX, "/s", 2));
	CHECK(rlk_address_is_same(&first, &other));
	rlk_server_destroy(&first);
	rlk_server_destroy(&other);
	rlk_server_init(&fresh, 1, 1);
	CHECK(endpoint_at(&other, RLK_TRANSPORT_TCP, "127.0.0.1", 6379));
	CHECK(rlk_address_is_same(&fresh, &other));
	rlk_server_destroy(&other);
}

static void fields_are_replaced(void)
{
	char *field = NULL;

	CHECK(rlk_str_store(&field, rlk_str_make("abcdef", 3)));
	CHECK_STR(field, "abc");
	CHECK(rlk_str_store(&field, rlk_str_make(field, 2)));
	CHECK_STR(field, "ab");
	CHECK(rlk_str_store(&field, RLK_STR("")));
	CHECK_STR(field, "");
	CHECK(rlk_str_store(&field, rlk_str_make(NULL, 0)));
	CHECK(field == NULL);
}

static void copies_share_nothing(void)
{
	rlk_server from, to;

	rlk_server_init(&from, 11, 22);
	from.transport = RLK_TRANSPORT_UNIX;
	from.port = 7;
	from.database = 3;
	from.retries = 4;
	from.retry_delay_ms = 5;
	CHECK(rlk_str_store(&from.host, RLK_STR("host")));
	CHECK(rlk_str_store(&from.path, RLK_STR("/path")));
	CHECK(rlk_str_store(&from.user, RLK_STR("user")));
	CHECK(rlk_str_store(&from.password, RLK_STR("password")));
	CHECK(rlk_str_store(&from.client_name, RLK_STR("client")));
	rlk_server_write_uri(&from);
	memset(&to, 0xa5, sizeof(to));
	CHECK(rlk_server_copy(&to, &from));
	rlk_server_destroy(&from);
	CHECK_INT(to.transport, RLK_TRANSPORT_UNIX);
	CHECK_INT(to.port, 7);
	CHECK_INT(to.database, 3);
	CHECK_INT(to.retries, 4);
	CHECK_INT(to.retry_delay_ms, 5);
	CHECK_INT(to.connect_timeout_ms, 11);
	CHECK_INT(to.io_timeout_ms, 22);
	CHECK_STR(to.host, "host");
	CHECK_STR(to.path, "/path");
	CHECK_STR(to.user, "user");
	CHECK_STR(to.password, "password");
	CHECK_STR(to.client_name, "client");
	CHECK_STR(to.uri, "unix:///path");
	rlk_server_destroy(&to);
}

int main(void)
{
	RUN(starts_with_the_defaults);
	RUN(uris_name_the_server_alone);
	RUN(uris_are_cut);
	RUN(told_apart_by_the_whole_of_their_places);
	RUN(fields_are_replaced);
	RUN(copies_share_nothing);
	return unit_done();
}
