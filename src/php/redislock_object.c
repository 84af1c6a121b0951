/*
 * redislock_object: records, and the rules of objects that are in one lock.
 */
#include "php/redislock_object.h"

#include "php/redislock_errors.h"
#include "php/redislock_stats.h"

redislock_record *redislock_record_new(redislock_client *client, const char *name, size_t name_len)
{
	redislock_record *record = calloc(1, sizeof(*record));

	if (record == NULL) {
		redislock_throw_out_of_memory("a lock");
		return NULL;
	}
	record->hold = redislock_hold_new(client, name, name_len);
	if (record->hold == NULL) {
		free(record);
		return NULL;
	}
	record->name = zend_string_copy(record->hold->name);
	return record;
}

/* Makes the record refer to another hold, or to none. Its entries are entries of the old hold, and stay there. A hold
 * that has ended counts none. */
static void point_to(redislock_record *record, redislock_hold *hold)
{
	redislock_hold *old = record->hold;

	old->entries -= record->entries < old->entries ? record->entries : old->entries;
	record->entries = 0;
	record->hold = hold;
	rlk_hold_drop(&old->life);
}

void redislock_record_forget(redislock_record **link)
{
	redislock_record *record = *link;

	*link = record->next;
	point_to(record, NULL);
	zend_string_release(record->name);
	free(record);
}

bool redislock_object_configure(redislock_object *object, rlk_config *config)
{
	redislock_client *client = redislock_client_new(config);

	if (client == NULL)
		return false;
	object->records = redislock_record_new(client, client->config.name.data, client->config.name.len);
	if (object->records == NULL) {
		redislock_client_release(client);
		return false;
	}
	object->client = client;
	return true;
}

void redislock_object_throw_unusable(const redislock_object *object)
{
	rlk_error err;

	if (object->client == NULL) {
		zend_throw_error(NULL, "%s::__construct() was not called", ZSTR_VAL(object->std.ce->name));
		return;
	}
	rlk_error_clear(&err);
	rlk_config_require_name(&object->client->config, &err);
	redislock_throw(&err, NULL, NULL);
}

redislock_record *redislock_object_record(redislock_object *object, zend_string *name, bool create)
{
	redislock_record **link = &object->records;

	while (*link != NULL && !zend_string_equals((*link)->name, name))
		link = &(*link)->next;
	if (*link == NULL && create)
		*link = redislock_record_new(object->client, ZSTR_VAL(name), ZSTR_LEN(name));
	return *link;
}

static bool same_lock(const redislock_hold *a, const redislock_hold *b)
{
	return rlk_str_equal(rlk_buf_str(&a->life.lock.keys.lock), rlk_buf_str(&b->life.lock.keys.lock)) &&
		redislock_client_is_same(a->client, b->client);
}

/* A lock of this thread, fiber and coroutine that may be entered again, or NULL. Not one that another fiber is releasing. */
static redislock_hold *find_reentrant(const redislock_hold *like)
{
	REDISLOCK_EACH_HELD (hold) {
		if (hold->life.reentrant && redislock_owner_runs(&hold->owner) && rlk_hold_is_held(&hold->life) &&
			!rlk_hold_is_ending(&hold->life) && same_lock(hold, like))
			return hold;
	}
	return NULL;
}

/* false: exception thrown, and the record still shares its hold with others. */
static bool point_to_own(redislock_object *object, redislock_record *record)
{
	redislock_hold *own = redislock_hold_new(object->client, ZSTR_VAL(record->name), ZSTR_LEN(record->name));

	if (own != NULL)
		point_to(record, own);
	return own != NULL;
}

#define WITHOUT(option) "was acquired without the \"" option "\" asked for now, so it cannot be entered again"

/* What an acquisition with *config would promise, and this hold does not. NULL: nothing. */
static const char *weakness(const redislock_hold *hold, const rlk_config *config)
{
	const rlk_kind *held = &hold->life.lock.kind;

	if (config->renew) { /* these options mean nothing for a lease */
		if (hold->life.slot == RLK_SLOT_NONE)
			return WITHOUT("renew");
		if (config->on_lost != RLK_ON_LOST_FLAG && hold->on_lost == RLK_ON_LOST_FLAG)
			return WITHOUT("on_lost");
		if (config->max_hold_ms < hold->life.max_hold_ms)
			return WITHOUT("max_hold");
		if (config->linger_ms > hold->life.linger_ms)
			return WITHOUT("linger");
	}
	if (!rlk_kind_is_same(held, &config->kind))
		return held->id == RLK_SHARED || config->kind.id == RLK_SHARED ?
			"is held by this process with another \"shared\" than asked for now, so it cannot be entered again" :
			"is held by this process with other \"permits\" than asked for now, so it cannot be entered again";
	if (config->fence && hold->life.lock.fence == 0)
		return WITHOUT("fence");
	if (config->min_replicas > hold->life.replicas.min)
		return WITHOUT("min_replicas");
	if (config->hold_at_least_ms > hold->life.hold_at_least_ms)
		return WITHOUT("hold_at_least");
	if (config->ttl_ms == 0 && hold->life.lock.ttl_ms > 0 && hold->life.slot == RLK_SLOT_NONE)
		return WITHOUT("ttl");
	return NULL;
}

