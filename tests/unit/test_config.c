/*
 * rlk_config: options of the lock, how values may be written, and what wrong ones are told.
 */
#include "config_case.h"
#include "unit.h"

#include <math.h>

/* clang-format off */

static const one_map accepted[] = {
	{ EMPTY, TCP },
	{ N, TCP },
	{ M(E("name", S("job"))), TCP " name=job" },
	{ M(E("name", S("a\0b"))), TCP " name=a\\0b" },
	{ M(E("name", I(42))), TCP " name=42" },
	{ M(E("name", I(42)), E("prefix", I(-7)), E("label", I(0))), TCP " name=42 prefix=-7 label=0" },
	{ M(E("prefix", S("app:"))), TCP " prefix=app:" },
	{ M(E("prefix", S(""))), TCP },
	{ M(E("token", S("t\0k"))), TCP " token=t\\0k" },
	{ M(E("label", S("import, 3 of 7"))), TCP " label=import, 3 of 7" },
	{ M(E("ttl", I(5))), TCP " ttl=5000" },
	{ M(E("ttl", D(0.001))), TCP " ttl=1" },
	{ M(E("ttl", D(1.2345))), TCP " ttl=1235" },
	{ M(E("ttl", I(315360000))), TCP " ttl=315360000000" },
	{ M(E("ttl", I(0))), TCP " ttl=0" },
	{ M(E("ttl", S("0"))), TCP " ttl=0" },
	{ M(E("expiredTime", S("7.5"))), TCP " ttl=7500" },
	{ M(E("wait", D(0.25))), TCP " wait=250 waits" },
	{ M(E("waitTime", I(3))), TCP " wait=3000 waits" },
	{ M(E("wait", I(0))), TCP },
	{ M(E("wait", D(INFINITY))), TCP " wait=never waits" },
	{ M(E("wait", S("INF"))), TCP " wait=never waits" },
	{ M(E("retry_ms", I(50))), TCP " retry=50" },
	{ M(E("frequency", D(1.5))), TCP " retry=2" },
	{ M(E("frequency", S("1000"))), TCP " retry=1000" },
	{ M(E("renew", B(true))), TCP " renew" },
	{ M(E("renew", B(false)), E("interval", I(500))), TCP },
	{ M(E("renew", B(true)), E("interval", I(3))), TCP " interval=3000 renew" },
	{ M(E("renew", B(true)), E("interval", I(14))), TCP " interval=14000 renew" },
	{ M(E("renew", B(true)), E("interval", I(20))), TCP " interval=15000 renew" },
	{ M(E("renew", B(true)), E("interval", D(29.999))), TCP " interval=15000 renew" },
	{ M(E("renew", B(true)), E("ttl", I(3))), TCP " ttl=3000 interval=1000 renew" },
	{ M(E("renew", B(true)), E("ttl", D(0.002))), TCP " ttl=2 interval=1 renew" },
	{ M(E("max_hold", I(900))), TCP " max_hold=900000" },
	{ M(E("hold_at_least", I(90))), TCP " at_least=90000" },
	{ M(E("hold_at_least", I(0)), E("ttl", I(0))), TCP " ttl=0" },
	{ M(E("linger", D(1.5))), TCP " linger=1500" },
	{ M(E("reentrant", I(1)), E("fence", S("yes"))), TCP " reentrant fence" },
	{ M(E("on_lost", S("flag"))), TCP " flag" },
	{ M(E("on_lost", S("throw"))), TCP },
};

static void options_of_the_lock(void)
{
	CHECK_MAPS(accepted);
}

#define SECONDS "a number of seconds of at least 0.001 and at most 315360000"

