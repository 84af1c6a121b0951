/*
 * rlk_layer: the options that one array or one URI gives.
 *
 * Within a layer two spellings of an option must not differ; a later layer wins
 * over an earlier one. Values are borrowed from where they were given.
 */
#ifndef RLK_LAYER_H
#define RLK_LAYER_H

#include "config/rlk_option.h"
#include "config/rlk_uri.h"

typedef struct {
	const char *key; /* the spelling, for messages */
	rlk_checked value;
} rlk_given;

typedef enum {
	RLK_LAYER_ALL,     /* everything */
	RLK_LAYER_SECTION, /* what stands around a connection `default`; other connections in it are ignored */
	RLK_LAYER_ENTRY,   /* one server of a list */
	RLK_LAYER_PER_CALL /* options of one lock() call alone */
} rlk_layer_scope;

#define RLK_LAYER_HOSTS_MAX 16

#define RLK_QUORUM_ALONE \
	"option \"servers\" cannot be used with sentinels or a Cluster: it lists masters that are independent"

/* Not to be copied: it has pointers into itself. */
typedef struct {
	rlk_layer_scope scope;
	uint64_t given, given_by_uri; /* a bit for each rlk_option_id */
	bool auth_without_user;       /* `auth` was a password alone */
	rlk_list_key list_key;        /* also set by "cluster" => true, without a list */
	const rlk_value *list;        /* of servers; NULL: none */
	rlk_value hosts;              /* Symfony's host[...]; several are a list, and none of them is the host */
	rlk_entry host_entries[RLK_LAYER_HOSTS_MAX];
	rlk_uri uris[2]; /* a connection `default` may have one, and so may the array around it */
	size_t uri_count;
	rlk_uri *uri;                        /* the one being read; NULL: an array is */
	rlk_given options[RLK_OPTION_COUNT]; /* valid where `given` has the bit */
} rlk_layer;

void rlk_layer_init(rlk_layer *layer, rlk_layer_scope scope);

/* Wipes the parts of URIs. */
void rlk_layer_destroy(rlk_layer *layer);

/* Adds an array. Its `url` wins over the rest, as in Laravel, whose stock configurations have both. */
bool rlk_layer_add_map(rlk_layer *layer, const rlk_value *map, rlk_error *err);

/* Adds a URI with its query; messages call it `what`. Its scheme decides between a host and a path of a socket, also for
 * the array beside it. At most two in a layer. */
bool rlk_layer_add_uri(rlk_layer *layer, rlk_str uri, const char *what, rlk_error *err);

static inline bool rlk_layer_has(const rlk_layer *layer, rlk_option_id option)
{
	return (layer->given & RLK_OPTION_BIT(option)) != 0;
}

/* The number of an option, or `otherwise` if it was not given. */
static inline int64_t rlk_layer_number(const rlk_layer *layer, rlk_option_id option, int64_t otherwise)
{
	return rlk_layer_has(layer, option) ? layer->options[option].value.number : otherwise;
}

#endif
