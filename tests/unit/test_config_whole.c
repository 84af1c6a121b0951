/*
 * rlk_config: defaults of the host, options of one call, limits, and the checks others share.
 */
#include "config_case.h"
#include "unit.h"

#include <math.h>

/* clang-format off */

static const rlk_value base_map = M(E("ttl", I(12)), E("wait", I(5)), E("renew", B(true)), E("prefix", S("p")));
static const rlk_value named = M(E("name", S("n")));
static const rlk_value renew_no = M(E("renew", B(false)), E("name", S("n")));
static const rlk_value renew_yes = M(E("renew", B(true)));
static const rlk_value nothing = N;
static const rlk_value slow = M(E("interval", I(45)));

static const struct {
	rlk_value call;
	const char *want;
} of_one_call[] = {
	{ M(E("waitTime", I(3)), E("expiredTime", I(9)), E("frequency", I(10))),
		TCP " prefix=p ttl=9000 wait=3000 retry=10 interval=3000 waits renew" },
	{ M(E("wait", I(0))), TCP " prefix=p ttl=12000 interval=4000 waits renew" },
	{ M(E("renew", B(false)), E("token", S("t")), E("label", S("l"))),
		TCP " prefix=p token=t label=l ttl=12000 wait=5000 waits" },
	{ N, TCP " prefix=p ttl=12000 wait=5000 interval=4000 waits renew" },
	{ EMPTY, TCP " prefix=p ttl=12000 wait=5000 interval=4000 waits renew" },
	{ M(E("host", S("h"))), "value: option \"host\" cannot be given for a single call" },
	{ M(E("url", S("redis://h"))), "value: option \"url\" cannot be given for a single call" },
	{ M(E("persistent", B(true))), "value: option \"persistent\" cannot be given for a single call" },
	{ M(E("name", S("n"))), "value: option \"name\" cannot be given for a single call" },
	{ M(E("prefix", N)), "value: option \"prefix\" cannot be given for a single call" },
	{ M(E("waitime", I(1))), "value: unknown option \"waitime\", did you mean \"waitTime\"?" },
	{ L(V(I(1))), "type: the options must be an array with their names as keys, list given; " RLK_READS_OTHERS },
	{ I(1), "type: the options must be an array with their names as keys, int given" },
};

static bool make(rlk_config *config, const rlk_value *map, bool bound, rlk_error *err)
{
	size_t at;

	rlk_error_clear(err);
	return rlk_config_make(config, NULL, map, 1, bound, &at, err);
}

/* As lock($name, $policy, $config) does it: a copy of a configuration, with options laid over it. */
static void options_of_one_call(void)
{
	rlk_config base, copy;
	char got[DESCRIPTION_MAX];
	rlk_error err;
	bool ok;

	CHECK(make(&base, &base_map, false, &err));
	for (size_t i = 0; i < sizeof(of_one_call) / sizeof(of_one_call[0]); i++) {
		rlk_error_clear(&err);
		ok = rlk_config_for_call(&copy, &base, &of_one_call[i].call, false, &err);
		CHECK_STR(config_case_outcome(ok, &copy, &err, got), of_one_call[i].want);
		rlk_config_end_call(&copy);
	}
	rlk_config_destroy(&base);
	rlk_config_destroy(&base);
}

static void process_bound_on_demand(void)
{
	char got[DESCRIPTION_MAX];
	rlk_config config, copy;
	rlk_error err;

	CHECK(make(&config, &named, false, &err));
	CHECK_INT(config.ttl_ms, 60000);
	CHECK(rlk_config_for_call(&copy, &config, &nothing, true, &err));
	CHECK_STR(config_case_describe(&copy, got), TCP " name=n renew");
	CHECK_INT(copy.ttl_ms, 30000);
	rlk_config_end_call(&copy);
	CHECK(!rlk_config_for_call(&copy, &config, &slow, true, &err));
	rlk_config_destroy(&config);

	CHECK(!make(&config, &renew_no, true, &err));
	CHECK_INT(err.code, RLK_ERR_VALUE);
	CHECK_STR(err.text, "option \"renew\" must not be false here, where the lock is bound to the process");
	CHECK(make(&config, &renew_no, false, &err));
	CHECK(!rlk_config_for_call(&copy, &config, &nothing, true, &err));
	CHECK(rlk_config_for_call(&copy, &config, &renew_yes, true, &err));
	rlk_config_end_call(&copy);
	rlk_config_destroy(&config);
	CHECK(!make(&config, &renew_yes, true, &err));
	CHECK_STR(err.text, "option \"name\" is required: it says which lock is meant");
}

