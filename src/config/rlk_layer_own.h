/*
 * rlk_layer_own: what is read at once, option by option. A value is checked, and may be several options.
 */
#ifndef RLK_LAYER_OWN_H
#define RLK_LAYER_OWN_H

#include "config/rlk_layer.h"
#include "config/rlk_uri.h"

typedef enum {
	RLK_SCOPE_ALL,     /* everything */
	RLK_SCOPE_SECTION, /* what stands around a connection `default`; other connections in it are ignored */
	RLK_SCOPE_ENTRY,   /* one server of a list */
	RLK_SCOPE_CALL     /* options of one lock() call alone */
} rlk_scope;

typedef struct {
	rlk_scope scope;
	rlk_scratch *scratch;
	rlk_error *err;
	uint64_t by_uri;        /* a bit for each rlk_option_id */
	bool auth_without_user; /* `auth` was a password alone */
	bool use_ssl, no_ssl;   /* what `useSSL` says, or true for `ssl` */
	const rlk_value *list;  /* of servers; NULL: none */
	rlk_uri *uri;           /* the one being read; NULL: an array is */
	rlk_value hosts;        /* Symfony's host[...]; several are a list, and none of them is the host */
	rlk_entry *host_entries;
	rlk_value auth; /* Symfony's auth=... or auth[]=..., a list then, of the query */
	rlk_entry auth_entries[2];
	rlk_layer layer; /* what was read so far */
} rlk_reading;

#define RLK_NOT_SUPPORTED ", which is not supported by this version"

/* Adds the value of an option, which is not NULL. Like all here: false, and *err says why. */
bool rlk_reading_add(rlk_reading *r, const rlk_option *option, const rlk_value *value);

/* Adds one of PHP's context options. Those we do not support are errors. `where`: what messages put before its name. */
bool rlk_reading_add_tls_option(rlk_reading *r, const char *where, rlk_str key, const rlk_value *value);

/* Notes where servers are listed, or with NULL what they are. One list counts. Hosts of a URI win over `sentinels` and
 * `cluster`, and exclude `servers`. */
bool rlk_reading_note_list(rlk_reading *r, rlk_list_key key, const rlk_value *list);

/* Sets an option, which must have no other value yet. */
bool rlk_reading_set(rlk_reading *r, rlk_option_id option, const rlk_setting *setting);
bool rlk_reading_set_number(rlk_reading *r, rlk_option_id option, const char *key, int64_t number);

/* Checks a value that is one. */
bool rlk_reading_check(const rlk_reading *r, const rlk_option *option, const rlk_value *value, rlk_setting *out);

#endif
