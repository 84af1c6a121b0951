/*
 * rlk_config: the options of the connection, in the spellings of every client they come from.
 */
#include "config_case.h"
#include "unit.h"

#include <math.h>

/* clang-format off */

static const one_map addresses[] = {
	{ M(E("host", S("redis.example"))), "tcp://redis.example:6379" },
	{ M(E("hostname", S("h")), E("port", S("7000"))), "tcp://h:7000" },
	{ M(E("port", I(1))), "tcp://127.0.0.1:1" },
	{ M(E("port", D(65535))), "tcp://127.0.0.1:65535" },
	{ M(E("host", S("10.0.0.1")), E("scheme", S("redis"))), "tcp://10.0.0.1:6379" },
	{ M(E("host", S("::1"))), "tcp://[::1]:6379" },
	{ M(E("host", S("[fe80::1%eth0]"))), "tcp://[fe80::1%eth0]:6379" },
	{ M(E("host", S("tcp://h"))), "tcp://h:6379" },
	{ M(E("host", S("redis://[::1]")), E("scheme", S("TCP"))), "tcp://[::1]:6379" },
	{ M(E("host", S("/run/redis.sock")), E("port", I(0))), "unix:///run/redis.sock" },
	{ M(E("host", S("unix:///run/redis.sock")), E("port", S("-1"))), "unix:///run/redis.sock" },
	{ M(E("path", S("/run/redis.sock"))), "unix:///run/redis.sock" },
	{ M(E("unixSocket", S("/run/a b"))), "unix:///run/a b" },
	{ M(E("unix_socket", S("/s")), E("scheme", S("unix"))), "unix:///s" },
	{ M(E("scheme", S("unix")), E("path", S("/s")), E("port", I(6379))), "unix:///s" },
	{ M(E("scheme", S("valkey")), E("host", S("h"))), "tcp://h:6379" },
	{ M(E("scheme", N), E("host", N), E("port", N), E("path", N)), TCP },
	{ M(E("useSSL", B(false)), E("ssl", EMPTY)), TCP },
};

static void addresses_in_all_spellings(void)
{
	CHECK_MAPS(addresses);
}

#define HOST "must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, without port, user or password"
#define PORT "option \"port\" must be a whole number from 1 to 65535"
#define SCHEMES "must be one of tcp, redis, valkey, unix, tls, rediss, valkeys"