static const one_map refused[] = {
	{ M(E("ttl", I(-1))), "value: option \"ttl\" must be 0, or " SECONDS ", -1 given" },
	{ M(E("ttl", D(0.0009))), "value: option \"ttl\" must be 0, or " SECONDS ", 0.0009 given" },
	{ M(E("ttl", D(NAN))), "value: option \"ttl\" must be 0, or " SECONDS ", NAN given" },
	{ M(E("ttl", D(INFINITY))), "value: option \"ttl\" must be 0, or " SECONDS ", INF given" },
	{ M(E("ttl", D(-INFINITY))), "value: option \"ttl\" must be 0, or " SECONDS ", -INF given" },
	{ M(E("ttl", I(315360001))), "value: option \"ttl\" must be 0, or " SECONDS ", 315360001 given" },
	{ M(E("ttl", S("1e99"))), "value: option \"ttl\" must be 0, or " SECONDS ", 1e+99 given" },
	{ M(E("ttl", S("soon"))), "type: option \"ttl\" must be 0, or " SECONDS ", string given" },
	{ M(E("ttl", S("INF"))), "type: option \"ttl\" must be 0, or " SECONDS ", string given" },
	{ M(E("ttl", B(true))), "type: option \"ttl\" must be 0, or " SECONDS ", bool given" },
	{ M(E("ttl", EMPTY)), "type: option \"ttl\" must be 0, or " SECONDS ", array given" },
	{ M(E("ttl", OBJECT("DateInterval"))), "type: option \"ttl\" must be 0, or " SECONDS ", DateInterval given" },
	{ M(E("expiredTime", I(-1))), "value: option \"expiredTime\" must be 0, or " SECONDS ", -1 given" },
	{ M(E("wait", I(-1))), "value: option \"wait\" must be 0, or " SECONDS ", or INF, -1 given" },
	{ M(E("waitTime", D(NAN))), "value: option \"waitTime\" must be 0, or " SECONDS ", or INF, NAN given" },
	{ M(E("wait", D(-INFINITY))), "value: option \"wait\" must be 0, or " SECONDS ", or INF, -INF given" },
	{ M(E("interval", I(0))), "value: option \"interval\" must be " SECONDS ", 0 given" },
	{ M(E("interval", S("0"))), "value: option \"interval\" must be " SECONDS ", 0 given" },
	{ M(E("max_hold", I(0))), "value: option \"max_hold\" must be " SECONDS ", 0 given" },
	{ M(E("max_hold", D(INFINITY))), "value: option \"max_hold\" must be " SECONDS ", INF given" },
	{ M(E("hold_at_least", I(-1))), "value: option \"hold_at_least\" must be 0, or " SECONDS ", -1 given" },
	{ M(E("linger", I(-1))), "value: option \"linger\" must be 0, or " SECONDS ", -1 given" },
	{ M(E("retry_ms", I(0))),
		"value: option \"retry_ms\" must be a number of milliseconds of at least 1 and at most 315360000000, 0 given" },
	{ M(E("frequency", D(0.5))),
		"value: option \"frequency\" must be a number of milliseconds of at least 1 and at most 315360000000, 0.5 given" },
	{ M(E("retry_ms", B(false))),
		"type: option \"retry_ms\" must be a number of milliseconds of at least 1 and at most 315360000000, bool given" },
	{ M(E("renew", I(2))), "value: option \"renew\" must be true or false" },
	{ M(E("fence", S("maybe"))), "value: option \"fence\" must be true or false" },
	{ M(E("reentrant", D(1))), "type: option \"reentrant\" must be true or false, float given" },
	{ M(E("on_lost", S("ignore"))), "value: option \"on_lost\" must be \"throw\" or \"flag\"" },
	{ M(E("on_lost", I(1))), "type: option \"on_lost\" must be a string, int given" },
	{ M(E("name", S(""))), "value: option \"name\" must not be empty" },
	{ M(E("name", B(true))), "type: option \"name\" must be a string, bool given" },
	{ M(E("name", S("a:rlk:signal"))),
		"value: option \"name\" must not end in \":rlk:signal\", which is reserved for helper keys" },
	{ M(E("token", S(""))), "value: option \"token\" must not be empty" },
	{ M(E("label", S("a\nb"))), "value: option \"label\" must not contain control characters" },
	{ M(E("label", S("a\0b"))), "value: option \"label\" must not contain NUL bytes" },
	{ M(E("prefix", EMPTY)), "type: option \"prefix\" must be a string, array given" },
	{ M(E("renew", B(true)), E("interval", I(30))),
		"value: option \"interval\" must be less than the ttl of 30 seconds, 30 given" },
	{ M(E("renew", B(true)), E("ttl", D(1.5)), E("interval", I(2))),
		"value: option \"interval\" must be less than the ttl of 1.5 seconds, 2 given" },
	{ M(E("renew", B(true)), E("ttl", I(0))), "value: option \"ttl\" must be at least 0.002 seconds with \"renew\"" },
	{ M(E("renew", B(true)), E("ttl", D(0.001))), "value: option \"ttl\" must be at least 0.002 seconds with \"renew\"" },
	{ M(E("ttl", I(0)), E("fence", B(true))), "value: option \"ttl\" must not be 0 with \"fence\"" },
	{ M(E("ttl", I(0)), E("hold_at_least", I(1))), "value: option \"ttl\" must not be 0 with \"hold_at_least\"" },
	{ OBJECT("Redis"), "type: the options must be an array with their names as keys, Redis given" },
	{ L(V(S("tcp://a")), V(S("tcp://b"))), "type: the options must be an array with their names as keys, list given; " RLK_READS_OTHERS },
};