static const struct {
	rlk_config_defaults defaults;
	rlk_value map;
	const char *want;
} of_the_host[] = {
	{ { NULL, NULL, 0, 0, 0, false }, N, TCP },
	{ { NULL, "", 0, 0, 0, false }, N, TCP },
	/* A server that is empty is not one that is absent. */
	{ { "", NULL, 0, 0, 0, false }, M(E("timeout", I(1))),
		"value: option \"host\" must name the server, since ini setting \"redislock.server\" is empty" },
#ifdef HAVE_REDISLOCK_SSL
	{ { "", NULL, 0, 0, 0, false }, M(E("ssl", M(E("cafile", S("/a"))))),
		"value: option \"host\" must name the server, since ini setting \"redislock.server\" is empty" },
#endif
	{ { "", NULL, 0, 0, 0, false }, M(E("host", S("h"))), "tcp://h:6379" },
	{ { NULL, "app:", 5, 0.1, 0.2, false }, N, TCP " connect=100 io=200 prefix=app: ttl=5000" },
	{ { NULL, NULL, 5, 0, 0, false }, M(E("renew", B(true))), TCP " ttl=5000 interval=1666 renew" },
	{ { NULL, NULL, 5, 0, 0, false }, M(E("ttl", I(7))), TCP " ttl=7000" },
	{ { NULL, "app:", 0, 0, 0, false }, M(E("prefix", S("own:"))), TCP " prefix=own:" },
	{ { NULL, "app:", 0, 0, 0, false }, M(E("prefix", S(""))), TCP },
	{ { NULL, NULL, 0, 0.1, 0.2, false }, M(E("timeout", I(0)), E("read_timeout", I(-1))), TCP " connect=100 io=200" },
	{ { "redis://u:s3cret@ini:7000/4?timeout=9", NULL, 0, 0, 0, false }, N,
		"tcp://ini:7000 user=u password=s3cret db=4 connect=9000" },
	{ { "redis://u:s3cret@ini:7000/4?timeout=9", NULL, 0, 0, 0, false }, M(E("database", I(5))),
		"tcp://ini:7000 user=u password=s3cret db=5 connect=9000" },
	/* Nothing of one server is said to another. */
	{ { "redis://u:s3cret@ini:7000/4?timeout=9", NULL, 0, 0.3, 0, false }, M(E("host", S("h"))), "tcp://h:6379 connect=300" },
	{ { "redis://u:s3cret@ini:7000/4", NULL, 0, 0, 0, false }, M(E("path", S("/x"))), "unix:///x" },
	{ { "redis://u:s3cret@ini:7000/4", NULL, 0, 0, 0, false }, M(E("url", S("redis://h"))), "tcp://h:6379" },
	{ { "unix:///run/redis.sock", NULL, 0, 0, 0, false }, M(E("host", S("h"))), "tcp://h:6379" },
	{ { "redis://u:s3cret@ini", NULL, 0, 0, 0, false }, M(E("auth", L(V(S("v")), V(S("p")))), E("db", I(1))),
		"tcp://ini:6379 user=v password=p db=1" },
#ifdef HAVE_REDISLOCK_SSL
	{ { "tcp://ini", NULL, 0, 0, 0, false }, M(E("ssl", M(E("cafile", S("/a"))))), "tls://ini:6379 cafile=/a" },
#endif
	{ { "redis://:s3cret@h:port", NULL, 0, 0, 0, false }, N,
		"value: ini setting \"redislock.server\" is not valid: the URI has a port that is no number; an IPv6 address is written in brackets, "
		"and \":\", \"/\" and \"?\" in a password percent-encoded" },
	{ { "redis://u:@h", NULL, 0, 0, 0, false }, N,
		"value: ini setting \"redislock.server\" is not valid: option \"username\" must not be given without a password" },
	{ { NULL, NULL, -1, 0, 0, false }, N,
		"value: ini setting \"redislock.ttl\" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given" },
	{ { NULL, NULL, 0, -2, 0, false }, N,
		"value: ini setting \"redislock.connect_timeout\" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default" },
	{ { NULL, NULL, 0, 0, 3600.001, false }, N,
		"value: ini setting \"redislock.io_timeout\" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default" },
};

static void defaults_of_the_host(void)
{
	char got[DESCRIPTION_MAX];
	rlk_error err;

	for (size_t i = 0; i < sizeof(of_the_host) / sizeof(of_the_host[0]); i++) {
		CHECK_STR(config_case_make(&of_the_host[i].defaults, of_the_host[i].map, NULL, got), of_the_host[i].want);
		rlk_error_clear(&err);
		if (!rlk_config_check_defaults(&of_the_host[i].defaults, &err))
			CHECK_STR(err.text, of_the_host[i].want + strlen("value: "));
	}
}