/* Does the lock have at least half of the ttl that is asked for now? If not, extends it. RLK_NO: it is lost. */
static rlk_outcome has_time(redislock_hold *hold, int64_t ttl_ms, rlk_deadline deadline)
{
	if (rlk_hold_remaining_ms(&hold->life) >= ttl_ms / 2)
		return RLK_YES;
	if (rlk_hold_is_in_use(&hold->life)) {
		redislock_hold_refuse_in_use(hold);
		return RLK_FAIL;
	}
	return redislock_hold_extend(hold, deadline, ttl_ms > hold->life.lock.ttl_ms ? ttl_ms : hold->life.lock.ttl_ms);
}

/* Objects that are still in the lock ask for themselves whether it was lost. */
static zend_never_inline rlk_outcome leave_once(redislock_object *object, redislock_record *record)
{
	rlk_outcome outcome = rlk_hold_is_held(&record->hold->life) ? RLK_YES : RLK_NO;

	record->hold->entries--;
	/* A process-bound lock ends with the last reference to its hold, so only objects that are in it may have one. */
	if (--record->entries == 0)
		point_to_own(object, record);
	return outcome;
}

/* The record is in the lock before that is extended: until then another fiber could forget the record. RLK_NO: it is lost. */
static rlk_outcome enter_again(redislock_object *object, redislock_record *record, redislock_hold *entered,
	const rlk_config *config, rlk_deadline deadline)
{
	const char *complaint = weakness(entered, config);
	rlk_outcome outcome;

	if (complaint != NULL) {
		redislock_throw_misuse(entered->name, complaint);
		return RLK_FAIL;
	}
	if (entered != record->hold) {
		if (redislock_record_is_in_use(record))
			return RLK_FAIL;
		entered->life.refcount++;
		point_to(record, entered);
	}
	entered->entries++;
	record->entries++;
	outcome = has_time(entered, config->ttl_ms, deadline);
	if (outcome != RLK_YES)
		leave_once(object, record);
	return outcome;
}

/* Would a wait without a limit for a lock of this kind never end? Yes, if another object of this thread holds the lock without
 * expiry: no code runs meanwhile that could release it, unless the wait is in the host's loop. Throws then. */
static bool refuse_endless(const redislock_hold *hold, rlk_kind kind)
{
	if (RLG(host).polled)
		return false;
	REDISLOCK_EACH_HELD (other) {
		bool ends =
			other->life.slot == RLK_SLOT_NONE ? other->life.lock.ttl_ms > 0 : other->life.max_hold_ms != RLK_NEVER;
		bool excludes = rlk_kind_is_string(&kind) || rlk_kind_is_string(&other->life.lock.kind);

		if (other == hold || ends || !excludes || !rlk_hold_is_held(&other->life) || !same_lock(other, hold))
			continue;
		redislock_throw_misuse(hold->name,
			"is held by another object of this process, for which waiting without limit would never end; "
			"see \"reentrant\"");
		return true;
	}
	return false;
}

static rlk_outcome acquire(redislock_hold *hold, const rlk_config *config, rlk_deadline deadline, int attempts,
	rlk_error *err)
{
	rlk_hold *life = &hold->life;
	rlk_hold_wish wish = { .terms = { .ttl_ms = config->ttl_ms,
							   .deadline = deadline,
							   .retry_ms = config->retry_ms,
							   .fence = config->fence,
							   .renewed = config->renew,
							   .attempts = attempts,
							   .replicas = &life->replicas },
		.token = rlk_buf_str(&config->token) };
	rlk_outcome outcome;

	if (life->state != RLK_HOLD_IDLE)
		rlk_hold_end(life, RLK_END_REPLACED, NULL);
	if (config->fence && life->lock.keys.fence.len == 0) {
		rlk_error_set(err, RLK_ERR_VALUE, 0,
			"option \"fence\" cannot be used with this name: it has a brace that leaves "
			"the counter in another Cluster slot");
		return RLK_FAIL;
	}
	redislock_hold_take_options(hold, config);
	redislock_hold_begin(hold);
	outcome = rlk_hold_acquire(life, &wish, err);
	if (outcome == RLK_YES || outcome == RLK_NO)
		redislock_stats_note_attempt(hold, outcome);
	return outcome;
}

