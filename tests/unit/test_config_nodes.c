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
	{ M(E("host", S("h1")), E("sentinel_service", S("m"))), "tcp://h1:6379 sentinels of m" H1 },
	{ M(E("host", S("h2")), E("port", I(26380)), E("redis_sentinel", S("m")), E("password", S("p"))),
		"tcp://h2:26380 password=p sentinels of m" H2 },
	{ M(E("url", S("redis://:p@h1/3")), E("service", S("m"))), "tcp://h1:6379 password=p db=3 sentinels of m" H1 },
	{ M(E("sentinels", TWO), E("service", S("m")), E("replication", S("sentinel")), E("sentinel_timeout", D(0.5))),
		AT " sentinels of m" H1 H2 },
	{ M(E("sentinels", TWO), E("options", M(E("service", S("m")), E("replication", S("sentinel"))))),
		AT " sentinels of m" H1 H2 },
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
	{ M(E("sentinels", L(V(S("redis://?host[h1]&host[h2]")))), E("service", S("m"))),
		"value: option \"host\" asks for several servers, which is not supported by this version" },
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
	{ M(E("service", S("m")), E("redis_sentinel", S("n"))),
		"value: options \"service\" and \"redis_sentinel\" contradict each other" },
};

static void sentinels_in_every_spelling(void)
{
	CHECK_MAPS(sentinels);
}

static const one_map clusters[] = {
#ifdef HAVE_REDISLOCK_SSL
	{ M(E("cluster", L(V(S("h1:7000?ssl[cafile]=/b"))))), "tls://127.0.0.1:6379 cafile=/b cluster tls://h1:7000" },
	{ M(E("cluster", L(V(S("rediss://h1:7000?ssl[cafile]=/b")), V(S("h2:7001"))))),
		"tls://127.0.0.1:6379 cafile=/b cluster tls://h1:7000 tls://h2:7001" },
#endif
	{ M(E("cluster", NODES)), AT " cluster tcp://h1:7000 tcp://h2:7001" },
	{ M(E("cluster", L(V(S("h1")))), E("password", S("p")), E("user", S("u"))),
		AT " user=u password=p cluster tcp://h1:6379 user=u password=p" },
	{ M(E("cluster", L(V(M(E("host", S("h1")), E("password", S("p")), E("database", I(0))))))),
		AT " password=p cluster tcp://h1:6379 password=p" },
	{ M(E("cluster", L(V(S("h1")))), E("database", I(0))), AT " db=0 cluster tcp://h1:6379" },
	{ M(E("cluster", B(true)), E("host", S("h1")), E("port", I(7000))), "tcp://h1:7000 cluster tcp://h1:7000" },
	{ M(E("cluster", S("redis")), E("host", S("h1"))), "tcp://h1:6379 cluster tcp://h1:6379" },
	{ M(E("redis_cluster", S("1")), E("host", S("h1"))), "tcp://h1:6379 cluster tcp://h1:6379" },
	{ M(E("cluster", B(false)), E("host", S("h1"))), "tcp://h1:6379" },
	{ M(E("cluster", NODES), E("options", M(E("cluster", S("redis"))))), AT " cluster tcp://h1:7000 tcp://h2:7001" },
	{ M(E("cluster", B(true))), "value: option \"cluster\" must list nodes of the Cluster" },
	{ M(E("cluster", NODES), E("database", I(1))),
		"value: option \"database\" must be 0 with a Cluster, which has no other" },
	{ M(E("cluster", L(V(M(E("host", S("h")), E("database", I(1))))))),
		"value: option \"database\" must be 0 with a Cluster, which has no other" },
	{ M(E("cluster", NODES), E("fence", B(true))),
		"value: option \"fence\" needs \"min_replicas\" with sentinels or a Cluster: else a failover may have numbers given "
		"out again" },
	{ M(E("cluster", S("predis")), E("host", S("h1"))),
		"type: option \"cluster\" must be a list of servers, string given" },
};

static void clusters_in_every_spelling(void)
{
	CHECK_MAPS(clusters);
}