static void lengths_have_limits(void)
{
	static const struct {
		const char *key;
		size_t max;
	} cases[] = { { "name", RLK_NAME_MAX }, { "prefix", RLK_NAME_MAX }, { "token", RLK_TOKEN_GIVEN_MAX },
		{ "label", RLK_LABEL_MAX }, { "client_name", 255 }, { "password", 65535 } };
	char got[DESCRIPTION_MAX], want[DESCRIPTION_MAX];
	char *text = malloc(70000);
	rlk_config config;
	rlk_error err;

	memset(text, 'x', 70000);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_entry entry = { rlk_str_from_cstr(cases[i].key),
			{ RLK_VALUE_STRING, { .s = { text, cases[i].max } } } };
		rlk_value map = { RLK_VALUE_MAP, { .map = { &entry, 1, false } } };

		CHECK(make(&config, &map, false, &err));
		rlk_config_destroy(&config);
		entry.value.as.s.len++;
		snprintf(want, sizeof(want), "value: option \"%s\" must be at most %zu bytes long", cases[i].key, cases[i].max);
		CHECK_STR(config_case_maps(&map, NULL, got), want);
	}
	free(text);
}

static void names_tokens_and_labels_of_callers(void)
{
	rlk_error err;

	rlk_error_clear(&err);
	CHECK(rlk_config_check_name(RLK_STR("a\0:rlk:signal:"), "x", &err));
	CHECK(rlk_config_check_name(RLK_STR("rlk:fence"), "x", &err));
	CHECK(rlk_config_check_token(RLK_STR("\0"), "x", &err));
	CHECK(rlk_config_check_label(RLK_STR(""), "x", &err));
	CHECK(!rlk_config_check_name(RLK_STR(""), "name", &err));
	CHECK_STR(err.text, "name must not be empty");
	rlk_error_clear(&err);
	CHECK(!rlk_config_check_name(RLK_STR("job:rlk:waiters"), "name", &err));
	CHECK_STR(err.text, "name must not end in \":rlk:waiters\", which is reserved for helper keys");
	CHECK(!rlk_config_check_name(RLK_STR(":rlk:fence"), "name", NULL));
	CHECK(!rlk_config_check_name(rlk_str_make("x", RLK_NAME_MAX + 1), "name", NULL));
	CHECK(!rlk_config_check_token(RLK_STR(""), "token", NULL));
	CHECK(!rlk_config_check_token(rlk_str_make("x", RLK_TOKEN_GIVEN_MAX + 1), "token", NULL));
	CHECK(rlk_config_check_token(RLK_STR("a#b"), "x", &err));
	CHECK(rlk_config_check_token(RLK_STR("2#"), "x", &err));
	CHECK(rlk_config_check_token(RLK_STR("12"), "x", &err));
	CHECK(rlk_config_check_token(RLK_STR("#2a"), "x", &err));
	CHECK(rlk_config_check_token(RLK_STR("__write"), "x", &err));
	CHECK(rlk_config_check_token(RLK_STR("__write__\0"), "x", &err));
	CHECK(!rlk_config_check_token(RLK_STR("__write__"), "x", NULL));
	CHECK(!rlk_config_check_token(RLK_STR("a#2"), "x", NULL));
	CHECK(!rlk_config_check_token(RLK_STR("#4096"), "x", NULL));
	CHECK(!rlk_config_check_label(RLK_STR("a\x7f"), "label", NULL));
	rlk_error_clear(&err);
	CHECK(!rlk_config_check_label(rlk_str_make("x", RLK_LABEL_MAX + 1), "label", &err));
	CHECK_STR(err.text, "label must be at most 64 bytes long");
}

static void seconds_of_callers(void)
{
	static const struct {
		double seconds;
		bool zero, infinite;
		int64_t ms; /* -1: refused */
	} cases[] = {
		{ 1, false, false, 1000 }, { 0.001, false, false, 1 }, { 0.0014, false, false, 1 },
		{ 0.0009999, true, true, -1 }, { 0, true, false, 0 }, { -0.0, true, false, 0 }, { 0, false, true, -1 },
		{ INFINITY, false, true, RLK_NEVER }, { INFINITY, true, false, -1 }, { -INFINITY, true, true, -1 },
		{ NAN, true, true, -1 }, { -0.001, true, true, -1 }, { 315360000, false, false, RLK_TTL_MAX_MS },
		{ 315360000.001, true, true, -1 },
	};
	rlk_error err;
	int64_t ms;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_error_clear(&err);
		ms = 77;
		if (rlk_config_seconds(cases[i].seconds, cases[i].zero, cases[i].infinite, "$wait", &ms, &err)) {
			CHECK_INT(ms, cases[i].ms);
		} else {
			CHECK_INT(-1, cases[i].ms);
			CHECK_INT(ms, 0);
			CHECK_INT(err.code, RLK_ERR_VALUE);
			CHECK(strncmp(err.text, "$wait must be ", 14) == 0);
		}
	}
}

int main(void)
{
	RUN(options_of_one_call);
	RUN(process_bound_on_demand);
	RUN(defaults_of_the_host);
	RUN(lengths_have_limits);
	RUN(names_tokens_and_labels_of_callers);
	RUN(seconds_of_callers);
	return unit_done();
}
