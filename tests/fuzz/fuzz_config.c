/*
 * fuzz_config: the option and URI parser under libFuzzer.
 *
 * The first byte chooses: a URI, or lines "key=value" as an array whose values
 * take their type from their first byte. Built with the sources of base, wire
 * and core and -fsanitize=fuzzer,address,undefined.
 */
#include "config/rlk_config.h"

#include <stdint.h>
#include <stdlib.h>

#define ENTRIES_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static rlk_value value_of(rlk_str text, const rlk_value *nested)
{
	char type = text.len > 0 ? text.data[0] : 's';
	rlk_str rest = text.len > 0 ? rlk_str_make(text.data + 1, text.len - 1) : text;
	rlk_value value = { RLK_VALUE_STRING, { .s = rest } };

	switch (type) {
		case 'n':
			value.type = RLK_VALUE_NULL;
			break;
		case 'b':
			value.type = RLK_VALUE_BOOL;
			value.as.b = rest.len > 0;
			break;
		case 'i':
		case 'd':
			value.type = type == 'i' ? RLK_VALUE_INT : RLK_VALUE_FLOAT;
			value.as.i = 0;
			memcpy(&value.as.i, rest.data, rest.len < 8 ? rest.len : 8);
			break;
		case 'o':
			value.type = RLK_VALUE_OTHER;
			break;
		case 'm':
			value = *nested;
			break;
		default:
			break;
	}
	return value;
}

/* Fills an array from the front of *input, which ends at an empty line. */
static rlk_value map_of(rlk_str *input, rlk_entry entries[ENTRIES_MAX], const rlk_value *nested)
{
	rlk_value map = { RLK_VALUE_MAP, { .map = { entries, 0, false } } };

	while (input->len > 0 && map.as.map.count < ENTRIES_MAX) {
		const char *end = memchr(input->data, '\n', input->len);
		rlk_str line = rlk_str_make(input->data, end != NULL ? (size_t)(end - input->data) : input->len);
		size_t taken = line.len + (end != NULL);
		const char *equals = line.len > 0 ? memchr(line.data, '=', line.len) : NULL;
		rlk_entry *entry = &entries[map.as.map.count];

		*input = rlk_str_make(input->data + taken, input->len - taken);
		if (line.len == 0)
			break;
		map.as.map.is_list = equals == NULL;
		entry->key = rlk_str_make(line.data, equals != NULL ? (size_t)(equals - line.data) : 0);
		taken = equals != NULL ? entry->key.len + 1 : 0;
		entry->value = value_of(rlk_str_make(line.data + taken, line.len - taken), nested);
		map.as.map.count++;
	}
	return map;
}

static void require(bool true_always)
{
	if (!true_always)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rlk_str input = rlk_str_make((const char *)data, size);
	rlk_entry inner[ENTRIES_MAX], middle[ENTRIES_MAX], outer[ENTRIES_MAX];
	rlk_value nested = { RLK_VALUE_NULL, { .b = false } };
	bool of_call = size > 0 && data[0] % 4 == 1, ok;
	rlk_config base, config;
	rlk_error err;
	size_t at;

	if (size == 0)
		return 0;
	input = rlk_str_make(input.data + 1, input.len - 1);
	rlk_error_clear(&err);
	if (data[0] % 4 == 0) {
		nested = (rlk_value){ RLK_VALUE_STRING, { .s = input } };
	} else {
		nested = map_of(&input, inner, &nested);
		nested = map_of(&input, middle, &nested);
		nested = map_of(&input, outer, &nested);
	}
	ok = rlk_config_make(&base, NULL, &nested, of_call ? 0 : 1, false, &at, &err);
	config = base;
	if (of_call)
		ok = rlk_config_for_call(&config, &base, &nested, false, &err);
	if (ok) {
		const rlk_server *server = &config.server;

		require(err.code == RLK_ERR_NONE);
		require((server->host != NULL) != (server->path != NULL) && server->port > 0);
		require(server->connect_timeout_ms > 0 && server->io_timeout_ms > 0 && server->retry_delay_ms >= 0);
		require(config.ttl_ms >= 0 && config.retry_ms >= 1 && config.wait_ms >= 0 && config.max_hold_ms > 0);
		require(config.renew ? config.interval_ms >= 1 && config.interval_ms <= config.ttl_ms / 2 :
							   config.interval_ms == 0);
		require(config.name.data != NULL && config.prefix.data != NULL);
	} else {
		require(err.code == RLK_ERR_VALUE || err.code == RLK_ERR_TYPE);
		require(err.text[0] != '\0' && strlen(err.text) < RLK_ERROR_TEXT_MAX - 1);
		for (const char *c = err.text; *c != '\0'; c++)
			require(*c >= 0x20 && *c <= 0x7e);
	}
	if (of_call && ok)
		rlk_config_end_call(&config);
	rlk_config_destroy(&base);
	return 0;
}
