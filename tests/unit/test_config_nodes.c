/*
 * test_config_nodes: sentinels and Clusters, in every spelling, and what does not go together.
 */
#include "config_case.h"

#define AT "tcp://127.0.0.1:6379"
#define H1 " tcp://h1:26379"
#define H2 " tcp://h2:26380"
#define TWO L(V(S("h1")), V(S("h2:26380")))
#define NODES L(V(S("h1:7000")), V(S("h2:7001")))

static const one_map sentinels[] = {
	{ M(E("sentinels", TWO), E("service", S("m"))), AT " sentinels of m" H1 H2 },
	{ M(E("service", S("m")), E("sentinels", L(V(S("tcp://h1")), V(S("redis://h2:26380"))))),
		AT " sentinels of m" H1 H2 },
	{ M(E("sentinels", L(V(M(E("host", S("h1")))), V(M(E("host", S("h2")), E("port", S("26380")))))),
		  E("service", S("m"))),
		AT " sentinels of m" H1 H2 },
	{ M(E("sentinels", L(V(S("[::1]:5")))), E("service", S("m"))), AT " sentinels of m tcp://[::1]:5" },
	{ M(E("sentinels", L(V(L(V(S("h1")))), V(M(E("url", S("redis://h2:26380")))))), E("service", S("m"))),
		AT " sentinels of m" H1 H2 },
	{ M(E("sentinels", TWO), E("service", S("m")), E("username", S("u")), E("password", S("p")), E("database", I(2))),
		AT " user=u password=p db=2 sentinels of m" H1 H2 },
	{ M(E("sentinels", L(V(S("h1")), V(S("redis://v:w@h2:26380")))), E("service", S("m")),
		  E("sentinel_username", S("s")), E("sentinel_password", I(7))),
		AT " sentinels of m" H1 " user=s password=7" H2 " user=v password=w" },
	{ M(E("host", S("h1")), E("service", S("m"))), "tcp://h1:6379 sentinels of m" H1 },
	{ M(E("url", S("redis://:p@h1/3")), E("service", S("m"))), "tcp://h1:6379 password=p db=3 sentinels of m" H1 },
#ifdef HAVE_REDISLOCK_SSL
	{ M(E("sentinels", TWO), E("service", S("m")), E("ssl", M(E("cafile", S("/a")), E("passphrase", S("p"))))),
		"tls://127.0.0.1:6379 cafile=/a passphrase=p sentinels of m tls://h1:26379 tls://h2:26380" },
	{ M(E("sentinels", L(V(S("h1")), V(S("tls://h2:26380?ssl[cafile]=/b")))), E("service", S("m"))),
		"tls://127.0.0.1:6379 sentinels of m tls://h1:26379 tls://h2:26380" },
#endif
	{ M(E("sentinels", TWO)), "value: option \"service\" must name the master that the sentinels watch" },
	{ M(E("service", S("m"))), "value: option \"sentinels\" must list the sentinels" },
	{ M(E("sentinels", TWO), E("service", S("m")), E("host", S("h"))),
		"value: the address of a server must not stand beside a list of them; it is in the list, or learned" },
	{ M(E("sentinels", TWO), E("service", S("m")), E("fence", B(true))),
		"value: option \"fence\" needs \"min_replicas\" with sentinels or a Cluster: else a failover may have numbers given "
		"out again" },
	{ M(E("sentinels", TWO), E("service", S("m")), E("sentinel_username", S("u"))),
		"value: option \"sentinel_username\" must not be given without \"sentinel_password\"" },
	{ M(E("sentinel_password", S("s3cret"))),
		"value: option \"sentinel_password\" must not be given without sentinels" },
	{ M(E("sentinels", L(V(S("h1:s3cret")))), E("service", S("m"))),
		"value: the address has a port that is no number; an IPv6 address is written in brackets, and \":\", \"/\" and "
		"\"?\" in a password percent-encoded" },
	{ M(E("sentinels", L(V(I(5)))), E("service", S("m"))),
		"type: each of the sentinels must be \"host:port\", a URI or an array with \"host\"" },
	{ M(E("sentinels", L(V(M(E("host", S("h1")), E("ttl", I(5)))))), E("service", S("m"))),
		"value: option \"ttl\" must be given beside the list of sentinels, not in it" },
	{ M(E("sentinels", L(V(M(E("hots", S("h1")))))), E("service", S("m"))),
		"value: unknown option \"hots\", did you mean \"host\"?" },
	{ M(E("sentinels", S("h1")), E("service", S("m"))),
		"type: option \"sentinels\" must be a list of servers, string given" },
	{ M(E("sentinels", TWO), E("cluster", NODES)),
		"value: options \"sentinels\" and \"cluster\" contradict each other" },
	{ M(E("service", S("m")), E("cluster", NODES)),
		"value: a configuration cannot be of sentinels and of a Cluster at once" },
};

