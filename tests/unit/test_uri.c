/*
 * rlk_config: URIs, whole and as the option `url`.
 */
#include "config_case.h"
#include "unit.h"

typedef struct {
	const char *uri, *want;
} one_uri;

#define CHECK_URIS(cases) CHECK_EACH(cases, config_case_uri(cases[i].uri, strlen(cases[i].uri), NULL, got))

/* clang-format off */

static const one_uri accepted[] = {
	/* TCP */
	{ "tcp://h", "tcp://h:6379" },
	{ "localhost:7000", "tcp://localhost:7000" },
	{ "10.0.0.5:7000", "tcp://10.0.0.5:7000" },
	{ "[::1]:7000", "tcp://[::1]:7000" },
	{ "redis:7000", "tcp://redis:7000" }, /* a host name in many a compose file */
	{ "TCP://h:7000", "tcp://h:7000" },
	{ "tcp://h:7?database=1&password=x", "tcp://h:7 password=x db=1" },
	{ "tcp://10.0.0.1:7?timeout=3&read_write_timeout=1.5", "tcp://10.0.0.1:7 connect=3000 io=1500" },
	{ "redis://h", "tcp://h:6379" },
	{ "redis://h/", "tcp://h:6379" },
	{ "redis://h:/", "tcp://h:6379" },
	{ "redis://h:7/3", "tcp://h:7 db=3" },
	{ "redis://u:p@h:7/3?prefix=a%3Ab:", "tcp://h:7 user=u password=p db=3 prefix=a:b:" },
	{ "redis://:p@h", "tcp://h:6379 password=p" },
	{ "redis://:a:b@h", "tcp://h:6379 password=a:b" },
	{ "redis://:@h", "tcp://h:6379" },
	{ "redis://u%3A1:p%40s%2Fs%3f%23%25@h", "tcp://h:6379 user=u:1 password=p@s/s?#%" },
	{ "redis://:a+b@h", "tcp://h:6379 password=a+b" },
	{ "valkey://h/1?db=1", "tcp://h:6379 db=1" },
	{ "redis://[::1]", "tcp://[::1]:6379" },
	{ "redis://[::1]:7/2", "tcp://[::1]:7 db=2" },
	{ "redis://:p@[fe80::1%25eth0]:7", "tcp://[fe80::1%eth0]:7 password=p" },
	/* sockets */
	{ "unix:/run/redis.sock", "unix:///run/redis.sock" },
	{ "unix:///run/redis.sock?database=1", "unix:///run/redis.sock db=1" },
	{ "unix:/run/a%20b", "unix:///run/a b" },
	{ "unix:/run/a@b", "unix:///run/a@b" },
	{ "unix:///run/1", "unix:///run/1" },
	{ "unix://u:p@/run/redis.sock", "unix:///run/redis.sock user=u password=p" },
	/* the query */
	{ "redis://h?", "tcp://h:6379" },
	{ "redis://h?&&db=1&", "tcp://h:6379 db=1" },
	{ "redis://h?ttl=5&wait=INF&renew=true&interval=1&on_lost=flag",
		"tcp://h:6379 ttl=5000 wait=never interval=1000 waits renew flag" },
	{ "redis://h?name=a+b%2Bc&label=x%3dy", "tcp://h:6379 name=a b+c label=x=y" },
	{ "redis://h?name=a%00b&token=%00", "tcp://h:6379 name=a\\0b token=\\0" },
	{ "redis://h?password=p@ss", "tcp://h:6379 password=p@ss" },
	{ "redis://h?auth=p&user=u", "tcp://h:6379 user=u password=p" },
	{ "redis://h:7?port=7&host=h", "tcp://h:7" },
	{ "tls://h", "tls://h:6379" },
	{ "rediss://u:p@h:7/3", "tls://h:7 user=u password=p db=3" },
	{ "VALKEYS://[::1]", "tls://[::1]:6379" },
	{ "tls://h?ssl[verify_peer]=0&ssl[cafile]=/a%20b&ssl[passphrase]=p", "tls://h:6379 no_verify_peer cafile=/a b passphrase=p" },
	{ "redis://h?persistent=1&lazy=1&cluster=0&service=", "tcp://h:6379" },
	{ "redis://h?prefix=&database=", "tcp://h:6379" },
};

static void uris_in_all_forms(void)
{
	CHECK_URIS(accepted);
}

