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
	const char *key; /* the spelling, for messages */
	rlk_checked value;
} rlk_said;

typedef enum {
	RLK_LAYER_ALL,     /* everything */
	RLK_LAYER_SECTION, /* the same around a connection `default`, which is added before; other connections are not ours */
	RLK_LAYER_ENTRY,   /* one server of a list */
	RLK_LAYER_PER_CALL /* options of one lock() call alone */
} rlk_layer_scope;

#define RLK_LAYER_HOSTS_MAX 16

/* The option that lists a quorum, and what is said of any other list or topology beside it. */
#define RLK_QUORUM_KEY "servers"
#define RLK_QUORUM_ALONE \
	"option \"servers\" cannot be used with sentinels or a Cluster: it lists masters that are independent"

/* Too many pointers into itself to be copied. */
typedef struct {
	rlk_layer_scope scope;
	uint64_t said, said_by_uri; /* a bit for each rlk_option_id */
	bool auth_without_user;     /* `auth` was a password alone */
	const rlk_value *list;      /* of servers; NULL: not given */
	const char *list_key;       /* the option of that list, also where it says yes; "" with hosts of a URI; or NULL */
	rlk_value hosts;            /* Symfony's host[...]; when there are several, none of them is the host */
	rlk_entry host_entries[RLK_LAYER_HOSTS_MAX];
	rlk_uri uris[2]; /* with a connection `default`: its own, and the one beside it */
	size_t uri_count;
	rlk_uri *uri;                       /* the one that is being read; NULL: an array is */
	rlk_said options[RLK_OPTION_COUNT]; /* those said */
} rlk_layer;

void rlk_layer_init(rlk_layer *layer, rlk_layer_scope scope);

/* Wipes what URIs said. */
void rlk_layer_destroy(rlk_layer *layer);

/* Adds an array. Whatever its `url` says wins, as in Laravel, whose stock configurations carry both. */
bool rlk_layer_add_map(rlk_layer *layer, const rlk_value *map, rlk_error *err);

/* Adds a URI, query included; `what` is what messages call it. A URI with a scheme decides by it between the host and the
 * path that it and an array beside it may name. At most two in a layer. */
bool rlk_layer_add_uri(rlk_layer *layer, rlk_str uri, const char *what, rlk_error *err);

static inline bool rlk_layer_has(const rlk_layer *layer, rlk_option_id option)
{
	return (layer->said & RLK_OPTION_BIT(option)) != 0;
}

/* An option's number if it was said, else what is given here. */
static inline int64_t rlk_layer_number(const rlk_layer *layer, rlk_option_id option, int64_t otherwise)
{
	return rlk_layer_has(layer, option) ? layer->options[option].value.number : otherwise;
}

#endif
