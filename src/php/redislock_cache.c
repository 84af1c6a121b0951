/*
 * redislock_cache: clients and records of freed objects, found again by the arguments of the next constructor.
 *
 * Without it execute() takes 9.9 % more time (9.4 to 11.2, 60 paired rounds) over a unix socket, and 16.7 % more of its processor.
 */
#include "php/redislock_object.h"

#include "base/rlk_list.h"
#include "php/redislock_config.h"

/* A request has few kinds of locks. Names that are new each time are never found again. */
#define CACHE_MAX 8

/* Longer arguments are rare, and no options are nested deeper. */
#define KEY_MAX 2048
#define KEY_DEPTH_MAX 4

static bool append_bytes(rlk_buf *key, char type, const void *data, size_t len)
{
	uint32_t length = (uint32_t)len;
	char *to = key->data + key->len;

	if (len > KEY_MAX || key->len + 1 + sizeof(length) + len > KEY_MAX)
		return false;
	*to++ = type;
	memcpy(to, &length, sizeof(length));
	if (len > 0)
		memcpy(to + sizeof(length), data, len);
	key->len += 1 + sizeof(length) + len;
	return true;
}

static bool append_value(rlk_buf *key, zval *value, int depth);

/* `any`: an item of which only the presence counts, or NULL. */
static bool append_table(rlk_buf *key, HashTable *table, const zval *any, int depth)
{
	uint32_t count = zend_hash_num_elements(table);
	zend_string *name;
	zend_ulong index;
	zval *item;

	if (depth == KEY_DEPTH_MAX || !append_bytes(key, 'a', &count, sizeof(count)))
		return false;
	ZEND_HASH_FOREACH_KEY_VAL (table, index, name, item) {
		if (!(name != NULL ? append_bytes(key, 'k', ZSTR_VAL(name), ZSTR_LEN(name)) :
							 append_bytes(key, 'i', &index, sizeof(index))) ||
			!(item == any ? append_bytes(key, '*', NULL, 0) : append_value(key, item, depth + 1)))
			return false;
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Two values give the same bytes only if they mean the same. false: too long, too deep, or no option. */
static bool append_value(rlk_buf *key, zval *value, int depth)
{
	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
			return append_bytes(key, (char)('0' + Z_TYPE_P(value)), NULL, 0);
		case IS_LONG:
			return append_bytes(key, 'l', &Z_LVAL_P(value), sizeof(zend_long));
		case IS_DOUBLE:
			return append_bytes(key, 'd', &Z_DVAL_P(value), sizeof(double));
		case IS_STRING:
			return append_bytes(key, 's', Z_STRVAL_P(value), Z_STRLEN_P(value));
		case IS_ARRAY:
			return append_table(key, Z_ARRVAL_P(value), NULL, depth);
		default:
			return false;
	}
}

static bool append_text(rlk_buf *key, const char *text)
{
	return append_bytes(key, text != NULL ? 's' : 'n', text, text != NULL ? strlen(text) : 0);
}

/* A valid token, which may be the only difference between two objects. NULL: none. */
static const zval *own_token(HashTable *options)
{
	const zval *token = options != NULL ? zend_hash_str_find(options, ZEND_STRL("token")) : NULL;

	if (token == NULL || Z_TYPE_P(token) != IS_STRING ||
		!rlk_config_check_token(redislock_str(Z_STR_P(token)), "", NULL))
		return NULL;
	return token;
}

/* Writes to *key everything that decides on the configuration, except the token. */
static bool describe_arguments(rlk_buf *key, zval *params, HashTable *options, const zval *token, bool bound)
{
	const double times[] = { RLG(ttl), RLG(connect_timeout), RLG(io_timeout) };

	key->len = 0;
	if (key->data == NULL && rlk_buf_reserve(key, KEY_MAX) == NULL)
		return false;
	return append_bytes(key, bound ? 'B' : 'L', times, sizeof(times)) && append_text(key, RLG(server)) &&
		append_text(key, RLG(prefix)) && (params == NULL || append_value(key, params, 0)) &&
		(options == NULL || append_table(key, options, token, 0));
}

static bool take_cached(redislock_object *object, const rlk_buf *key, const zval *token)
{
	for (redislock_record **link = &RLG(cached); *link != NULL; link = &(*link)->next) {
		redislock_record *record = *link;
		redislock_client *client = record->hold->client;

		if (!rlk_str_equal(rlk_buf_str(&client->cache_key), rlk_buf_str(key)))
			continue;
		/* Without memory for the token the object is made anew, and reports that. */
		if (token != NULL && !rlk_buf_replace(&client->config.token, redislock_str(Z_STR_P(token))))
			return false;
		*link = record->next;
		record->next = NULL;
		object->client = client;
		object->records = record;
		return true;
	}
	return false;
}

bool redislock_cache_construct(redislock_object *object, zval *params, HashTable *options, bool bound)
{
	rlk_buf *key = &RLG(cache_key);
	const zval *token = own_token(options);
	bool described = describe_arguments(key, params, options, token, bound);
	rlk_config config;

	if (described && take_cached(object, key, token)) {
		if (object->client->conn.fd == RLK_SOCKET_NONE)
			redislock_cache_disconnect(); /* another one in the cache may have it */
		return true;
	}
	if (!redislock_config_build(&config, params, options, 2, bound) || !redislock_object_configure(object, &config))
		return false;
	if (described)
		rlk_buf_append_str(&object->client->cache_key, rlk_buf_str(key));
	/* The cached connection may lead to the same server. */
	redislock_cache_disconnect();
	return true;
}

void redislock_cache_disconnect(void)
{
	for (const redislock_record *record = RLG(cached); record != NULL; record = record->next) {
		if (record->hold->client->conn.fd != RLK_SOCKET_NONE)
			redislock_client_disconnect(record->hold->client);
	}
}

/* Frees at once, without RLG(), which is gone at the end of a thread. */
static void discard_cached(redislock_record **link)
{
	redislock_record *record = *link;
	redislock_client *client = record->hold->client;

	*link = record->next;
	rlk_conn_close(&client->conn);
	redislock_hold_destroy(record->hold);
	zend_string_release(record->name);
	free(record);
	redislock_client_destroy(client);
}

/* May the object's client and record be used again? Only if nothing is held, shared or outstanding. */
static bool may_be_cached(const redislock_object *object)
{
	const redislock_client *client = object->client;
	const redislock_record *record = object->records;
	const redislock_hold *hold = record != NULL ? record->hold : NULL;

	return hold != NULL && record->next == NULL && record->entries == 0 && client->at.servers.quorum == NULL &&
		client->cache_key.len > 0 && client->refcount == 2 && hold->life.state == RLK_HOLD_IDLE &&
		hold->life.refcount == 1 && hold->life.lock.extension.conn == NULL &&
		hold->life.lock.ledger.spent_until_ms == 0;
}

bool redislock_cache_put(redislock_object *object)
{
	redislock_client *client = object->client;
	redislock_record **oldest = &RLG(cached);

	if (!may_be_cached(object))
		return false;
	redislock_cache_disconnect(); /* at most one keeps its connection */
	if (!client->config.persistent || client->conn.expected.entries > 0)
		redislock_client_disconnect(client);
	object->records->next = RLG(cached);
	RLG(cached) = object->records;
	object->client = NULL;
	object->records = NULL;
	RLK_LIST_PASS(oldest, CACHE_MAX);
	if (*oldest != NULL)
		discard_cached(oldest);
	return true;
}

void redislock_cache_clear(redislock_record **first, rlk_buf *key)
{
	while (*first != NULL)
		discard_cached(first);
	rlk_buf_wipe(key);
}