#define SCHEMES "value: the scheme of the URI must be one of tcp, redis, valkey, unix, tls, rediss, valkeys"
#define NO_SCHEME "value: the URI must be a server, as \"tcp://host:port\" and \"host:port\" are; a lock's name goes into \"name\""
#define NO_SLASHES "value: the URI must have \"//\" behind its scheme"
#define NO_HOST \
	"value: the URI must name a host; a socket is \"unix:/run/redis.sock\"; the default server is never used instead"
#define NO_SOCKET "value: the URI must have the absolute path of a socket behind "
#define NO_PORT "value: the URI has a port that is no number; an IPv6 address is written in brackets, and \":\", \"/\" " \
	"and \"?\" in a password percent-encoded"
#define PORT "value: option \"port\" must be a whole number from 1 to 65535"
#define PERCENT "value: the URI has a broken percent-encoding; a \"%\" itself is written \"%25\""
#define BLANK "value: the URI must not contain blanks or control characters; they are percent-encoded"
#define HOST "value: the host of the URI must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, " \
	"without port, user or password"
#define BEHIND "value: the URI must have nothing but the number of a database behind its host; a socket is \"unix:/run/redis.sock\""
#define SECONDS "0, or a number of seconds of at least 0.001 and at most 315360000"

static const one_uri refused[] = {
	{ "", "value: the URI " RLK_NO_SERVER },
	{ "h", NO_SCHEME },
	{ "//h", NO_SCHEME },
	{ "://h", NO_SCHEME },
	{ "/run/redis.sock", NO_SCHEME },
	{ "h:p", NO_SCHEME },
	{ "h:", NO_SCHEME },
	{ ":6379", NO_SCHEME },
	{ "::1:6379", NO_SCHEME },
	{ "u:p@h:6379", NO_SCHEME },
	{ "h:99999", "value: option \"port\" must be a whole number from 1 to 65535" },
	{ "http://h", SCHEMES },
	{ "redis+tcp://h", SCHEMES },
	{ "rediss:///run/redis.sock", NO_HOST },
	{ "redis:///run/redis.sock/2", NO_HOST },
	{ "tls://h?ssl[cafile", "value: unknown option \"ssl[cafile\"" },
	{ "tls://:s3cret@h?ssl[s3cret]=1", "value: unknown option of TLS in the query of the URI" },
	{ "redis:", NO_SLASHES },
	{ "redis:h", NO_SLASHES },
	{ "redis:/h", NO_SLASHES },
	{ "redis:h?db=1", NO_SLASHES },
	{ "redis:?host[h]", NO_SLASHES },
	{ "redis://", NO_HOST },
	{ "redis:///", NO_HOST },
	{ "redis:///2", NO_HOST },
	{ "redis://:6379", NO_HOST },
	{ "redis://:s3cret@:6379/1", NO_HOST },
	{ "unix:", NO_SOCKET "\"unix:\"" },
	{ "unix:run/redis.sock", NO_SOCKET "\"unix:\"" },
	{ "unix://", NO_SOCKET "\"unix://\", which makes three slashes" },
	{ "unix://run/redis.sock", NO_SOCKET "\"unix://\", which makes three slashes" },
	{ "unix://u:p@h/run/redis.sock", NO_SOCKET "\"unix://\", which makes three slashes" },
	{ "unix:/a%00b", "value: option \"path\" must not contain NUL bytes" },
	{ "redis://h:port", NO_PORT },
	{ "redis://h:7:8", NO_PORT },
	{ "redis://::1", NO_PORT },
	{ "redis://h:+7", NO_PORT },
	{ "redis://h:0", PORT ", 0 given" },
	{ "redis://h:70000", PORT },
	{ "redis://h:99999999999999999999", PORT },
	{ "redis://[::1", "value: the URI has a \"[\" without \"]\"" },
	{ "redis://[::1]7", "value: the URI has something between the \"]\" of its address and the port" },
	{ "redis://[h]", HOST },
	{ "redis://h%20x", HOST },
	{ "redis://h1,h2", HOST },
	{ "redis://h%00", "value: option \"host\" must not contain NUL bytes" },
	{ "redis://h/x", BEHIND },
	{ "redis://h/1/2", BEHIND },
	{ "redis://h/run/redis.sock/2", BEHIND },
	{ "redis://:7/run/redis.sock", NO_HOST },
	{ "redis://h/99999999999", "value: option \"database\" must be a whole number from 0 to 2147483647" },
	{ "redis://h/1?db=2", "value: options \"database\" and \"db\" contradict each other" },
	{ "redis://h/1?database=2", "value: option \"database\" is given twice, with different values, one of them in the URI" },
	{ "redis://h?ttl=1&ttl=2", "value: option \"ttl\" is given twice, with different values, one of them in the URI" },
	{ "redis://h?host=x", "value: option \"host\" is given twice, with different values, one of them in the URI" },
	{ "redis://h?scheme=unix", "value: option \"scheme\" is given twice, with different values, one of them in the URI" },
	{ "redis://h?path=/s", "value: options \"host\" and \"path\" name two different servers; leave one out" },
	{ "redis://h#1", "value: the URI must not contain \"#\", which is written \"%23\"" },
	{ "redis://h/1 ", BLANK },
	{ "redis://h/1\n", BLANK },
	{ " redis://h", BLANK },
	{ "redis://h\x7f", BLANK },
	{ "redis://h%", PERCENT },
	{ "redis://h%4", PERCENT },
	{ "redis://h%4g", PERCENT },
	{ "redis://h?name=%zz", PERCENT },
	{ "redis://h?na%=x", PERCENT },
	{ "redis://h?host[a]", "value: unknown option \"host[a]\"" },
	{ "redis://%2Frun%2Fredis.sock", BEHIND },
	{ "redis://h?auth=s3cret&auth=x", "value: option \"auth\" is given twice, with different values, one of them in the URI" },
	{ "redis://h?ssl[verify_peer]=0", "value: options of TLS are given, but the scheme is one of clear text; \"tls\" and \"rediss\" are those with TLS" },
	{ "redis://h?sentinels=m", "value: option \"sentinels\" cannot be given in a URI" },
	{ "redis://h?url=redis://x", "value: option \"url\" cannot be given in a URI" },
	{ "redis://h?options=x", "value: unknown option \"options\"; " RLK_READS_OTHERS },
	{ "redis://h?tmeout=1", "value: unknown option \"tmeout\", did you mean \"timeout\"?" },
	{ "redis://h?=1", "value: unknown option \"\"" },
	{ "redis://h?ttl", "type: option \"ttl\" must be " SECONDS ", string given" },
	{ "redis://h?ttl=-1", "value: option \"ttl\" must be " SECONDS },
	{ "redis://h?client_name=a+b", "value: option \"client_name\" must be printable ASCII without blanks" },
	{ "redis://u:@h", "value: option \"username\" must not be given without a password" },
};