static const two_maps merged[] = {
	{ M(E("cluster", NODES)), M(E("servers", TWO)),
		"value: option \"servers\" cannot be used with sentinels or a Cluster: it lists masters that are independent" },
	{ TWO, M(E("service", S("m"))), AT " sentinels of m" H1 H2 },
	{ TWO,
		M(E("options",
			M(E("replication", S("sentinel")), E("service", S("m")), E("parameters", M(E("password", S("p"))))))),
		AT " password=p sentinels of m" H1 H2 },
	{ NODES, M(E("cluster", B(true)), E("password", S("p"))),
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
	{ "redis:?host[h1]&host[h2:26380]&redis_sentinel=m", AT " sentinels of m" H1 H2 },
	{ "redis:?host[h1]&host[h2:26380]&sentinel=m", AT " sentinels of m" H1 H2 },
	{ "redis:?host[h1]&host[h2:26380]&host[h1]&sentinel_master=m", AT " sentinels of m" H1 H2 },
	{ "redis://h1?host[h2:26380]&sentinel=m", AT " sentinels of m" H1 H2 },
	{ "redis://u:p@h1/2?host[h2:26380]&sentinel=m", AT " user=u password=p db=2 sentinels of m" H1 H2 },
	{ "redis://h1?host[h1]&sentinel=m", "tcp://h1:6379 sentinels of m" H1 },
	{ "redis:?host[h1]&host[/run/s:]&sentinel=m", AT " sentinels of m" H1 " unix:///run/s" },
	/* Parameters of one host that Predis alone makes use of. */
	{ "redis:?host[h1]=alias%3Dy&host[h2:26380][alias]=y&host[h2:26380][weight]=2&sentinel=m",
		AT " sentinels of m" H1 H2 },
	/* `auth` is for the sentinels, and for the servers without a password of their own. */
	{ "redis:?host[h1]&host[h2:26380]&sentinel=m&auth=p",
		AT " password=p sentinels of m" H1 " password=p" H2 " password=p" },
	{ "redis://h1?host[h2:26380]&auth=p&sentinel=m",
		AT " password=p sentinels of m" H1 " password=p" H2 " password=p" },
	{ "redis://:q@h1?host[h2:26380]&auth=p&sentinel=m",
		AT " password=q sentinels of m" H1 " password=p" H2 " password=p" },
	{ "redis://u:q@h1?host[h2:26380]&auth[]=v&auth[]=p&sentinel=m",
		AT " user=u password=q sentinels of m" H1 " user=v password=p" H2 " user=v password=p" },
	{ "redis:?host[h1]&auth[0]=v&auth[1]=p&redis_sentinel=m",
		"tcp://h1:6379 user=v password=p sentinels of m" H1 " user=v password=p" },
	{ "redis:p@?host[h1]",
		"value: the URI has no \":\" in front of its \"@\": a user or a password? "
		"Write \":password@\" or \"user:password@\"" },
	{ "redis::p@?host[h1]&host[h2:26380]&sentinel_master=m", AT " password=p sentinels of m" H1 H2 },
	{ "redis:?host[h1:7000]&host[h2:7001]&redis_cluster=1", AT " cluster tcp://h1:7000 tcp://h2:7001" },
	{ "redis:?host[h1:7000]&host[h2:7001]&cluster=1&cluster_command_timeout=2&cluster_relay_context[use-cache]=1",
		AT " cluster tcp://h1:7000 tcp://h2:7001" },
	{ "redis://:p@h1:7000?host[h2:7001]&cluster=true",
		AT " password=p cluster tcp://h1:7000 password=p tcp://h2:7001 password=p" },
	{ "redis:?host[h1:7000]&host[h2:7001]&cluster=1&auth=p",
		AT " password=p cluster tcp://h1:7000 password=p tcp://h2:7001 password=p" },
	{ "redis://h1:7000?host[h2:7001]",
		"value: a list of servers needs \"service\" (sentinels) or \"cluster\" => true beside it; "
		"options of one server have their names as keys" },
	{ "redis:///run/s?host[h2:7001]&cluster=1", "value: the URI names both a host and a socket" },
	{ "redis:?host[h1]&host[h2][password]=s3cret&cluster=1",
		"value: option \"host\" of the URI must be host[name:port], without parameters of its own" },
#ifdef HAVE_REDISLOCK_SSL
	/* The scheme is that of all of them. */
	{ "rediss:?host[h1]&host[h2:26380]&redis_sentinel=m",
		"tls://127.0.0.1:6379 sentinels of m tls://h1:26379 tls://h2:26380" },
	{ "rediss:?host[h1:7000]&host[h2:7001]&redis_cluster=1",
		"tls://127.0.0.1:6379 cluster tls://h1:7000 tls://h2:7001" },
#endif
	{ "redis://h1?redis_sentinel=m", "tcp://h1:6379 sentinels of m" H1 },
	{ "redis://h1:7000?redis_cluster=1", "tcp://h1:7000 cluster tcp://h1:7000" },
	{ "redis:?host[h1]&host[h2:x]&redis_sentinel=m",
		"value: the address has a port that is no number; an IPv6 address is written in brackets, and \":\", \"/\" and "
		"\"?\" in a password percent-encoded" },
};

static void several_hosts_of_a_uri(void)
{
	CHECK_EACH(uris, config_case_uri(uris[i].uri, strlen(uris[i].uri), NULL, got));
}

#define SENTINELS "redis::s3cret@?host[d1]&host[d2]&redis_sentinel=d"
#define CLUSTER "redis://:s3cret@d?redis_cluster=1"

static const struct {
	const char *server;
	rlk_value first, second;
	const char *want;
} over_default[] = {
	{ SENTINELS, M(E("cluster", NODES)), N, AT " cluster tcp://h1:7000 tcp://h2:7001" },
	{ SENTINELS, M(E("host", S("h"))), N, "tcp://h:6379" },
	{ SENTINELS, M(E("ttl", I(5))), N, AT " password=s3cret sentinels of d tcp://d1:26379 tcp://d2:26379 ttl=5000" },
	{ CLUSTER, M(E("host", S("h"))), N, "tcp://h:6379" },
	{ CLUSTER, M(E("host", S("h")), E("cluster", B(true))), N, "tcp://h:6379 cluster tcp://h:6379" },
	{ CLUSTER, M(E("sentinels", TWO), E("service", S("m"))), N, AT " sentinels of m" H1 H2 },
	{ SENTINELS, M(E("servers", NODES)), N, AT },
	{ CLUSTER, M(E("servers", NODES), E("password", S("p"))), N, AT " password=p" },
/* What the caller said before stays, TLS above all. */
#ifdef HAVE_REDISLOCK_SSL
	{ "tcp://d", M(E("ssl", M(E("cafile", S("/a")))), E("servers", NODES)), N, "tls://127.0.0.1:6379 cafile=/a" },
	{ "tcp://d", M(E("ssl", M(E("cafile", S("/a")))), E("service", S("m"))), TWO,
		"tls://127.0.0.1:6379 cafile=/a sentinels of m tls://h1:26379 tls://h2:26380" },
#endif
	{ CLUSTER, M(E("redis_cluster", B(true))), M(E("host", S("h"))), "tcp://h:6379 cluster tcp://h:6379" },
	{ SENTINELS, M(E("service", S("m")), E("sentinel_password", S("p"))), M(E("sentinels", TWO)),
		AT " sentinels of m" H1 " password=p" H2 " password=p" },
};

/* What the host says of its default server is not for another one, a password least of all. */
static void the_default_server_gives_way(void)
{
	char got[DESCRIPTION_MAX];
	rlk_config config, copy;
	rlk_error err;
	size_t at;
	bool ok;

	for (size_t i = 0; i < sizeof(over_default) / sizeof(over_default[0]); i++) {
		rlk_config_defaults defaults = { .server = over_default[i].server };
		const rlk_config_source sources[] = { { .map = &over_default[i].first }, { .map = &over_default[i].second } };

		rlk_error_clear(&err);
		ok = rlk_config_make(&config, &defaults, sources, 2, false, &at, &err);
		config_case_outcome(ok, &config, &err, got);
		CHECK_STR(got, over_default[i].want);
		CHECK(rlk_config_copy(&copy, &config));
		rlk_config_destroy(&config);
		if (ok)
			CHECK_STR(config_case_describe(&copy, got), over_default[i].want);
		rlk_config_destroy(&copy);
	}
}

int main(void)
{
	RUN(sentinels_in_every_spelling);
	RUN(clusters_in_every_spelling);
	RUN(layers);
	RUN(several_hosts_of_a_uri);
	RUN(the_default_server_gives_way);
	return unit_done();
}
