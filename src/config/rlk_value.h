/*
 * rlk_value: a configuration value as a host language hands it over.
 *
 * A borrowed tree: the host builds it around its own data, parsing copies what
 * it keeps. A list is a map whose keys are empty.
 */
#ifndef RLK_VALUE_H
#define RLK_VALUE_H

#include "base/rlk_str.h"

#include <stdint.h>

typedef enum {
	RLK_VALUE_NULL,
	RLK_VALUE_BOOL,
	RLK_VALUE_INT,
	RLK_VALUE_FLOAT,
	RLK_VALUE_STRING,
	RLK_VALUE_MAP,
	RLK_VALUE_OTHER /* an object, a resource: never valid, but named in the message */
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

#endif
