/*
 * rlk_token: see the header for the format.
 */
#include "lock/rlk_token.h"

#include "base/rlk_os.h"
#include "net/rlk_resp.h"

#define PREFIX "rlk1:"
#define DONE ":done"
#define RANDOM_BYTES 16

static inline char lower_hex(unsigned char n)
{
	return (char)(n + (n < 10 ? '0' : 'a' - 10));
}

static bool is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
		c == '-';
}

/* Writes s percent-encoded and returns the byte behind it. */
static inline char *encode(char *out, rlk_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.data[i];

		if (is_plain(c)) {
			*out++ = (char)c;
			continue;
		}
		*out++ = '%';
		*out++ = lower_hex(c >> 4);
		*out++ = lower_hex(c & 15);
	}
	return out;
}

static char *append(char *out, rlk_str s)
{
	memcpy(out, s.data, s.len);
	return out + s.len;
}

static int lower_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Decodes, bounded. false: the text is not as encode() writes it. */
static bool decode_field(rlk_str s, char *out, size_t max)
{
	size_t used = 0;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.data[i];

		if (used == max)
			return false;
		if (c == '%') {
			int high = i + 2 < s.len ? lower_hex_digit(s.data[i + 1]) : -1;
			int low = i + 2 < s.len ? lower_hex_digit(s.data[i + 2]) : -1;

			if (high < 0 || low < 0)
				return false;
			c = (char)(high * 16 + low);
			i += 2;
		} else if (!is_plain((unsigned char)c)) {
			return false;
		}
		out[used++] = c;
	}
	out[used] = '\0';
	return true;
}

static rlk_str cut(rlk_str s, size_t max)
{
	return s.len <= max ? s : rlk_str_make(s.data, max);
}

/* The beginning of all tokens of a process, up to the label. */
typedef struct {
	long made_by;
	size_t len;
	char host[256]; /* asked for once per thread: it hardly changes under a process, and is shown to people only */
	char text[sizeof(PREFIX) + 3 * RLK_TOKEN_HOST_MAX + RLK_RESP_INT_MAX];
} token_beginning;

static void make_beginning(token_beginning *own, long pid)
{
	char number[RLK_RESP_INT_MAX], *p = append(own->text, RLK_STR(PREFIX));

	if (own->host[0] == '\0')
		rlk_os_host_name(own->host, sizeof(own->host));
	p = encode(p, cut(rlk_str_from_cstr(own->host), RLK_TOKEN_HOST_MAX));
	*p++ = ':';
	p = append(p, rlk_resp_int(pid, number));
	*p++ = ':';
	own->len = (size_t)(p - own->text);
	own->made_by = pid;
}

static inline rlk_str beginning(void)
{
	static _Thread_local token_beginning of_thread;
	long pid = rlk_os_process_id();
	token_beginning *own = &of_thread;

	if (own->made_by != pid)
		make_beginning(own, pid);
	return rlk_str_make(own->text, own->len);
}

bool rlk_token_is_own(rlk_str token)
{
	rlk_str own = beginning();

	return token.len > own.len && memcmp(token.data, own.data, own.len) == 0;
}

size_t rlk_token_make(char out[RLK_TOKEN_MAX], rlk_str label, bool resting, rlk_error *err)
{
	unsigned char random[RANDOM_BYTES];
	char digits[2 * RANDOM_BYTES], *p = out;

	if (!rlk_random_bytes(random, sizeof(random))) {
		rlk_error_set(err, RLK_ERR_RANDOM, 0, "the system's random source failed, no token can be made");
		out[0] = '\0';
		return 0;
	}
	p = append(p, beginning());
	p = encode(p, cut(label, RLK_TOKEN_LABEL_MAX));
	*p++ = ':';
	/* In this order compilers use a few vector operations: 187 instructions less in an acquisition. */
	for (size_t i = 0; i < RANDOM_BYTES; i++) {
		digits[i] = lower_hex(random[i] >> 4);
		digits[RANDOM_BYTES + i] = lower_hex(random[i] & 15);
	}
	p = append(p, rlk_str_make(digits, sizeof(digits)));
	if (resting)
		p = append(p, RLK_STR(DONE));
	*p = '\0';
	return (size_t)(p - out);
}

/* Cuts the field up to the next colon, or all that is left, off the front of *rest. */
static rlk_str next_field(rlk_str *rest)
{
	const char *colon = rest->len > 0 ? memchr(rest->data, ':', rest->len) : NULL;
	rlk_str field = rlk_str_make(rest->data, colon != NULL ? (size_t)(colon - rest->data) : rest->len);
	size_t taken = field.len + (colon != NULL);

	*rest = rlk_str_make(rest->data + taken, rest->len - taken);
	return field;
}

/* No system has larger ids, and a long may have no room for them. */
static bool parse_pid(rlk_str s, long *pid)
{
	int64_t n = 0;

	if (s.len == 0 || s.len > 10)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (s.data[i] < '0' || s.data[i] > '9')
			return false;
		n = n * 10 + (s.data[i] - '0');
	}
	*pid = n <= INT32_MAX ? (long)n : 0;
	return n <= INT32_MAX;
}

static bool is_hex(rlk_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (lower_hex_digit(s.data[i]) < 0)
			return false;
	}
	return true;
}

bool rlk_token_parse(rlk_str token, rlk_token_info *info)
{
	rlk_str rest = token, random;
	bool ok = rlk_str_starts_with(token, RLK_STR(PREFIX));

	memset(info, 0, sizeof(*info));
	if (ok) {
		next_field(&rest);
		ok = decode_field(next_field(&rest), info->host, RLK_TOKEN_HOST_MAX);
		ok = ok && parse_pid(next_field(&rest), &info->pid);
		ok = ok && decode_field(next_field(&rest), info->label, RLK_TOKEN_LABEL_MAX);
		random = next_field(&rest);
		ok = ok && random.len == 2 * RANDOM_BYTES && is_hex(random);
		info->resting = rlk_str_equal(rest, RLK_STR("done"));
		/* The whole value has to match: a colon with nothing behind it is not ours either. */
		ok = ok && (info->resting || random.data + random.len == token.data + token.len);
	}
	if (!ok)
		memset(info, 0, sizeof(*info));
	return ok;
}