static const one_map wrong_addresses[] = {
	{ M(E("host", S(""))), "value: option \"host\" " RLK_NO_SERVER },
	{ M(E("hostname", S("h:6380"))), "value: option \"hostname\" " HOST },
	{ M(E("host", S("user:s3cret@h"))), "value: option \"host\" " HOST },
	{ M(E("host", S("redis://user:s3cret@h:6379"))), "value: option \"host\" " HOST },
	{ M(E("host", S("a b"))), "value: option \"host\" " HOST },
	{ M(E("host", S("h1,h2"))), "value: option \"host\" " HOST },
	{ M(E("host", S("h\0x"))), "value: option \"host\" must not contain NUL bytes" },
	{ M(E("host", S("[h]"))), "value: option \"host\" " HOST },
	{ M(E("host", S("[::1"))), "value: option \"host\" " HOST },
	{ M(E("host", S("tcp:///x"))), "value: option \"host\" " HOST },
	{ M(E("host", S("unix://x"))), "value: option \"host\" must be the absolute path of a socket" },
	{ M(E("host", S("/run/\0x"))), "value: option \"host\" must not contain NUL bytes" },
	{ M(E("host", I(1))), "type: option \"host\" must be a string, int given" },
	{ M(E("host", S("http://h"))), "value: option \"host\" " SCHEMES },
	{ M(E("host", L(V(S("h1")), V(S("h2"))))),
		"type: option \"host\" must be a string, array given" },
	{ M(E("host", S("tcp://h")), E("scheme", S("unix"))), "value: options \"host\" and \"scheme\" contradict each other" },
	{ M(E("scheme", S("tcp")), E("host", S("/s"))), "value: options \"scheme\" and \"host\" contradict each other" },
	{ M(E("host", S("a")), E("hostname", S("b"))), "value: options \"host\" and \"hostname\" contradict each other" },
	{ M(E("hostname", S("h")), E("unix_socket", S("/a"))),
		"value: options \"hostname\" and \"unix_socket\" name two different servers; leave one out" },
	{ M(E("url", S("redis://h")), E("unixSocket", S("/a"))),
		"value: options \"host\" and \"unixSocket\" name two different servers; leave one out" },
	{ M(E("path", S("/a")), E("unixSocket", S("/b"))), "value: options \"path\" and \"unixSocket\" contradict each other" },
	{ M(E("host", S("h")), E("path", S("/s"))),
		"value: options \"host\" and \"path\" name two different servers; leave one out" },
	{ M(E("scheme", S("redis")), E("path", S("/s"))),
		"value: options \"scheme\" and \"path\" name two different servers; leave one out" },
	{ M(E("scheme", S("unix")), E("host", S("h"))), "value: option \"path\" must be given with the scheme unix" },
	{ M(E("path", S(""))), "value: option \"path\" " RLK_NO_SERVER },
	{ M(E("path", S("redis.sock"))), "value: option \"path\" must be the absolute path of a socket" },
	{ M(E("unix_socket", S("/a\0b"))), "value: option \"unix_socket\" must not contain NUL bytes" },
	{ M(E("port", I(0))), "value: " PORT ", 0 given" },
	{ M(E("port", I(-1))), "value: " PORT ", -1 given" },
	{ M(E("port", I(70000))), "value: " PORT ", 70000 given" },
	{ M(E("port", S("70000"))), "value: " PORT ", 70000 given" },
	{ M(E("port", D(6379.5))), "value: " PORT ", 6379.5 given" },
	{ M(E("port", S("99999999999999999999"))), "value: " PORT ", 1e+20 given" },
	{ M(E("port", S(""))), "type: " PORT ", string given" },
	{ M(E("port", B(true))), "type: " PORT ", bool given" },
	{ M(E("scheme", S(""))), "value: option \"scheme\" " SCHEMES },
	{ M(E("scheme", S("http"))), "value: option \"scheme\" " SCHEMES },
	{ M(E("scheme", I(1))), "type: option \"scheme\" must be a string, int given" },
	{ M(E("database", I(-1))), "value: option \"database\" must be a whole number from 0 to 2147483647, -1 given" },
	{ M(E("dbindex", D(0.5))), "value: option \"dbindex\" must be a whole number from 0 to 2147483647, 0.5 given" },
	{ M(E("db", S("x"))), "type: option \"db\" must be a whole number from 0 to 2147483647, string given" },
	{ M(E("client_name", S("a b"))), "value: option \"client_name\" must be printable ASCII without blanks" },
	{ M(E("client_name", S("a\xc3\xa4"))), "value: option \"client_name\" must be printable ASCII without blanks" },
	{ M(E("client_name", S("a\0b"))), "value: option \"client_name\" must not contain NUL bytes" },
};

static void wrong_addresses_are_errors(void)
{
	CHECK_MAPS(wrong_addresses);
}