static void wrong_values_name_option_and_bounds(void)
{
	CHECK_MAPS(refused);
}

static const one_map keys[] = {
	{ M(E("pasword", S("s3cret"))), "value: unknown option \"pasword\", did you mean \"password\"?" },
	{ M(E("Host", S("h"))), "value: unknown option \"Host\", did you mean \"host\"?" },
	{ M(E("tlt", I(1))), "value: unknown option \"tlt\", did you mean \"ttl\"?" },
	{ M(E("time_out", I(1))), "value: unknown option \"time_out\", did you mean \"timeout\"?" },
	{ M(E("waittime", I(1))), "value: unknown option \"waittime\", did you mean \"waitTime\"?" },
	{ M(E("sentinal", S("x"))), "value: unknown option \"sentinal\", did you mean \"sentinels\"?" },
	{ M(E("banana", I(1))), "value: unknown option \"banana\"" },
	{ M(E("rolle", I(1))), "value: unknown option \"rolle\"" },
	{ M(E("x", I(1))), "value: unknown option \"x\"" },
	{ M(E("", I(1))), "value: unknown option \"\"" },
	{ M(E("0", S("h")), E("ttl", I(1))), "value: unknown option \"0\"" },
	{ M(E("a\r\n\"\\\0\xff" "b", I(1))), "value: unknown option \"a\\x0D\\x0A\\x22\\x5C\\x00\\xFFb\"" },
	{ M(E("kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", I(1))),
		"value: unknown option \"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...\"" },
	{ M(E("options", N)), "value: unknown option \"options\"; " RLK_READS_OTHERS },
	{ M(E("default", M(E("host", S("h"))))), "value: unknown option \"default\"; " RLK_READS_OTHERS },
	{ M(E("locks", M(E("host", S("h"))))), "value: unknown option \"locks\"; " RLK_READS_OTHERS },
	{ M(E("nodes", L(V(S("h"))))),
		"value: unknown option \"nodes\", did you mean \"servers\", or \"cluster\"?" },
	{ M(E("retry", OBJECT("Retry"))), "value: unknown option \"retry\", did you mean \"retry_ms\"?" },
	{ M(E("pasword", N)), "value: unknown option \"pasword\", did you mean \"password\"?" },
	{ M(E("ttl", OBJECT("class@anonymous\0/src/a.php"))),
		"type: option \"ttl\" must be 0, or " SECONDS ", class@anonymous\\x00/src/a.php given" },
};

static void unknown_keys_are_errors(void)
{
	CHECK_MAPS(keys);
}

static const one_map numbers[] = {
	{ M(E("ttl", S("+2"))), TCP " ttl=2000" },
	{ M(E("ttl", S("2."))), TCP " ttl=2000" },
	{ M(E("ttl", S(".5"))), TCP " ttl=500" },
	{ M(E("ttl", S("2e2"))), TCP " ttl=200000" },
	{ M(E("ttl", S("2500E-3"))), TCP " ttl=2500" },
	{ M(E("ttl", S("0.0000000000000000000000001e25"))), TCP " ttl=1000" },
	{ M(E("ttl", S("10000000000000000000000000e-25"))), TCP " ttl=1000" },
	{ M(E("ttl", S("0.333333333333333333333333333333"))), TCP " ttl=333" },
	{ M(E("ttl", S("-0"))), TCP " ttl=0" },
	{ M(E("database", D(3))), TCP " db=3" },
	{ M(E("database", S("003"))), TCP " db=3" },
};

static void numbers_may_be_strings(void)
{
	CHECK_MAPS(numbers);
}

static void strings_that_are_no_numbers(void)
{
	static const char *const bad[] = { "", " 5", "5 ", "5s", "0x10", "1,5", ".", "-", "+", "e5", "5e", "5e+", "--5", "NAN",
		"nan", "inf", "Infinity", "1_000", "00000000000000000000000000000000000000000000000000000000000000001" };
	char got[DESCRIPTION_MAX];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		rlk_entry entry = { RLK_STR("ttl"), { RLK_VALUE_STRING, { .s = rlk_str_from_cstr(bad[i]) } } };
		rlk_value map = { RLK_VALUE_MAP, { .map = { &entry, 1, false } } };

		CHECK_STR(config_case_maps(&map, NULL, got), "type: option \"ttl\" must be 0, or " SECONDS ", string given");
	}
}

