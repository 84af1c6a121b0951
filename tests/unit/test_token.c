/* unit: link -Wl,--wrap=rlk_random_bytes */
/*
 * rlk_token: made, read, and told from those of others.
 */
#include "lock/rlk_token.h"

#include "base/rlk_os.h"
#include "unit.h"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

/* In the place of the system's, so that it can fail. */
static bool random_fails;
static unsigned char next_byte;

bool __wrap_rlk_random_bytes(void *buf, size_t len);
bool __wrap_rlk_random_bytes(void *buf, size_t len)
{
	memset(buf, random_fails ? 0 : next_byte++, len);
	return !random_fails;
}

static void round_trips(void)
{
	static const char *const labels[] = { "", "job", "a b:c%d", "\x01\xff",
		"0123456789012345678901234567890123456789012345678901234567890123" };
	char host[256] = "";

	rlk_os_host_name(host, sizeof(host));
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		for (int resting = 0; resting < 2; resting++) {
			char token[RLK_TOKEN_MAX];
			rlk_token_info info;
			size_t len = rlk_token_make(token, rlk_str_from_cstr(labels[i]), resting, NULL);

			CHECK(len > 0 && len < RLK_TOKEN_MAX && strlen(token) == len);
			CHECK(rlk_token_parse(rlk_str_make(token, len), &info));
			CHECK(strncmp(info.host, host, RLK_TOKEN_HOST_MAX) == 0);
			CHECK_INT(info.pid, rlk_os_process_id());
			CHECK_STR(info.label, labels[i]);
			CHECK_INT(info.resting, resting);
			CHECK(rlk_token_is_own(rlk_str_make(token, len)));
			memmove(token + 1, token, len);
			CHECK(!rlk_token_is_own(rlk_str_make(token, len)));
		}
	}
}

#ifndef _WIN32
/* What tokens begin with is kept, and must not go on in a copy of the process. */
static void a_copy_names_itself(void)
{
	char token[RLK_TOKEN_MAX];
	rlk_token_info info;
	int status = 1;
	pid_t copy;

	CHECK(rlk_token_make(token, RLK_STR(""), false, NULL) > 0);
	copy = fork();
	if (copy == 0) {
		size_t len = rlk_token_make(token, RLK_STR(""), false, NULL);

		_exit(rlk_token_parse(rlk_str_make(token, len), &info) && info.pid == getpid() ? 0 : 1);
	}
	CHECK(waitpid(copy, &status, 0) == copy);
	CHECK_INT(status, 0);
}
#endif

static void looks_as_documented(void)
{
	char token[RLK_TOKEN_MAX];
	size_t len;

	next_byte = 0xa9;
	len = rlk_token_make(token, RLK_STR("a b"), true, NULL);
	CHECK(strncmp(token, "rlk1:", 5) == 0);
	CHECK(len > 50);
	CHECK_STR(token + len - 44, ":a%20b:aaaaaaaaaaaaaaaa9999999999999999:done");
}

static void long_labels_are_cut(void)
{
	char label[200], token[RLK_TOKEN_MAX];
	rlk_token_info info;
	size_t len;

	memset(label, ':', sizeof(label));
	len = rlk_token_make(token, rlk_str_make(label, sizeof(label)), true, NULL);
	CHECK(len > 0 && len < RLK_TOKEN_MAX);
	CHECK(rlk_token_parse(rlk_str_make(token, len), &info));
	CHECK_INT(strlen(info.label), RLK_TOKEN_LABEL_MAX);
}

static void no_random_no_token(void)
{
	char token[RLK_TOKEN_MAX] = "before";
	rlk_error err;

	rlk_error_clear(&err);
	random_fails = true;
	CHECK_INT(rlk_token_make(token, RLK_STR("a"), false, &err), 0);
	random_fails = false;
	CHECK_INT(err.code, RLK_ERR_RANDOM);
	CHECK_STR(token, "");
}

#define DIGITS "0123456789abcdef0123456789abcdef"

static void foreign_ones(void)
{
	static const char *const cases[] = { "", "x", "rlk1", "rlk1:", "rlk2:h:1::" DIGITS, "rlk1:h:1:" DIGITS,
		"rlk1:h:1::" DIGITS ":", "rlk1:h:1::" DIGITS ":don", "rlk1:h:1::" DIGITS ":done:", "rlk1:h:1::" DIGITS "0",
		"rlk1:h:1::0123456789ABCDEF0123456789ABCDEF", "rlk1:h:1::" DIGITS ":rest", "rlk1:h::" DIGITS,
		"rlk1:h:x::" DIGITS, "rlk1:h:-1::" DIGITS, "rlk1:h:12345678901::" DIGITS, "rlk1:h:9999999999::" DIGITS,
		"rlk1:h:2147483648::" DIGITS, "rlk1:h h:1::" DIGITS, "rlk1:%:1::" DIGITS, "rlk1:%2:1::" DIGITS,
		"rlk1:%zz:1::" DIGITS, "rlk1:%4A:1::" DIGITS, "rlk1:h:1:a/b:" DIGITS,
		"rlk1:01234567890123456789012345678901234567890123456789012345678901234:1::" DIGITS,
		"rlk1:h:1:01234567890123456789012345678901234567890123456789012345678901234:" DIGITS };
	rlk_token_info info;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&info, 1, sizeof(info));
		if (rlk_token_parse(rlk_str_from_cstr(cases[i]), &info))
			printf("# %s\n", cases[i]);
		CHECK(!rlk_token_parse(rlk_str_from_cstr(cases[i]), &info));
		CHECK(info.pid == 0 && info.host[0] == '\0' && info.label[0] == '\0' && !info.resting);
	}
	CHECK(!rlk_token_parse(rlk_str_make("rlk1:h:1::" DIGITS "\0", 43), &info));
	CHECK(rlk_token_parse(RLK_STR("rlk1::1::" DIGITS), &info));
	CHECK(rlk_token_parse(RLK_STR("rlk1:h:1::" DIGITS), &info));
	CHECK(rlk_token_parse(RLK_STR("rlk1:h:2147483647::" DIGITS), &info) && info.pid == 2147483647);
}

int main(void)
{
	RUN(round_trips);
	RUN_POSIX(a_copy_names_itself, "it forks");
	RUN(looks_as_documented);
	RUN(long_labels_are_cut);
	RUN(no_random_no_token);
	RUN(foreign_ones);
	return unit_done();
}