static const one_map credentials[] = {
	{ M(E("password", S("p"))), TCP " password=p" },
	{ M(E("pass", I(1234))), TCP " password=1234" },
	{ M(E("password", S(""))), TCP },
	{ M(E("username", S("u")), E("password", S("p"))), TCP " user=u password=p" },
	{ M(E("user", S("u")), E("pass", S("p"))), TCP " user=u password=p" },
	{ M(E("user", S("")), E("pass", S("p"))), TCP " password=p" },
	{ M(E("username", N), E("password", N)), TCP },
	{ M(E("auth", S("p"))), TCP " password=p" },
	{ M(E("auth", I(7))), TCP " password=7" },
	{ M(E("auth", S(""))), TCP },
	{ M(E("auth", EMPTY)), TCP },
	{ M(E("auth", L(V(S("p"))))), TCP " password=p" },
	{ M(E("auth", L(V(S("u")), V(S("p"))))), TCP " user=u password=p" },
	{ M(E("auth", L(V(N), V(S("p"))))), TCP " password=p" },
	{ M(E("auth", S("p")), E("username", S("u"))), TCP " user=u password=p" },
	{ M(E("auth", L(V(S("u")), V(S("p")))), E("username", S("u")), E("password", S("p"))), TCP " user=u password=p" },
};

#define AUTH "a password, or a list of user and password"

static const one_map wrong_credentials[] = {
	{ M(E("username", S("u"))), "value: option \"username\" must not be given without a password" },
	{ M(E("username", S("u")), E("password", S(""))),
		"value: option \"username\" must not be given without a password" },
	{ M(E("auth", L(V(S("u")), V(N)))), "value: option \"auth\" must not be given without a password" },
	{ M(E("password", S("s3cret\0x"))), "value: option \"password\" must not contain NUL bytes" },
	{ M(E("username", S("s3cret\0x"))), "value: option \"username\" must not contain NUL bytes" },
	{ M(E("auth", S("s3cret\0x"))), "value: option \"auth\" must not contain NUL bytes" },
	{ M(E("password", D(5.25))), "type: option \"password\" must be a string, float given" },
	{ M(E("password", B(true))), "type: option \"password\" must be a string, bool given" },
	{ M(E("pass", L(V(S("s3cret"))))), "type: option \"pass\" must be a string, array given" },
	{ M(E("password", S("s3cret")), E("pass", S("other"))), "value: options \"password\" and \"pass\" contradict each other" },
	{ M(E("password", S("s3cret")), E("auth", S("other"))), "value: options \"password\" and \"auth\" contradict each other" },
	{ M(E("auth", L(V(S("u")), V(S("p")))), E("user", S("s3cret"))), "value: options \"auth\" and \"user\" contradict each other" },
	{ M(E("auth", M(E("user", S("u")), E("pass", S("s3cret"))))), "value: option \"auth\" must be " AUTH },
	{ M(E("auth", L(V(S("s3cret")), V(S("b")), V(S("c"))))), "value: option \"auth\" must be " AUTH },
	{ M(E("auth", L(V(EMPTY)))), "type: option \"auth\" must be " AUTH ", array given" },
	{ M(E("auth", B(false))), "type: option \"auth\" must be " AUTH ", bool given" },
};

static void credentials_in_all_spellings(void)
{
	CHECK_MAPS(credentials);
}

static void wrong_credentials_are_not_shown(void)
{
	CHECK_MAPS(wrong_credentials);
	for (size_t i = 0; i < sizeof(wrong_credentials) / sizeof(wrong_credentials[0]); i++)
		CHECK(strstr(wrong_credentials[i].want, "s3cret") == NULL);
}

static const one_map others[] = {
	{ M(E("database", I(0))), TCP " db=0" },
	{ M(E("db", S("12"))), TCP " db=12" },
	{ M(E("dbindex", S(""))), TCP },
	{ M(E("client_name", S("cron-7!"))), TCP " client=cron-7!" },
	{ M(E("client_name", S(""))), TCP },
	{ M(E("timeout", D(0.5))), TCP " connect=500" },
	{ M(E("connectionTimeout", S("1.5"))), TCP " connect=1500" },
	{ M(E("connect_timeout", I(3600))), TCP " connect=3600000" },
	{ M(E("read_write_timeout", I(1))), TCP " io=1000" },
	{ M(E("read_timeout", D(0.001))), TCP " io=1" },
	{ M(E("dataTimeout", I(9))), TCP " io=9000" },
	{ M(E("timeout", I(0)), E("read_timeout", I(-1))), TCP },
	{ M(E("timeout", D(-1)), E("connect_timeout", S("0"))), TCP },
	{ M(E("retries", I(3)), E("retry_interval", I(250))), TCP " retries=3 delay=250" },
	{ M(E("max_retries", S("100")), E("retryInterval", I(1500))), TCP " retries=100 delay=2" },
	{ M(E("retry_interval", I(0))), TCP " delay=0" },
	{ M(E("retry_interval", I(2)), E("retryInterval", I(2000))), TCP " delay=2" },
};

