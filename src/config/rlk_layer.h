/*
 * rlk_layer: what one array, or one URI, says about each option.
 *
 * Two spellings of an option with different values contradict each other
 * within a layer; a later layer simply wins over an earlier one. Values are
 * borrowed from where they were given.
 */
#ifndef RLK_LAYER_H
#define RLK_LAYER_H

#include "config/rlk_option.h"
#include "config/rlk_uri.h"

typedef struct {
	const char *key; /* the spelling, for messages; NULL = not said */
	bool from_uri;
	rlk_checked value;
} rlk_said;

#define RLK_LAYER_HOSTS_MAX 16

/* Too many pointers into itself to be copied. Starts zeroed. */
typedef struct {
	rlk_said said[RLK_OPTION_COUNT];
	bool auth_without_user; /* `auth` was a password alone */
	size_t host_count;      /* Symfony's host[...], when there are several: then none of them is the host */
	rlk_str hosts[RLK_LAYER_HOSTS_MAX];
} rlk_layer;

typedef enum {
	RLK_LAYER_ALL,     /* everything */
	RLK_LAYER_SECTION, /* the same around a connection `default`, which is added before; other connections are not ours */
	RLK_LAYER_PER_CALL /* options of one lock() call alone */
} rlk_layer_scope;

/* Where a value comes from, which decides how much a message may tell and who wins. */
typedef struct {
	rlk_layer *layer;
	rlk_layer_scope scope;
	rlk_uri *uri; /* NULL: an array */
} rlk_layer_source;

/* Adds an array. Its `url`, if any, is to be added before. */
bool rlk_layer_add_map(rlk_layer *layer, const rlk_value *map, rlk_layer_scope scope, rlk_error *err);

/* Adds a URI, query included, and reads it to its end. Whatever it says wins over the array it stands in, as in
 * Laravel, whose stock configurations carry both. It always says a scheme, and that decides between the host and
 * the path that the two may name. */
bool rlk_layer_add_uri(rlk_layer *layer, rlk_uri *uri, rlk_error *err);

/* The steps of the two above: one key and its value, and one value already checked. */
bool rlk_layer_add(const rlk_layer_source *from, rlk_str key, const rlk_value *value, rlk_error *err);
bool rlk_layer_say(const rlk_layer_source *from, rlk_option_id option, const char *key, const rlk_checked *value,
	rlk_error *err);

/* Adds the value of an option of RLK_KIND_TLS. What we cannot do is an error that names the key. */
bool rlk_layer_add_tls(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err);

/* Adds one PHP context option, as in ssl[cafile] of a URI. `where` is what messages put before its name. */
bool rlk_layer_add_tls_option(const rlk_layer_source *from, const char *where, rlk_str key, const rlk_value *value,
	rlk_error *err);

static inline bool rlk_layer_has(const rlk_layer *layer, rlk_option_id option)
{
	return layer->said[option].key != NULL;
}

/* An option's number if it was said, else what is given here. */
static inline int64_t rlk_layer_number(const rlk_layer *layer, rlk_option_id option, int64_t otherwise)
{
	return rlk_layer_has(layer, option) ? layer->said[option].value.number : otherwise;
}

#endif
