/*
 * rlk_resp: see the header. The scanner trusts nothing: every length is checked
 * against what is there before it is used.
 */
#include "net/rlk_resp.h"

/* A type byte, a number, CR LF. */
#define HEADER_MAX (1 + RLK_RESP_INT_MAX + 2)

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

static size_t digits(size_t n)
{
	size_t count = 1;

	while (n >= 10) {
		n /= 10;
		count++;
	}
	return count;
}

size_t rlk_resp_size(const rlk_str *argv, size_t argc)
{
	size_t size = 1 + digits(argc) + 2;

	for (size_t i = 0; i < argc; i++)
		size += 1 + digits(argv[i].len) + 2 + argv[i].len + 2;
	return size;
}

static char *write_header(char *out, char kind, size_t n)
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

char *rlk_resp_write(char *out, const rlk_str *argv, size_t argc)
{
	out = write_header(out, '*', argc);
	for (size_t i = 0; i < argc; i++) {
		out = write_header(out, '$', argv[i].len);
		if (argv[i].len > 0)
			memcpy(out, argv[i].data, argv[i].len);
		out += argv[i].len;
		*out++ = '\r';
		*out++ = '\n';
	}
	return out;
}

/* The buffer is kept and used again: room that is a little too much costs less than counting digits. */
bool rlk_resp_append(rlk_buf *buf, const rlk_str *argv, size_t argc)
{
	size_t room = HEADER_MAX;
	char *out;

	for (size_t i = 0; i < argc; i++)
		room += HEADER_MAX + argv[i].len + 2;
	out = rlk_buf_reserve(buf, room);
	if (out == NULL)
		return false;
	buf->len += (size_t)(rlk_resp_write(out, argv, argc) - out);
	return true;
}

/* The line behind the type byte, without its CR LF; NULL data while it is incomplete. */
static rlk_str first_line(const char *data, size_t len)
{
	const char *cr = memchr(data, '\r', len);

	if (cr == NULL || (size_t)(cr - data) + 1 >= len)
		return rlk_str_make(NULL, 0);
	return rlk_str_make(data, (size_t)(cr - data));
}

/* As servers write numbers, and as hiredis reads them: without leading zeros. */
static bool parse_int(rlk_str text, int64_t *value)
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

static long scan_bulk(const char *data, size_t len, rlk_str header, rlk_resp_flat *reply)
{
	size_t start = 1 + header.len + 2;
	int64_t size;

	if (!parse_int(header, &size) || size < -1)
		return -1;
	if (size == -1) {
		reply->type = RLK_RESP_NIL;
		return (long)start;
	}
	if (len - start < 2 || (uint64_t)size > len - start - 2)
		return size > INT32_MAX ? -1 : 0;
	if (memcmp(data + start + size, "\r\n", 2) != 0)
		return -1;
	reply->type = RLK_RESP_BULK;
	reply->text = rlk_str_make(data + start, (size_t)size);
	return (long)(start + (size_t)size + 2);
}

long rlk_resp_scan(const char *data, size_t len, rlk_resp_flat *reply)
{
	rlk_str line;

	memset(reply, 0, sizeof(*reply));
	if (len == 0)
		return 0;
	if (memchr("+-:$", data[0], 4) == NULL)
		return -1;
	line = first_line(data + 1, len - 1);
	if (line.data == NULL)
		return 0;
	if (data[1 + line.len + 1] != '\n')
		return -1;
	if (data[0] == '$')
		return scan_bulk(data, len, line, reply);

	reply->text = line;
	reply->type = data[0] == '+' ? RLK_RESP_STATUS : RLK_RESP_ERROR;
	if (data[0] == ':') {
		reply->type = RLK_RESP_INTEGER;
		if (!parse_int(line, &reply->integer))
			return -1;
	}
	return (long)(1 + line.len + 2);
}

long rlk_resp_scan_array(const char *data, size_t len, int64_t *size)
{
	rlk_str line = first_line(data + 1, len - 1);

	if (line.data == NULL)
		return 0;
	if (data[1 + line.len + 1] != '\n' || !parse_int(line, size) || *size < -1)
		return -1;
	return (long)(1 + line.len + 2);
}

long rlk_resp_scan_any(const char *data, size_t len, rlk_resp_any *reply)
{
	int64_t open = 1, size; /* values still to come */
	size_t done = 0;

	memset(reply, 0, sizeof(*reply));
	for (; open > 0; open--) {
		rlk_resp_flat value;
		long used;

		if (done == len)
			return 0;
		if (data[done] == '*') {
			used = rlk_resp_scan_array(data + done, len - done, &size);
			if (used <= 0 || size > RLK_RESP_VALUES_MAX - open)
				return used <= 0 ? used : -1;
			if (done == 0)
				reply->type = size < 0 ? RLK_RESP_NIL : RLK_RESP_ARRAY;
			open += size > 0 ? size : 0;
		} else {
			used = rlk_resp_scan(data + done, len - done, &value);
			if (used <= 0)
				return used;
			if (done == 0) {
				reply->type = value.type;
				reply->integer = value.integer;
				reply->text = value.text;
			} else if (reply->count < RLK_RESP_ITEMS_MAX) {
				reply->items[reply->count++] = value;
			}
		}
		done += (size_t)used;
	}
	return (long)done;
}