#define TIMEOUT "must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default"
#define DELAY_MS "must be a number of milliseconds of at least 0 and at most 3600000"

static const one_map wrong_others[] = {
	{ M(E("timeout", I(-2))), "value: option \"timeout\" " TIMEOUT ", -2 given" },
	{ M(E("timeout", D(3600.5))), "value: option \"timeout\" " TIMEOUT ", 3600.5 given" },
	{ M(E("connect_timeout", D(INFINITY))), "value: option \"connect_timeout\" " TIMEOUT ", INF given" },
	{ M(E("connectionTimeout", D(NAN))), "value: option \"connectionTimeout\" " TIMEOUT ", NAN given" },
	{ M(E("read_timeout", D(0.0001))), "value: option \"read_timeout\" " TIMEOUT ", 0.0001 given" },
	{ M(E("dataTimeout", S("x"))), "type: option \"dataTimeout\" " TIMEOUT ", string given" },
	{ M(E("read_write_timeout", EMPTY)), "type: option \"read_write_timeout\" " TIMEOUT ", array given" },
	{ M(E("timeout", I(1)), E("connect_timeout", I(2))),
		"value: options \"timeout\" and \"connect_timeout\" contradict each other" },
	{ M(E("read_timeout", I(1)), E("dataTimeout", I(2))),
		"value: options \"read_timeout\" and \"dataTimeout\" contradict each other" },
	{ M(E("retries", I(101))), "value: option \"retries\" must be a whole number from 0 to 100, 101 given" },
	{ M(E("max_retries", I(-1))), "value: option \"max_retries\" must be a whole number from 0 to 100, -1 given" },
	{ M(E("retry_interval", I(-1))), "value: option \"retry_interval\" " DELAY_MS ", -1 given" },
	{ M(E("retryInterval", D(NAN))),
		"value: option \"retryInterval\" must be a number of microseconds of at least 0 and at most 3600000000, NAN given" },
};

static void databases_timeouts_and_retries(void)
{
	CHECK_MAPS(others);
	CHECK_MAPS(wrong_others);
}

static const one_map off[] = {
	{ M(E("useSSL", S("0")), E("ssl", B(false)), E("cluster", B(false))), TCP },
	{ M(E("cluster", I(0)), E("service", S("")), E("sentinels", B(false))), TCP },
	{ M(E("servers", N)), TCP },
};

static void what_is_off_means_nothing(void)
{
	CHECK_MAPS(off);
}

#define TLS "tls://127.0.0.1:6379"
#define CLEAR "value: options of TLS are given, but the scheme is one of clear text; \"tls\" and \"rediss\" are those with TLS"
#define OURS " is not supported; see docs/operate/tls.md"

