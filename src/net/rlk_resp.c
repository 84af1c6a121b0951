/*
 * rlk_resp: see the header. The scanner trusts nothing: it checks every length
 * against the bytes that are there.
 */
#include "net/rlk_resp.h"

/* A type byte, a number, CR LF. */
#define HEADER_MAX (1 + RLK_RESP_INT_MAX + 2)

/* In an array, nested ones included: ROLE lists three values for each replica. */
#define VALUES_MAX 1024

/* Arrays around an array. hiredis 0.14 reads no more, and whether a reply is read must not depend on who reads it. */
#define DEPTH_MAX 7

rlk_str rlk_resp_int(int64_t value, char *buf)
{
	char *end = buf + RLK_RESP_INT_MAX, *p = end;
	/* Negated as unsigned, since INT64_MIN has no positive twin. */
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do {
		*--p = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest != 0);
	if (value < 0)
		*--p = '-';
	return rlk_str_make(p, (size_t)(end - p));
}

static inline char *write_header(char *out, char kind, size_t n)
{
	*out++ = kind;
	if (n < 10) {
		*out++ = (char)('0' + n);
	} else if (n < 100) {
		*out++ = (char)('0' + n / 10);
		*out++ = (char)('0' + n % 10);
	} else {
		char number[RLK_RESP_INT_MAX];
		rlk_str text = rlk_resp_int((int64_t)n, number);

		memcpy(out, text.data, text.len);
		out += text.len;
	}
	*out++ = '\r';
	*out++ = '\n';
	return out;
}

bool rlk_resp_append(rlk_buf *buf, const rlk_str *argv, size_t argc)
{
	size_t room = HEADER_MAX;
	char *start, *out;

	/* The buffer is used again: room that is a little too large costs less than counting digits. */
	for (size_t i = 0; i < argc; i++)
		room += HEADER_MAX + argv[i].len + 2;
	start = out = rlk_buf_reserve(buf, room);
	if (out == NULL)
		return false;
	out = write_header(out, '*', argc);
	for (size_t i = 0; i < argc; i++) {
		out = write_header(out, '$', argv[i].len);
		if (argv[i].len > 0)
			memcpy(out, argv[i].data, argv[i].len);
		out += argv[i].len;
		*out++ = '\r';
		*out++ = '\n';
	}
	buf->len += (size_t)(out - start);
	return true;
}

/* The rest of the line, without its CR LF; NULL data while it is incomplete. */
static rlk_str first_line(const char *data, size_t len)
{
	const char *cr = memchr(data, '\r', len);

	if (cr == NULL || (size_t)(cr - data) + 1 >= len)
		return rlk_str_make(NULL, 0);
	return rlk_str_make(data, (size_t)(cr - data));
}