rlk_outcome redislock_record_acquire(redislock_object *object, redislock_record *record, const rlk_config *config,
	int64_t wait_ms)
{
	redislock_hold *hold, *entered = config->reentrant ? find_reentrant(record->hold) : NULL;
	rlk_deadline deadline = wait_ms > 0 ? rlk_deadline_in(wait_ms) : RLK_DEADLINE_NONE;
	rlk_outcome outcome;
	rlk_error err;

	/* An object that holds the lock itself does not give that up for the lock of another. */
	if (entered != NULL && (entered == record->hold || !redislock_record_is_held(record))) {
		outcome = enter_again(object, record, entered, config, deadline);
		if (outcome != RLK_NO)
			return outcome;
	}
	hold = record->hold;
	if (redislock_record_is_held(record)) {
		redislock_throw_misuse(hold->name, "is already held by this object");
		return RLK_FAIL;
	}
	if (redislock_record_is_in_use(record))
		return RLK_FAIL;
	if (UNEXPECTED(wait_ms == RLK_NEVER) && refuse_endless(hold, config->kind))
		return RLK_FAIL;
	if (hold->life.refcount > 1 || hold->client != object->client) {
		/* The hold was entered again: others may still refer to it, and it has the name and options of another object. */
		if (!point_to_own(object, record))
			return RLK_FAIL;
		hold = record->hold;
	}
	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	outcome =
		redislock_hold_check(hold, acquire(hold, config, deadline, wait_ms > 0 ? 0 : config->attempts, &err), &err);
	rlk_hold_give_back(&hold->life);
	record->entries = outcome == RLK_YES ? 1 : 0;
	return outcome;
}

rlk_outcome redislock_record_end(redislock_object *object, redislock_record *record, rlk_ending ending, rlk_error *err)
{
	redislock_hold *hold = record->hold;
	rlk_outcome outcome;

	if (record->entries == 0)
		return RLK_NO;
	if (hold->entries > 1)
		return leave_once(object, record);
	outcome = redislock_stats_end(hold, ending, err);
	/* Another fiber may have replaced the hold, while this one asked why the lock was not ours. */
	if (record->hold == hold && hold->life.state == RLK_HOLD_IDLE)
		record->entries = 0;
	return outcome;
}

/* Is this the token of the hold? Without one, every hold will do. */
static bool has_token(const redislock_hold *hold, rlk_str token)
{
	return token.len == 0 || rlk_str_equal(rlk_buf_str(&hold->life.lock.token.text), token);
}

rlk_outcome redislock_record_force_release(redislock_record *record, rlk_str token)
{
	redislock_hold *hold = record->hold, *next;
	/* If other objects are in the lock, too, it is lost for them, and they are told. */
	bool own = hold->life.state == RLK_HOLD_HELD && record->entries == hold->entries &&
		!rlk_hold_is_foreign(&hold->life) && has_token(hold, token);
	uint64_t listed = RLG(host).listed;
	rlk_outcome outcome;
	rlk_use use;
	rlk_error err;

	rlk_error_clear(&err);
	rlk_hold_borrow(&hold->life);
	if (own) {
		outcome = rlk_hold_end(&hold->life, token.len > 0 ? RLK_END_OWN : RLK_END_FORCED, &err);
	} else {
		outcome = rlk_lock_force_release(&hold->life.lock, rlk_hold_begin(&hold->life, &use, false, RLK_DEADLINE_NONE),
			RLK_DEADLINE_NONE, token, &err);
		rlk_hold_finish(&use);
	}
	redislock_hold_check(hold, outcome, &err);
	for (redislock_hold *other = redislock_hold_of(RLG(host).held); outcome != RLK_FAIL && other != NULL;
		 other = next) {
		bool acquired_meanwhile = other->life.listed_as > listed;

		next = redislock_hold_of(other->life.next); /* forgetting it may take it out of the list */
		if (other->life.reentrant && !rlk_hold_is_in_use(&other->life) && rlk_hold_is_held(&other->life) &&
			same_lock(other, hold) && has_token(other, token) && !(acquired_meanwhile && outcome == RLK_NO))
			rlk_hold_forced(&other->life, acquired_meanwhile ? RLK_UNKNOWN : outcome);
	}
	if (record->hold == hold && hold->life.state == RLK_HOLD_IDLE)
		record->entries = 0;
	rlk_hold_give_back(&hold->life);
	return outcome;
}

/* Does the record hold nothing any more? A lease that nobody released does not once its key is gone. The server may start the ttl
 * later than we do, so that counts from twice the ttl on: until then unlock() may find the key. A lease of the process that
 * this one was forked from stays: forgotten, it would count as made by another object. So does one whose token is spent. */
static bool is_over(const redislock_record *record)
{
	rlk_hold *life = &record->hold->life;
	int64_t ttl_ms = life->lock.ttl_ms;

	if (rlk_hold_is_in_use(life) || life->lock.ledger.spent_until_ms > rlk_clock_now_ms())
		return false;
	return record->entries == 0 ||
		(life->slot == RLK_SLOT_NONE && ttl_ms > 0 && !rlk_hold_is_foreign(life) && !rlk_hold_is_held(life) &&
			rlk_clock_add(life->lock.acquired_at_ms, 2 * ttl_ms) <= rlk_clock_now_ms());
}

void redislock_object_forget(redislock_object *object, const redislock_record *record)
{
	redislock_record **link = &object->records;

	while (*link != NULL && *link != record)
		link = &(*link)->next;
	if (*link != NULL)
		redislock_record_forget(link);
}

void redislock_records_prune(redislock_record **link)
{
	while (*link != NULL) {
		if (is_over(*link))
			redislock_record_forget(link);
		else
			link = &(*link)->next;
	}
}