static const one_map tls[] = {
	{ M(E("host", S("tls://h"))), "tls://h:6379" },
	{ M(E("scheme", S("rediss"))), TLS },
	{ M(E("scheme", S("VALKEYS"))), TLS },
	{ M(E("scheme", S("tls")), E("host", S("::1"))), "tls://[::1]:6379" },
	{ M(E("useSSL", B(true))), TLS },
	{ M(E("useSSL", S("on")), E("hostname", S("h"))), "tls://h:6379" },
	{ M(E("ssl", B(true))), TLS },
	{ M(E("ssl", M(E("verify_peer", B(false))))), TLS " no_verify_peer" },
	{ M(E("ssl", M(E("verify_peer", B(true)), E("verify_peer_name", S("0")), E("allow_self_signed", I(1))))),
		TLS " no_verify_name allow_self_signed" },
	{ M(E("ssl", M(E("peer_name", S("a")), E("cafile", S("")), E("capath", N)))), TLS " peer_name=a" },
	{ M(E("useSSL", B(false)), E("scheme", S("tls"))), TLS },
	{ M(E("scheme", S("tcp")), E("useSSL", B(true))), CLEAR },
	{ M(E("scheme", S("tcp")), E("ssl", M(E("cafile", S("x"))))), CLEAR },
	{ M(E("ssl", M(E("cafile", S("x")))), E("scheme", S("redis"))), CLEAR },
	{ M(E("useSSL", B(false)), E("ssl", M(E("cafile", S("x"))))), TLS " cafile=x" },
	{ M(E("scheme", S("tcp")), E("ssl", B(true))), CLEAR },
	{ M(E("scheme", S("unix")), E("path", S("/s")), E("useSSL", B(true))),
		"value: options of TLS are given for a unix socket, on which there is no TLS" },
	{ M(E("url", S("redis://h")), E("ssl", M(E("cafile", S("x"))))), CLEAR },
	{ M(E("url", S("tcp://h?ssl[cafile]=x"))), CLEAR },
	{ M(E("path", S("/s")), E("ssl", M(E("cafile", S("x"))))),
		"value: options of TLS are given for a unix socket, on which there is no TLS" },
	{ M(E("scheme", S("tls")), E("path", S("/s"))),
		"value: options \"scheme\" and \"path\" name two different servers; leave one out" },
	{ M(E("ssl", M(E("ciphers", S("s3cret"))))), "value: option \"ssl.ciphers\"" OURS },
	{ M(E("ssl", L(V(S("x"))))), "type: option \"ssl\" must be an array of PHP's SSL context options, array given" },
	{ M(E("ssl", M(E("passphrase", OBJECT("Closure"))))), "type: option \"ssl.passphrase\" must be a string, Closure given" },
	{ M(E("ssl", M(E("verify_peer", I(2))))), "value: option \"ssl.verify_peer\" must be true or false" },
	{ M(E("ssl", M(E("cafile", S("a\0b"))))), "value: option \"ssl.cafile\" must not contain NUL bytes" },
	{ M(E("useSSL", S("perhaps"))), "value: option \"useSSL\" must be true or false" },
	{ M(E("useSSL", M(E("a", I(1))))), "type: option \"useSSL\" must be true or false, array given" },
};

static const struct {
	rlk_value first, second;
	const char *expected;
} tls_in_two[] = {
	{ M(E("scheme", S("tls")), E("ssl", M(E("cafile", S("x"))))), M(E("host", S("h"))), "tls://h:6379 cafile=x" },
	{ M(E("ssl", M(E("cafile", S("x")), E("passphrase", S("p"))))), M(E("ssl", M(E("cafile", S("y"))))),
		TLS " cafile=y passphrase=p" },
	{ M(E("ssl", M(E("verify_peer", B(false))))), M(E("ssl", M(E("verify_peer", B(true))))), TLS },
	{ M(E("ssl", M(E("cafile", S("x"))))), M(E("scheme", S("tcp"))), CLEAR },
	{ M(E("scheme", S("tcp"))), M(E("ssl", M(E("cafile", S("x"))))), CLEAR },
	{ M(E("url", S("redis://a"))), M(E("useSSL", B(true))), CLEAR },
};

static void tls_wherever_it_is_asked_for(void)
{
	CHECK_MAPS(tls);
	for (size_t i = 0; i < sizeof(tls_in_two) / sizeof(tls_in_two[0]); i++) {
		char got[DESCRIPTION_MAX];

		CHECK_STR(config_case_maps(&tls_in_two[i].first, &tls_in_two[i].second, got),
			config_case_here(tls_in_two[i].expected));
	}
}

