/*
 * redislock_shown: see the header.
 */
#include "php/redislock_shown.h"

HashTable *redislock_shown_begin(zend_object *object, HashTable **shown, int *is_temp)
{
	if (object->ce->__debugInfo != NULL) {
		*shown = zend_std_get_debug_info(object, is_temp);
		return NULL;
	}
	*is_temp = 1;
	*shown = zend_array_dup(zend_std_get_properties(object));
	return *shown;
}

static void add(HashTable *table, const char *key, zval *value)
{
	zend_hash_str_update(table, key, strlen(key), value);
}

static void add_text(HashTable *table, const char *key, const char *text)
{
	zval value;

	ZVAL_STRING(&value, text);
	add(table, key, &value);
}

void redislock_shown_add_server(HashTable *table, const redislock_client *client)
{
	const rlk_config *config = &client->config;
	zval value;

	ZVAL_STRINGL(&value, config->prefix.data, config->prefix.len);
	add(table, "prefix", &value);
	if (config->routing == RLK_ROUTING_NONE) {
		add_text(table, "server", config->server.label);
		return;
	}
	array_init_size(&value, (uint32_t)config->listed.count);
	for (size_t i = 0; i < config->listed.count; i++)
		add_next_index_string(&value, config->listed.servers[i].label);
	add(table, "server", &value);
}

static const char *state_of(redislock_hold *hold, bool entered)
{
	if (hold->state == REDISLOCK_WAITING)
		return "waiting";
	if (!entered || hold->state == REDISLOCK_IDLE || redislock_hold_is_foreign(hold))
		return "not held";
	if (hold->state == REDISLOCK_RESTORED)
		return "restored";
	if (redislock_hold_is_held(hold))
		return "held";
	return hold->slot != RLK_SLOT_NONE ? "lost" : "expired";
}

void redislock_shown_add_hold(HashTable *table, redislock_hold *hold, bool entered)
{
	const char *state = state_of(hold, entered);
	bool held = strcmp(state, "held") == 0;
	int64_t left_ms = held ? redislock_hold_remaining_ms(hold) : 0;
	bool bound = held ? hold->slot != RLK_SLOT_NONE : hold->client->config.renew;
	zval value;

	add_text(table, "kind", bound ? "process-bound" : "lease");
	add_text(table, "state", state);
	ZVAL_DOUBLE(&value, left_ms == RLK_NEVER ? ZEND_INFINITY : (double)left_ms / 1000.0);
	add(table, "remaining", &value);
	ZVAL_NULL(&value);
	if (held && hold->lock.fence > 0)
		ZVAL_LONG(&value, (zend_long)hold->lock.fence);
	add(table, "fence", &value);
}

void redislock_shown_add_locks(HashTable *table, zval *locks)
{
	if (zend_hash_num_elements(Z_ARRVAL_P(locks)) > 0)
		add(table, "locks", locks);
	else
		zval_ptr_dtor(locks);
}
