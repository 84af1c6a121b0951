/*
 * rlk_keys: a lock's keys, all in one Cluster slot or not at all.
 */
#include "lock/rlk_lock.h"
#include "redis/rlk_topology_rules.h"

#include "unit.h"

static void slot_parts(void)
{
	static const struct {
		const char *key, *part;
	} cases[] = { { "", "" }, { "a", "a" }, { "a{b}c", "b" }, { "{b}", "b" }, { "a{}c", "a{}c" },
		{ "a{}{b}", "a{}{b}" }, { "a{b", "a{b" }, { "a}b", "a}b" }, { "}{b}", "b" }, { "a{{b}}c", "{b" },
		{ "{a}{b}", "a" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK(rlk_str_equal(rlk_hash_tag(rlk_str_from_cstr(cases[i].key)), rlk_str_from_cstr(cases[i].part)));
}

static void lock_keys(void)
{
	rlk_buf key = RLK_BUF_INIT;

	CHECK(rlk_keys_lock(&key, RLK_STR("p:"), rlk_str_make("a\0b", 3)));
	CHECK(rlk_str_equal(rlk_buf_str(&key), rlk_str_make("p:a\0b", 5)));
	rlk_buf_destroy(&key);
	CHECK(rlk_keys_lock(&key, RLK_STR(""), RLK_STR("a")));
	CHECK_STR(key.data, "a");
	rlk_buf_destroy(&key);
}

static void helper_keys(void)
{
	static const struct {
		const char *prefix, *name, *helper; /* "": none */
	} cases[] = {
		{ "", "job", "{job}:rlk:fence" },
		{ "app:", "job", "app:{app:job}:rlk:fence" },
		{ "app:", "{u1}job", "app:{u1}job:rlk:fence" },
		{ "app:{x}:", "job", "app:{x}:job:rlk:fence" },
		{ "", "a{b", "{a{b}:rlk:fence" },
		{ "", "a}b", "" },
		{ "", "a{}b", "" },
		{ "}", "a", "" },
		{ "{", "a}", "{a}:rlk:fence" },
		{ "p{", "a", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rlk_str prefix = rlk_str_from_cstr(cases[i].prefix), name = rlk_str_from_cstr(cases[i].name);
		rlk_buf lock = RLK_BUF_INIT, helper = RLK_BUF_INIT;

		CHECK(rlk_keys_lock(&lock, prefix, name) && rlk_keys_helper(&helper, prefix, name, RLK_KEYS_FENCE));
		if (!rlk_str_equal(rlk_buf_str(&helper), rlk_str_from_cstr(cases[i].helper)))
			printf("# %s%s: %.*s\n", cases[i].prefix, cases[i].name, (int)helper.len,
				helper.len > 0 ? helper.data : "");
		CHECK(rlk_str_equal(rlk_buf_str(&helper), rlk_str_from_cstr(cases[i].helper)));
		if (helper.len > 0)
			CHECK(rlk_str_equal(rlk_hash_tag(rlk_buf_str(&lock)), rlk_hash_tag(rlk_buf_str(&helper))));
		rlk_buf_destroy(&lock);
		rlk_buf_destroy(&helper);
	}
}

int main(void)
{
	RUN(slot_parts);
	RUN(lock_keys);
	RUN(helper_keys);
	return unit_done();
}