static const one_map stock[] = {
	/* Laravel, a connection of config/database.php. */
	{ M(E("url", N), E("host", S("127.0.0.1")), E("username", N), E("password", N), E("port", S("6379")),
		E("database", S("0")), E("max_retries", I(3)), E("backoff_algorithm", S("decorrelated_jitter")),
		E("backoff_base", I(100)), E("backoff_cap", I(1000))), TCP " db=0 retries=3" },
	{ M(E("host", S("/run/redis.sock")), E("port", S("0")), E("database", S("1"))), "unix:///run/redis.sock db=1" },
	/* Yii2, yii\redis\Connection. */
	{ M(E("hostname", S("localhost")), E("redirectionLimit", N)), "value: unknown option \"redirectionLimit\"" },
	{ M(E("hostname", S("localhost")), E("port", I(6379)), E("unixSocket", N), E("database", I(0)), E("password", N),
		E("username", N), E("connectionTimeout", N), E("dataTimeout", N), E("useSSL", B(false)), E("socketClientFlags", I(4)), E("retries", I(0)), E("retryInterval", I(0))),
		"tcp://localhost:6379 db=0 delay=0" },
	/* Predis. */
	{ M(E("scheme", S("tcp")), E("host", S("10.0.0.1")), E("port", I(6379)), E("timeout", D(5)),
		E("read_write_timeout", I(-1)), E("persistent", B(true)), E("conn_uid", S("x")), E("alias", S("first"))),
		"tcp://10.0.0.1:6379 connect=5000" },
	{ M(E("scheme", S("unix")), E("path", S("/tmp/redis.sock"))), "unix:///tmp/redis.sock" },
};

static void stock_configurations(void)
{
	CHECK_MAPS(stock);
}

static const two_maps merged[] = {
	{ M(E("host", S("a")), E("port", I(7))), M(E("host", S("b"))), "tcp://b:7" },
	{ M(E("host", S("a")), E("port", I(7))), M(E("path", S("/s"))), "unix:///s" },
	{ M(E("path", S("/s"))), M(E("host", S("a"))), "tcp://a:6379" },
	{ M(E("path", S("/s"))), M(E("scheme", S("tls"))),
		"value: options \"scheme\" and \"path\" name two different servers; leave one out" },
	{ M(E("scheme", S("unix")), E("path", S("/s"))), M(E("database", I(1))), "unix:///s db=1" },
	{ M(E("scheme", S("unix"))), M(E("path", S("/s"))), "unix:///s" },
	{ M(E("user", S("u")), E("password", S("p"))), M(E("auth", S("q"))), TCP " user=u password=q" },
	{ M(E("user", S("u")), E("password", S("p"))), M(E("password", S("q"))), TCP " user=u password=q" },
	{ M(E("password", S("p"))), M(E("password", S(""))), TCP },
	{ M(E("database", I(1))), M(E("db", S(""))), TCP },
	{ M(E("timeout", I(5)), E("read_timeout", I(5))), M(E("timeout", I(0)), E("dataTimeout", N)), TCP " io=5000" },
	{ M(E("host", S("a"))), M(E("url", S("redis://b:9"))), "tcp://b:9" },
};

static void later_options_win(void)
{
	CHECK_MERGED(merged);
}

/* clang-format on */

int main(void)
{
	RUN(addresses_in_all_spellings);
	RUN(wrong_addresses_are_errors);
	RUN(credentials_in_all_spellings);
	RUN(wrong_credentials_are_not_shown);
	RUN(databases_timeouts_and_retries);
	RUN(what_is_off_means_nothing);
	RUN(tls_wherever_it_is_asked_for);
	RUN(stock_configurations);
	RUN(later_options_win);
	return unit_done();
}
