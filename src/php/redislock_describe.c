/*
 * redislock_describe: a lock in words: holder(), NotAcquiredException, var_dump().
 */
#include "php/redislock_object.h"

#include "php/redislock_errors.h"

#include <math.h>
#include <zend_exceptions.h>

void redislock_describe_holder(const rlk_lock_holder *holder, zval *array)
{
	array_init_size(array, 7);
	add_assoc_stringl(array, "token", holder->token, holder->token_len);
	add_assoc_null(array, "host");
	add_assoc_null(array, "pid");
	if (holder->ours) {
		add_assoc_string(array, "host", holder->info.host);
		add_assoc_long(array, "pid", holder->info.pid);
	}
	add_assoc_null(array, "label");
	if (holder->info.label[0] != '\0')
		add_assoc_string(array, "label", holder->info.label);
	add_assoc_null(array, "ttl");
	if (holder->ttl_ms >= 0)
		add_assoc_double(array, "ttl", (double)holder->ttl_ms / 1000.0);
	add_assoc_bool(array, "waited", holder->waited);
	add_assoc_bool(array, "resting", holder->info.resting);
}

/* Whole seconds, rounded up; fractions of the last one. */
static zend_string *time_left(const rlk_lock_holder *holder)
{
	if (holder->ttl_ms < 0)
		return strpprintf(0, ", without expiry");
	return strpprintf(0, ", %.*F s left%s", holder->ttl_ms < 1000 ? 1 : 0, ceil((double)holder->ttl_ms / 100) / 10,
		holder->info.resting ? "" : " unless renewed");
}

/* "held by nightly-report on web3 (process 4711), 18 s left unless renewed" */
static zend_string *holder_text(const rlk_lock_holder *holder)
{
	const rlk_token_info *info = &holder->info;
	const char *how = info->resting ? "kept by \"hold_at_least\" or \"linger\" of" : "held by";
	zend_string *left = time_left(holder), *text;

	if (!holder->ours)
		text = strpprintf(0, "held by somebody else%s", ZSTR_VAL(left));
	else if (!info->resting && rlk_token_is_own(rlk_str_make(holder->token, holder->token_len)))
		text = strpprintf(0, "held by this process itself; see \"reentrant\"");
	else if (info->label[0] != '\0')
		text = strpprintf(0, "%s %s on %s (process %ld)%s", how, info->label, info->host, info->pid, ZSTR_VAL(left));
	else
		text = strpprintf(0, "%s process %ld on %s%s", how, info->pid, info->host, ZSTR_VAL(left));
	zend_string_release(left);
	return text;
}

/* "3 of 3 permits are held, by ...", or the text above if the permits are not the reason. */
static zend_string *holders_text(const rlk_kind *kind, int held, const rlk_lock_holder *first)
{
	zend_string *text = holder_text(first), *all;
	const char *by = ZSTR_VAL(text) + (strncmp(ZSTR_VAL(text), "held ", 5) == 0 ? 5 : 0);

	if (kind->id != RLK_PERMITS || held + kind->weight <= kind->permits)
		return text;
	all = strpprintf(0, "%d of %d permits are held, %s", held, kind->permits, by);
	zend_string_release(text);
	return all;
}

/* The answer of each server in the last round, by its URI. */
static void add_node_holders(zend_object *exception, const rlk_quorum *quorum, const rlk_lock_holder *each)
{
	zval array;

	array_init_size(&array, (uint32_t)quorum->count);
	for (int i = 0; i < quorum->count; i++) {
		const char *uri = quorum->member[i].conn.server->uri;

		if (quorum->votes.cast[i] == RLK_VOTE_YES)
			add_assoc_str(&array, uri, holder_text(&each[i]));
		else
			add_assoc_string(&array, uri, rlk_quorum_outcome(quorum, i, "free"));
	}
	zend_update_property(redislock_ce_NotAcquiredException, exception, ZEND_STRL("nodes"), &array);
	zval_ptr_dtor(&array);
}

typedef struct {
	rlk_lock_holder first;
	int held; /* the permits of all holders together */
} holders_found;

static bool count_holder(void *arg, const rlk_lock_holder *holder)
{
	holders_found *found = arg;

	if (found->held == 0)
		found->first = *holder;
	found->held += holder->weight;
	return true;
}