/* Reads a number as servers write it and hiredis reads it: without leading zeros. */
static inline bool parse_int(rlk_str text, int64_t *value)
{
	bool negative = text.len > 0 && text.data[0] == '-';
	uint64_t n = 0;
	size_t i = negative ? 1 : 0;

	if (i == text.len || (text.data[i] == '0' && text.len > 1))
		return false;
	for (; i < text.len; i++) {
		unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';

		if (digit > 9 || n > ((uint64_t)INT64_MAX - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	*value = negative ? -(int64_t)n : (int64_t)n;
	return true;
}

static long scan_bulk(const char *data, size_t len, rlk_str header, rlk_reply *reply)
{
	size_t start = 1 + header.len + 2;
	int64_t size;

	if (!parse_int(header, &size) || size < -1)
		return -1;
	if (size == -1) {
		reply->type = RLK_REPLY_NIL;
		return (long)start;
	}
	if (len - start < 2 || (uint64_t)size > len - start - 2)
		return size > INT32_MAX ? -1 : 0;
	if (memcmp(data + start + size, "\r\n", 2) != 0)
		return -1;
	reply->type = RLK_REPLY_STRING;
	reply->text = rlk_str_make(data + start, (size_t)size);
	return (long)(start + (size_t)size + 2);
}

/* Types that RESP3 adds. Maps, sets and pushes have values inside, the others are one line. No reply that we ask for
 * has the longer types. */
static bool is_resp3_type(char type)
{
	return memchr("%~>_#,(", type, 7) != NULL;
}

static bool take_resp3_header(char type, rlk_str line, rlk_reply *reply, int64_t *inside)
{
	if (type == '%' || type == '~' || type == '>') {
		reply->type = type == '>' ? RLK_REPLY_PUSH : RLK_REPLY_ARRAY;
		if (!parse_int(line, inside) || *inside < 0 || *inside > VALUES_MAX / 2)
			return false;
		*inside *= type == '%' ? 2 : 1;
		return true;
	}
	reply->type = type == '_' ? RLK_REPLY_NIL : RLK_REPLY_STATUS;
	reply->text = line;
	return is_resp3_type(type);
}

/* Reads one value, or the header of an array, which has `inside` values. */
static inline long scan_value(const char *data, size_t len, bool resp3, rlk_reply *reply, int64_t *inside)
{
	rlk_str line;

	*reply = (rlk_reply){ .type = RLK_REPLY_ERROR };
	*inside = 0;
	if (len == 0)
		return 0;
	line = first_line(data + 1, len - 1);
	if (line.data == NULL)
		return memchr("+-:$*", data[0], 5) != NULL || (resp3 && is_resp3_type(data[0])) ? 0 : -1;
	if (data[1 + line.len + 1] != '\n')
		return -1;
	switch (data[0]) {
		case '$':
			return scan_bulk(data, len, line, reply);
		case ':':
			reply->type = RLK_REPLY_INTEGER;
			if (!parse_int(line, &reply->integer))
				return -1;
			break;
		case '*':
			if (!parse_int(line, inside) || *inside < -1 || *inside > VALUES_MAX)
				return -1;
			reply->type = *inside < 0 ? RLK_REPLY_NIL : RLK_REPLY_ARRAY;
			break;
		case '+':
			reply->type = RLK_REPLY_STATUS;
			/* fall through */
		case '-':
			reply->text = line;
			break;
		default:
			if (!resp3 || !take_resp3_header(data[0], line, reply, inside))
				return -1;
	}
	return (long)(1 + line.len + 2);
}

/* Reads a value with everything inside it; of that, RESP3 keeps the last text. `depth`: in how many arrays it is. `left`: how
 * many more values are allowed. */
static long scan_whole(const char *data, size_t len, bool resp3, rlk_reply *reply, int depth, int64_t *left)
{
	int64_t inside;
	long done = scan_value(data, len, resp3, reply, &inside);

	if (done <= 0)
		return done;
	if (inside > *left || (depth > DEPTH_MAX && memchr("*%~>", data[0], 4) != NULL))
		return -1;
	*left -= inside > 0 ? inside : 0;
	for (int64_t i = 0; i < inside; i++) {
		rlk_reply inner;
		long used = scan_whole(data + done, len - (size_t)done, resp3, &inner, depth + 1, left);

		if (used <= 0)
			return used;
		if (resp3)
			reply->text = inner.text;
		done += used;
	}
	return done;
}

long rlk_resp_scan(const char *data, size_t len, bool resp3, rlk_reply *reply, rlk_reply items[RLK_REPLY_ITEMS_MAX])
{
	int64_t inside, left;
	long done = scan_value(data, len, resp3, reply, &inside);

	if (done <= 0 || (reply->type != RLK_REPLY_ARRAY && reply->type != RLK_REPLY_PUSH))
		return done;
	left = VALUES_MAX - inside;
	reply->items = items;
	for (int64_t i = 0; i < inside; i++) {
		rlk_reply ignored;
		long used = scan_whole(data + done, len - (size_t)done, resp3, i < RLK_REPLY_ITEMS_MAX ? &items[i] : &ignored,
			1, &left);

		if (used <= 0)
			return used;
		done += used;
	}
	reply->count = (size_t)(inside < RLK_REPLY_ITEMS_MAX ? inside : RLK_REPLY_ITEMS_MAX);
	return done;
}