static void malformed_uris_are_errors(void)
{
	CHECK_URIS(refused);
}

#define TWO_READINGS "value: the URI has no \":\" in front of its \"@\": a user or a password? " \
	"Write \":password@\" or \"user:password@\""
#define TWO_ATS "value: the URI has more than one \"@\"; in a user name or password it is written \"%40\""

#define AT_IN_PATH "value: the URI has an \"@\" in its path; a \"/\" in a user name or password is written \"%2F\""

/* Whatever goes wrong around a password, no piece of it is told. Here all pieces are made of "s3cret" and "70007". */
static const one_uri secret[] = {
	{ "redis://s3cret@h", TWO_READINGS },
	{ "unix://s3cret@/run/redis.sock", TWO_READINGS },
	{ "redis://@h", TWO_READINGS },
	{ "redis://:s3@cret@h", TWO_ATS },
	{ "redis://u:s3@cret@h", TWO_ATS },
	{ "redis://:s3cret/x@h", AT_IN_PATH },
	{ "redis://u:70007/s3cret@h", AT_IN_PATH },
	{ "redis://:s3cret?x@h", NO_PORT },
	{ "redis://u:70007?s3cret@h", PORT },
	{ "redis://u:7?s3cret@h", "value: unknown option in the query of the URI" },
	{ "redis://:s3cret#x@h", "value: the URI must not contain \"#\", which is written \"%23\"" },
	{ "redis://:s3cret%@h", PERCENT },
	{ "redis://:s3cret%00@h", "value: option \"password\" must not contain NUL bytes" },
	{ "redis://:x@h?db=1&s3cret=1", "value: unknown option in the query of the URI" },
	{ "redis://:x@h?tmeout=1", "value: unknown option in the query of the URI, did you mean \"timeout\"?" },
	{ "redis://h?password=x&s3cret", "value: unknown option in the query of the URI" },
	{ "redis://h?p%61ss=x&s3cret", "value: unknown option in the query of the URI" },
	{ "redis://h?auth=x&s3cret[a]=y", "value: unknown option in the query of the URI" },
	{ "redis://:x@h?password=s3cret", "value: option \"password\" is given twice, with different values, one of them in the URI" },
	{ "redis://:x@h?pass=s3cret", "value: options \"password\" and \"pass\" contradict each other" },
	{ "http://:s3cret@h", SCHEMES },
	{ "s3cret://h", SCHEMES },
	{ ":s3cret@h", NO_SCHEME },
};

