/*
 * rlk_config when memory is out, and what it leaves in memory it gives back.
 *
 * The files that allocate are compiled in here, with an allocator that
 * fails when told to and looks for the password in whatever is freed.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SECRET "s3cret-never-left-behind"

static int fail_at, allocations, blocks_left;
static bool secret_left;

/* Blocks carry their size in front, in a header that keeps them aligned. */
#define HEADER 16

static void *test_malloc(size_t size)
{
	char *block;

	if (++allocations == fail_at)
		return NULL;
	block = malloc(HEADER + size);
	if (block == NULL)
		abort();
	memcpy(block, &size, sizeof(size));
	blocks_left++;
	memset(block + HEADER, 0xa5, size); /* what is freed is searched, all of it */
	return block + HEADER;
}

static size_t size_of(const char *data)
{
	size_t size;

	memcpy(&size, data - HEADER, sizeof(size));
	return size;
}

static void test_free(void *data)
{
	size_t size;

	if (data == NULL)
		return;
	size = size_of(data);
	for (size_t i = 0; i + strlen(SECRET) <= size; i++) {
		if (memcmp((char *)data + i, SECRET, strlen(SECRET)) == 0)
			secret_left = true;
	}
	blocks_left--;
	free((char *)data - HEADER);
}

static void *test_calloc(size_t count, size_t size)
{
	void *block = test_malloc(count * size);

	return block != NULL ? memset(block, 0, count * size) : NULL;
}

/* Always moves. */
static void *test_realloc(void *data, size_t size)
{
	void *moved = test_malloc(size);

	if (moved != NULL && data != NULL) {
		memcpy(moved, data, size_of(data) < size ? size_of(data) : size);
		test_free(data);
	}
	return moved;
}

#define malloc test_malloc
#define calloc test_calloc
#define realloc test_realloc
#define free test_free
#include "base/rlk_str.c"
#include "config/rlk_config.c"
#include "config/rlk_config_servers.c"
#include "config/rlk_value.c"
#include "net/rlk_server.c"
#undef malloc
#undef calloc
#undef realloc
#undef free

#include "config_case.h"
#include "unit.h"

static const rlk_value whole = M(E("url", S("redis://u:" SECRET "@h:7/1?label=l")), E("name", S("n")),
	E("prefix", S("p")), E("token", S(SECRET)), E("client_name", S("c")));
static const rlk_value more = M(E("auth", L(V(S("v")), V(S("other " SECRET)))), E("token", S("t")), E("path", S("/s")));
static const rlk_value call = M(E("token", S("again " SECRET)), E("label", S("m")));

static const rlk_value seeds = M(E("sentinels", L(V(S("a")), V(S("redis://:" SECRET "@b")))), E("service", S("m")),
	E("sentinel_password", S(SECRET)));
static const rlk_value members = M(E("servers", L(V(S("a")), V(M(E("host", S("b")), E("password", S(SECRET)))))),
	E("user", S("u")), E("password", S("other " SECRET)));

/* The same of a list of servers, over a default server with seeds of its own. */
static bool walk_list(const rlk_value *map, rlk_error *err)
{
	static const rlk_config_defaults defaults = { "redis://:" SECRET "@d1?service=d", NULL, 0, 0, 0, false };
	rlk_config config;
	size_t at;
	bool ok;

	ok = rlk_config_make(&config, &defaults, map, 1, false, &at, err);
	rlk_config_destroy(&config);
	return ok;
}

/* Everything that allocates, once. */
static bool walk(rlk_error *err, char got[DESCRIPTION_MAX])
{
	static const rlk_config_defaults defaults = { "redis://:" SECRET "@ini", "ini:", 0, 0, 0, false };
	const rlk_value layers[] = { whole, more, S("redis://x:" SECRET "@h2") };
	rlk_config config, copy;
	size_t at;
	bool ok;

	ok = rlk_config_make(&config, &defaults, layers, 3, false, &at, err);
	if (ok) {
		ok = rlk_config_for_call(&copy, &config, &call, false, err);
		if (ok)
			config_case_describe(&copy, got);
		rlk_config_end_call(&copy);
	}
	rlk_config_destroy(&config);
	return ok && walk_list(&seeds, err) && walk_list(&members, err);
}

/* The k-th allocation fails, for every k until there are not that many. */
static void every_allocation_may_fail(void)
{
	char got[DESCRIPTION_MAX];
	bool done = false;
	rlk_error err;

	for (fail_at = 1; !done; fail_at++) {
		allocations = 0;
		rlk_error_clear(&err);
		done = walk(&err, got);
		CHECK_INT(blocks_left, 0);
		if (done) {
			CHECK(allocations < fail_at);
		} else {
			CHECK_INT(err.code, RLK_ERR_MEMORY);
			CHECK(err.text[0] != '\0');
		}
	}
	CHECK(fail_at > 20);
	CHECK_STR(got,
		"tcp://h2:7 user=x password=" SECRET " client=c db=1 name=n prefix=p token=again " SECRET " label=m");
}

static void freed_memory_holds_no_secret(void)
{
	CHECK(!secret_left);
	test_free(memcpy(test_malloc(sizeof(SECRET)), SECRET, sizeof(SECRET)));
	CHECK(secret_left);
}

static void a_copy_that_failed_is_empty(void)
{
	rlk_server server, copy;

	fail_at = 0;
	rlk_server_init(&server, 1, 2);
	CHECK(rlk_str_store(&server.host, RLK_STR("h")) && rlk_str_store(&server.password, RLK_STR("p")));
	allocations = 0;
	fail_at = 2;
	CHECK(!rlk_server_copy(&copy, &server));
	CHECK(copy.host == NULL && copy.password == NULL);
	CHECK_INT(copy.connect_timeout_ms, 1);
	allocations = 0;
	fail_at = 1;
	CHECK(!rlk_str_store(&server.host, RLK_STR("x")));
	CHECK_STR(server.host, "h");
	fail_at = 0;
	rlk_server_destroy(&server);
	rlk_server_destroy(&copy);
	CHECK_INT(blocks_left, 0);
}

int main(void)
{
	RUN(every_allocation_may_fail);
	RUN(freed_memory_holds_no_secret);
	RUN(a_copy_that_failed_is_empty);
	return unit_done();
}