static void sentinels_in_every_spelling(void)
{
	CHECK_MAPS(sentinels);
}

static const one_map clusters[] = {
#ifdef HAVE_REDISLOCK_SSL
	{ M(E("cluster", L(V(S("rediss://h1:7000")), V(S("h2:7001")))), E("ssl", M(E("cafile", S("/b"))))),
		"tls://127.0.0.1:6379 cafile=/b cluster tls://h1:7000 tls://h2:7001" },
#endif
	{ M(E("cluster", NODES)), AT " cluster tcp://h1:7000 tcp://h2:7001" },
	{ M(E("cluster", L(V(S("h1")))), E("password", S("p")), E("user", S("u"))),
		AT " user=u password=p cluster tcp://h1:6379 user=u password=p" },
	{ M(E("cluster", L(V(M(E("host", S("h1")), E("password", S("p"))))))),
		"value: option \"password\" must be given beside the list of Cluster nodes, not in it" },
	{ M(E("cluster", L(V(S("redis://u:s3cret@h1"))))),
		"value: option \"username\" must be given beside the list of Cluster nodes, not in it" },
	{ M(E("cluster", L(V(S("h1:7000?ssl[cafile]=/b"))))),
		"value: option \"ssl.cafile\" must be given beside the list of Cluster nodes, not in it" },
	{ M(E("cluster", L(V(S("h1")))), E("database", I(0))), AT " db=0 cluster tcp://h1:6379" },
	{ M(E("cluster", B(true)), E("host", S("h1")), E("port", I(7000))), "tcp://h1:7000 cluster tcp://h1:7000" },
	{ M(E("cluster", S("1")), E("host", S("h1"))), "tcp://h1:6379 cluster tcp://h1:6379" },
	{ M(E("cluster", B(false)), E("host", S("h1"))), "tcp://h1:6379" },
	{ M(E("cluster", B(true))), "value: option \"cluster\" must list nodes of the Cluster" },
	{ M(E("cluster", NODES), E("database", I(1))),
		"value: option \"database\" must be 0 with a Cluster, which has no other" },
	{ M(E("cluster", NODES), E("fence", B(true))),
		"value: option \"fence\" needs \"min_replicas\" with sentinels or a Cluster: else a failover may have numbers given "
		"out again" },
	{ M(E("cluster", S("predis")), E("host", S("h1"))),
		"type: option \"cluster\" must be a list of servers, or true or false, string given" },
};

static void clusters_in_every_spelling(void)
{
	CHECK_MAPS(clusters);
}

static const two_maps merged[] = {
	{ M(E("cluster", NODES)), M(E("servers", TWO)),
		"value: option \"servers\" cannot be used with sentinels or a Cluster: it lists masters that are independent" },
	{ M(E("sentinels", TWO)), M(E("service", S("m"))), AT " sentinels of m" H1 H2 },
	{ M(E("cluster", NODES)), M(E("cluster", B(true)), E("password", S("p"))),
		AT " password=p cluster tcp://h1:7000 password=p tcp://h2:7001 password=p" },
	{ M(E("sentinels", TWO), E("service", S("m"))), M(E("sentinels", L(V(S("h3"))))),
		AT " sentinels of m tcp://h3:26379" },
	{ M(E("sentinels", TWO), E("service", S("m"))), M(E("timeout", I(5)), E("sentinel_password", S("p"))),
		AT " connect=5000 sentinels of m" H1 " password=p" H2 " password=p" },
};