static void no_piece_of_a_password_is_told(void)
{
	CHECK_URIS(secret);
	for (size_t i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		CHECK(strstr(secret[i].want, "s3cret") == NULL && strstr(secret[i].want, "70007") == NULL);
}

static void nul_bytes_are_refused(void)
{
	char got[DESCRIPTION_MAX];

	CHECK_STR(config_case_uri("redis://h\0x", 11, NULL, got), BLANK);
	CHECK_STR(config_case_uri("\0", 1, NULL, got), "value: the URI " RLK_NO_SERVER);
}

/* Beside other keys a URI is one more spelling of what it says. Laravel, where it wins, is read in PHP. */
#define BESIDE " is given twice, with different values, one of them in option \"url\""
static const one_map beside[] = {
	{ M(E("url", N), E("host", S("h"))), "tcp://h:6379" },
	{ M(E("url", S("")), E("host", S("h"))), "value: option \"url\" " RLK_NO_SERVER },
	{ M(E("url", S("redis://a")), E("host", S("a")), E("port", I(7)), E("database", I(2))), "tcp://a:7 db=2" },
	{ M(E("url", S("redis://a")), E("host", S("h"))), "value: option \"host\"" BESIDE },
	{ M(E("host", S("a")), E("port", I(7)), E("url", S("redis://a:8"))), "value: option \"port\"" BESIDE },
	{ M(E("db", I(2)), E("url", S("redis://a:8/3"))), "value: options \"db\" and \"database\" contradict each other" },
	{ M(E("url", S("redis://:s3cret@a")), E("password", S("y"))), "value: option \"password\"" BESIDE },
	{ M(E("url", S("redis://a")), E("username", S("x")), E("password", S("y"))), "tcp://a:6379 user=x password=y" },
	{ M(E("url", S("redis://a?ttl=5")), E("expiredTime", I(6))), "value: options \"expiredTime\" and \"ttl\" contradict each other" },
	{ M(E("url", S("tcp://a")), E("scheme", S("tls"))), "value: option \"scheme\"" BESIDE },
	{ M(E("url", S("rediss://a")), E("scheme", S("tcp"))), "value: option \"scheme\"" BESIDE },
	{ M(E("url", S("s3cret@a"))), "value: option \"url\" must be a server, as \"tcp://host:port\" and \"host:port\" are; a lock's name goes into \"name\"" },
	{ M(E("url", S("rediss://a")), E("scheme", S("tls"))), "tls://a:6379" },
	{ M(E("url", S("redis://h1,h2"))), "value: the host of option \"url\" must be a host name, an IPv4 or IPv6 address, or "
		"the absolute path of a socket, without port, user or password" },
	{ M(E("url", S("redis://:x@a?s3cret=1"))), "value: unknown option in the query of option \"url\"" },
	{ M(E("url", I(1))), "type: option \"url\" must be a string, int given" },
	{ M(E("url", L(V(S("redis://a"))))), "type: option \"url\" must be a string, array given" },
};

static void uris_beside_other_options(void)
{
	CHECK_MAPS(beside);
}

static const struct {
	const char *uri;
	rlk_value over;
	const char *want;
} overridden[] = {
	{ "redis://:p@a:7/3?ttl=5", M(E("host", S("b")), E("ttl", I(6))), "tcp://b:7 password=p db=3 ttl=6000" },
	{ "redis://a", M(E("prefix", S("p")), E("password", S("x"))), "tcp://a:6379 password=x prefix=p" },
	{ "unix:/s", M(E("host", S("b"))), "tcp://b:6379" },
};

/* clang-format on */

static void options_win_over_a_uri_before_them(void)
{
	CHECK_EACH(overridden, config_case_uri(overridden[i].uri, strlen(overridden[i].uri), &overridden[i].over, got));
}

int main(void)
{
	RUN(uris_in_all_forms);
	RUN(malformed_uris_are_errors);
	RUN(no_piece_of_a_password_is_told);
	RUN(nul_bytes_are_refused);
	RUN(uris_beside_other_options);
	RUN(options_win_over_a_uri_before_them);
	return unit_done();
}
