/*
 * rlk_value: a configuration value from the host language, and the rules for single values of any option.
 *
 * The tree is borrowed: the host builds it around its own data, and parsing copies what it stores. A list is a map
 * whose keys are empty. Messages name the option, what is allowed and what was given. They show numbers but no strings:
 * a string may be a password in the wrong place.
 */
#ifndef RLK_VALUE_H
#define RLK_VALUE_H

#include "base/rlk_error.h"
#include "base/rlk_str.h"

#include <stdint.h>

typedef enum {
	RLK_VALUE_NULL,
	RLK_VALUE_BOOL,
	RLK_VALUE_INT,
	RLK_VALUE_FLOAT,
	RLK_VALUE_STRING,
	RLK_VALUE_MAP,
	RLK_VALUE_OTHER /* an object, a resource: never valid, but messages name it */
} rlk_value_type;

typedef struct rlk_entry rlk_entry;

typedef struct {
	rlk_value_type type;
	union {
		bool b;
		int64_t i;
		double d;
		rlk_str s; /* STRING: the bytes; OTHER: the type's name, e.g. "Closure" */
		struct {
			const rlk_entry *entries;
			size_t count;
			bool is_list; /* keys are 0..count-1 in order; entries' keys are empty then */
		} map;
	} as;
} rlk_value;

struct rlk_entry {
	rlk_str key;
	rlk_value value;
};

/* 10 years of 365 days. A larger number must be a mistake, such as milliseconds for seconds. */
#define RLK_TTL_MAX_MS (INT64_C(315360000) * 1000)
/* For process-bound locks, which are renewed long before. */
#define RLK_TTL_MAX_BOUND_MS 3600000

/* The least on several servers: below it the margin for their clocks would leave nothing, see rlk_validity_ms(). */
#define RLK_TTL_MIN_QUORUM_MS 10
#define RLK_TIMEOUT_MAX_MS 3600000
#define RLK_NAME_MAX 65535
#define RLK_TOKEN_GIVEN_MAX 1024
#define RLK_LABEL_MAX 64

/* Each of these sets *err and returns false. */
#define RLK_WRONG_VALUE(err, ...) (rlk_error_set(err, RLK_ERR_VALUE, 0, __VA_ARGS__), false)
#define RLK_WRONG_TYPE(err, ...) (rlk_error_set(err, RLK_ERR_TYPE, 0, __VA_ARGS__), false)
#define RLK_NO_MEMORY(err) (rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory"), false)

/* Room for rlk_value_show() and rlk_value_type_name(). */
#define RLK_SHOWN_MAX 64
#define RLK_NUMBER_SHOWN_MAX 32

/* Writes a name for a message: everything but printable ASCII as \xNN, cut to fit. Returns buf. */
const char *rlk_value_show(rlk_str s, char *buf, size_t size);

/* The name of a value's type: "int", "array", or a class. Returns buf, or a constant. */
const char *rlk_value_type_name(const rlk_value *value, char *buf, size_t size);

/* Writes a number as PHP writes it: a point, not a comma; NAN, INF. Returns buf. */
const char *rlk_number_show(double number, char *buf, size_t size);

/* --- memory --- */

/* Memory for options that are being read: decoded parts of URIs, digits, entries of lists. It lives until the end, and
 * is wiped then. */
typedef struct rlk_scratch_block rlk_scratch_block;
typedef struct {
	rlk_scratch_block *first; /* NULL: none */
} rlk_scratch;

/* Zeroed. NULL: memory is out, and *err says so. */
void *rlk_scratch_take(rlk_scratch *scratch, size_t size, rlk_error *err);
void rlk_scratch_wipe(rlk_scratch *scratch);

/* --- reading --- */

typedef struct {
	double real;
	bool is_whole; /* an int, a float without a fraction, or a string of digits */
	int64_t whole; /* only when is_whole */
} rlk_number;

/* Reads ints, floats, and strings that are a decimal number from the first byte to the last. false: the value is no number. */
bool rlk_number_of(const rlk_value *value, rlk_number *out);

/* Is the value this string? */
bool rlk_value_is_text(const rlk_value *value, const char *text);

/* Is the value a map with names as keys, or an empty one? */
bool rlk_value_is_map(const rlk_value *value);

/* The value of a key of a map, NULL if it is missing or null. */
const rlk_value *rlk_value_find(const rlk_value *map, const char *key);

/* 1 or 0 for bools, 0 and 1, and the words used in environment variables and ini files; else -1. */
int rlk_value_truth(const rlk_value *value);

/* Is the string empty, or only blanks and control characters? */
bool rlk_is_blank(rlk_str s);

/* For a server that is given, and empty. The default server must not replace it: each machine would lock its own. */
#define RLK_NO_SERVER "must name a server, and names none; the default server is never used instead"

/* Is the value null, false, 0, "", "off", or an array of nulls? */
bool rlk_value_is_off(const rlk_value *value);

/* --- checks; `what` names the option or parameter in the message --- */

/* The rule for durations in seconds: at least 1 ms, at most RLK_TTL_MAX_MS, or where allowed 0 and INF, which gives
 * RLK_NEVER. Never NAN. */
bool rlk_seconds_to_ms(double seconds, bool allow_zero, bool allow_infinite, int64_t *ms);

/* The rule in words. Returns buf. */
const char *rlk_seconds_allowed(bool allow_zero, bool allow_infinite, char *buf, size_t size);

/* The rule with a message. `what`: "option \"ttl\"", say. */
bool rlk_config_seconds(double seconds, bool allow_zero, bool allow_infinite, const char *what, int64_t *ms,
	rlk_error *err);

/* The rule for time limits of a connection: seconds up to RLK_TIMEOUT_MAX_MS. Other clients read 0 and -1 as for ever,
 * or as the setting of php.ini. Here both give 0, our default, since nothing waits for ever. */
#define RLK_TIMEOUT_ALLOWED "a number of seconds of at least 0.001 and at most 3600, or 0 for the default"
bool rlk_timeout_to_ms(double seconds, int64_t *ms);

/* Checks the ttl of a process-bound lock against RLK_TTL_MAX_BOUND_MS. */
bool rlk_config_check_bound_ttl(int64_t ttl_ms, const char *what, rlk_error *err);

/* Checks the length of a string: at most so many bytes, and without `may_be_empty` at least one. */
bool rlk_config_check_length(rlk_str s, bool may_be_empty, size_t most, const char *what, rlk_error *err);

/* Checks a lock name: 1 to RLK_NAME_MAX bytes, not ending in ":rlk:signal", ":rlk:waiters", ":rlk:fence" or ":rlk:turn", the
 * suffixes of helper keys. */
bool rlk_config_check_name(rlk_str name, const char *what, rlk_error *err);

/* Checks a token given by a caller: 1 to RLK_TOKEN_GIVEN_MAX bytes, and no member that a set of holders has beside their tokens:
 * neither the mark of Symfony's writers, nor like those of a weight, token#2. The scripts refuse the same. */
bool rlk_config_check_token(rlk_str token, const char *what, rlk_error *err);

/* Checks a label: at most RLK_LABEL_MAX bytes, no control characters; empty is none. */
bool rlk_config_check_label(rlk_str label, const char *what, rlk_error *err);

#endif