static void layers(void)
{
	CHECK_MERGED(merged);
}

typedef struct {
	const char *uri, *want;
} one_uri;

static const one_uri uris[] = {
	{ "redis://u:p@h1/2?service=m&sentinel_password=q",
		"tcp://h1:6379 user=u password=p db=2 sentinels of m" H1 " password=q" },
	{ "redis://h1:7000?cluster=1", "tcp://h1:7000 cluster tcp://h1:7000" },
	{ "redis://h1:7000?cluster=false", "tcp://h1:7000" },
	{ "redis://h1:7000?cluster=h2",
		"type: option \"cluster\" must be a list of servers, or true or false, string given" },
#ifdef HAVE_REDISLOCK_SSL
	{ "rediss://h1:7000?cluster=1", "tls://h1:7000 cluster tls://h1:7000" },
#endif
};

static void one_of_several_in_a_uri(void)
{
	CHECK_EACH(uris, config_case_uri(uris[i].uri, strlen(uris[i].uri), NULL, got));
}

#define SENTINELS "redis://:s3cret@d1?service=d"
#define CLUSTER "redis://:s3cret@d?cluster=1"

static const struct {
	const char *server;
	rlk_value first, second;
	const char *want;
} over_default[] = {
	{ SENTINELS, M(E("cluster", NODES)), N, AT " cluster tcp://h1:7000 tcp://h2:7001" },
	{ SENTINELS, M(E("host", S("h"))), N, "tcp://h:6379" },
	{ SENTINELS, M(E("ttl", I(5))), N, "tcp://d1:6379 password=s3cret sentinels of d tcp://d1:26379 ttl=5000" },
	{ CLUSTER, M(E("host", S("h"))), N, "tcp://h:6379" },
	{ CLUSTER, M(E("host", S("h")), E("cluster", B(true))), N, "tcp://h:6379 cluster tcp://h:6379" },
	{ CLUSTER, M(E("sentinels", TWO), E("service", S("m"))), N, AT " sentinels of m" H1 H2 },
	{ SENTINELS, M(E("servers", NODES)), N, AT },
	{ CLUSTER, M(E("servers", NODES), E("password", S("p"))), N, AT " password=p" },
/* What the caller said before stays, TLS above all. */
#ifdef HAVE_REDISLOCK_SSL
	{ "tcp://d", M(E("ssl", M(E("cafile", S("/a")))), E("servers", NODES)), N, "tls://127.0.0.1:6379 cafile=/a" },
	{ "tcp://d", M(E("ssl", M(E("cafile", S("/a")))), E("service", S("m"))), M(E("sentinels", TWO)),
		"tls://127.0.0.1:6379 cafile=/a sentinels of m tls://h1:26379 tls://h2:26380" },
#endif
	{ CLUSTER, M(E("cluster", B(true))), M(E("host", S("h"))), "tcp://h:6379 cluster tcp://h:6379" },
	{ SENTINELS, M(E("service", S("m")), E("sentinel_password", S("p"))), M(E("sentinels", TWO)),
		AT " sentinels of m" H1 " password=p" H2 " password=p" },
};

/* What the host says of its default server is not for another one, a password least of all. */
static void the_default_server_gives_way(void)
{
	char got[DESCRIPTION_MAX];
	rlk_config config;
	rlk_error err;
	size_t at;
	bool ok;

	for (size_t i = 0; i < sizeof(over_default) / sizeof(over_default[0]); i++) {
		rlk_config_defaults defaults = { .server = over_default[i].server };
		const rlk_value layers[] = { over_default[i].first, over_default[i].second };

		rlk_error_clear(&err);
		ok = rlk_config_make(&config, &defaults, layers, 2, false, &at, &err);
		config_case_outcome(ok, &config, &err, got);
		CHECK_STR(got, over_default[i].want);
		rlk_config_destroy(&config);
	}
}

int main(void)
{
	RUN(sentinels_in_every_spelling);
	RUN(clusters_in_every_spelling);
	RUN(layers);
	RUN(one_of_several_in_a_uri);
	RUN(the_default_server_gives_way);
	return unit_done();
}