static void words_for_yes_and_no(void)
{
	static const char *const yes[] = { "1", "true", "TRUE", "on", "Yes" };
	static const char *const no[] = { "0", "false", "False", "off", "NO", "" };
	char got[DESCRIPTION_MAX];

	for (size_t i = 0; i < 11; i++) {
		rlk_str word = rlk_str_from_cstr(i < 5 ? yes[i] : no[i - 5]);
		rlk_entry entry = { RLK_STR("renew"), { RLK_VALUE_STRING, { .s = word } } };
		rlk_value map = { RLK_VALUE_MAP, { .map = { &entry, 1, false } } };

		CHECK_STR(config_case_maps(&map, NULL, got), i < 5 ? TCP " renew" : TCP);
	}
}

static const one_map spellings[] = {
	{ M(E("ttl", I(5)), E("expiredTime", S("5.0"))), TCP " ttl=5000" },
	{ M(E("ttl", I(5)), E("expiredTime", N)), TCP " ttl=5000" },
	{ M(E("ttl", I(5)), E("expiredTime", I(6))), "value: options \"ttl\" and \"expiredTime\" contradict each other" },
	{ M(E("waitTime", I(5)), E("wait", I(6))), "value: options \"waitTime\" and \"wait\" contradict each other" },
	{ M(E("seconds", I(6))), "value: unknown option \"seconds\", did you mean \"ttl\", in seconds?" },
	{ M(E("retry_ms", I(5)), E("frequency", I(6))), "value: options \"retry_ms\" and \"frequency\" contradict each other" },
	{ M(E("db", I(1)), E("dbindex", S("1")), E("database", D(1))), TCP " db=1" },
};

static void two_spellings_must_agree(void)
{
	CHECK_MAPS(spellings);
}

static const two_maps merged[] = {
	{ M(E("ttl", I(5))), M(E("expiredTime", I(6))), TCP " ttl=6000" },
	{ M(E("ttl", I(5))), M(E("ttl", N)), TCP " ttl=5000" },
	{ M(E("prefix", S("a")), E("name", S("n"))), M(E("prefix", S(""))), TCP " name=n" },
	{ M(E("wait", I(5))), M(E("wait", I(0))), TCP },
	{ M(E("renew", B(true))), M(E("renew", B(false))), TCP },
	{ M(E("on_lost", S("flag"))), M(E("on_lost", S("throw"))), TCP },
	{ M(E("interval", I(20)), E("renew", B(true))), M(E("ttl", I(60))), TCP " ttl=60000 interval=20000 renew" },
	{ M(E("token", S("long token"))), M(E("token", S("t"))), TCP " token=t" },
	{ M(E("weight", I(2))), M(E("permits", I(3))), TCP },
	{ M(E("weight", I(2))), N, "value: option \"weight\" needs \"permits\", of which it is a part" },
};

static void later_options_win(void)
{
	CHECK_MERGED(merged);
}

static const one_map ignored[] = {
	{ M(E("persistent", B(true)), E("persistent_id", S("x")), E("conn_uid", I(3))), TCP },
	{ M(E("alias", S("a")), E("role", S("master")), E("protocol", I(2))), TCP },
	{ M(E("async_connect", B(false)), E("tcp_nodelay", B(true)), E("tcp_keepalive", I(1))), TCP },
	{ M(E("client_info", B(true)), E("cache", EMPTY), E("lazy", B(true)), E("driver", S("x"))), TCP },
	{ M(E("client", S("phpredis")), E("scan", I(1)), E("serializer", I(1)), E("compression", I(1))), TCP },
	{ M(E("compression_level", I(3)), E("pack_ignore_numbers", B(true)), E("command_retries", I(1))), TCP },
	{ M(E("backoff_algorithm", S("x")), E("backoff_base", I(500)), E("backoff_cap", I(700)), E("failover", S("error")), E("socketClientFlags", I(4))), TCP },
};

static void options_without_effect(void)
{
	CHECK_MAPS(ignored);
}

/* clang-format on */

int main(void)
{
	RUN(options_of_the_lock);
	RUN(wrong_values_name_option_and_bounds);
	RUN(unknown_keys_are_errors);
	RUN(numbers_may_be_strings);
	RUN(strings_that_are_no_numbers);
	RUN(words_for_yes_and_no);
	RUN(two_spellings_must_agree);
	RUN(later_options_win);
	RUN(options_without_effect);
	return unit_done();
}