/* `found`: NULL if no holder was found. `each`: the holder on each server of a quorum, or NULL. */
static void throw_not_acquired(const redislock_hold *hold, const holders_found *found, const rlk_lock_holder *each)
{
	zend_string *text = found != NULL ? holders_text(&hold->life.lock.kind, found->held, &found->first) :
										strpprintf(0, "held by somebody else");
	zend_object *exception =
		redislock_make_about(redislock_ce_NotAcquiredException, hold->name, ": %s", ZSTR_VAL(text));
	zval array;

	zend_string_release(text);
	zend_update_property_bool(redislock_ce_Exception, exception, ZEND_STRL("retryable"), true);
	if (found != NULL) {
		redislock_describe_holder(&found->first, &array);
		zend_update_property(redislock_ce_NotAcquiredException, exception, ZEND_STRL("holder"), &array);
		zval_ptr_dtor(&array);
	}
	if (each != NULL)
		add_node_holders(exception, hold->client->at.servers.quorum, each);
	zend_throw_exception_internal(exception);
}

void redislock_throw_not_acquired(redislock_hold *hold)
{
	const rlk_servers *servers;
	const rlk_quorum *quorum = hold->client->at.servers.quorum;
	rlk_deadline deadline = rlk_deadline_in(RLK_HOLD_SECOND_LOOK_MS);
	rlk_lock_holder *each = quorum != NULL ? safe_emalloc((size_t)quorum->count, sizeof(*each), 0) : NULL;
	holders_found found = { .held = 0 };
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	servers = rlk_hold_begin(&hold->life, &use, false, deadline);
	if (rlk_kind_is_string(&hold->life.lock.kind))
		outcome = rlk_lock_ask_holder(&hold->life.lock, servers, deadline, &found.first, each, &err);
	else
		outcome = rlk_lock_ask_holders(&hold->life.lock, servers, deadline, count_holder, &found, &err);
	rlk_hold_finish(&use);
	if (EG(exception) != NULL || RLG(bailed_out))
		; /* it has interrupted that wait */
	else if (err.code == RLK_ERR_NO_LOCK)
		redislock_hold_throw(hold, &err);
	else
		throw_not_acquired(hold, outcome == RLK_YES ? &found : NULL, each);
	rlk_hold_give_back(&hold->life);
	if (each != NULL)
		efree(each);
}

/* --- var_dump() --- */

static const char *share_text(const rlk_kind *kind)
{
	static const char *const texts[] = { [RLK_PLAIN] = "", [RLK_PERMITS] = " by permit", [RLK_SHARED] = " as shared" };

	return texts[kind->id];
}

/* The state of a lock in words. `entered`: the object is in the lock. */
static zend_string *standing(redislock_hold *hold, bool entered)
{
	int64_t left_ms = rlk_hold_remaining_ms(&hold->life);

	if (hold->life.state == RLK_HOLD_WAITING)
		return strpprintf(0, "being acquired");
	if (!entered || hold->life.state == RLK_HOLD_IDLE || rlk_hold_is_foreign(&hold->life))
		return strpprintf(0, "not held");
	if (hold->life.state == RLK_HOLD_RESTORED)
		return strpprintf(0, "restored, not confirmed");
	if (left_ms == 0)
		return strpprintf(0, "%s", hold->life.slot != RLK_SLOT_NONE ? "lost" : "expired");
	if (left_ms == RLK_NEVER)
		return strpprintf(0, "held without expiry");
	return strpprintf(0, "held%s, %.3F s left%s", share_text(&hold->life.lock.kind), (double)left_ms / 1000.0,
		hold->life.renew ? " unless renewed" : "");
}

HashTable *redislock_describe_object(zend_object *std, int *is_temp)
{
	const redislock_object *object = redislock_object_from(std);
	bool redlock = instanceof_function(std->ce, redislock_ce_RedLock);
	zval shown, servers, locks, text;
	const rlk_config *config;

	if (std->ce->__debugInfo != NULL)
		return zend_std_get_debug_info(std, is_temp);
	*is_temp = 1;
	ZVAL_ARR(&shown, zend_array_dup(zend_std_get_properties(std)));
	if (object->client == NULL)
		return Z_ARRVAL(shown);
	config = &object->client->config;
	array_init(&servers); /* of a quorum; sentinels; seeds of a Cluster */
	for (size_t i = 0; i < config->listed.count; i++)
		add_next_index_string(&servers, config->listed.servers[i].uri);
	if (config->listed.count == 0)
		add_next_index_string(&servers, config->server.uri);
	add_assoc_zval(&shown, "servers", &servers);
	add_assoc_stringl(&shown, "prefix", config->prefix.data, config->prefix.len);
	array_init(&locks);
	for (const redislock_record *record = object->records; record != NULL; record = record->next) {
		ZVAL_STR(&text, standing(record->hold, redlock || record->entries > 0));
		/* A RedLock may have two of one name; the newer one comes first. */
		if (ZSTR_LEN(record->name) == 0 ||
			zend_hash_str_add(Z_ARRVAL(locks), ZSTR_VAL(record->name), ZSTR_LEN(record->name), &text) == NULL)
			zval_ptr_dtor(&text);
	}
	add_assoc_zval(&shown, "locks", &locks);
	return Z_ARRVAL(shown);
}
