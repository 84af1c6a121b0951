/*
 * redislock_stats: the counters of the process, and the events of a thread until they are delivered.
 */
#include "php/redislock_stats.h"

#include "base/rlk_list.h"
#include "base/rlk_mutex.h"
#include "php/redislock_thread.h"

#include <zend_exceptions.h>
#include <zend_fibers.h>

/* Counters of a process. Further servers share one. */
#define SERVERS_MAX 32
/* An observer that is never called, since no code runs in between, must not take all memory. */
#define EVENTS_MAX 1024

static redislock_counters servers[SERVERS_MAX + 1];
static _Atomic uint32_t server_count;
static rlk_mutex servers_mutex = RLK_MUTEX_INIT;

/* --- counters --- */

/* A sentinel has one service of a name, and a node is in one Cluster; a server may be in several quorums. */
static void name_servers(const rlk_config *config, char name[REDISLOCK_SERVERS_NAME_MAX])
{
	const rlk_server *listed = config->listed.servers;
	int len = 0;

	if (config->routing == RLK_ROUTING_NONE)
		snprintf(name, REDISLOCK_SERVERS_NAME_MAX, "%s", config->server.uri);
	else if (config->routing == RLK_ROUTING_SENTINEL)
		snprintf(name, REDISLOCK_SERVERS_NAME_MAX, "service %s at %s", config->service, listed[0].uri);
	else if (config->routing == RLK_ROUTING_CLUSTER)
		snprintf(name, REDISLOCK_SERVERS_NAME_MAX, "cluster %s", listed[0].uri);
	for (size_t i = 0; config->routing == RLK_ROUTING_QUORUM && i < config->listed.count; i++) {
		if (len < REDISLOCK_SERVERS_NAME_MAX)
			len += snprintf(name + len, REDISLOCK_SERVERS_NAME_MAX - (size_t)len, "%s %s", i > 0 ? "" : "quorum",
				listed[i].uri);
	}
}

redislock_counters *redislock_stats_counters(const rlk_config *config)
{
	char name[REDISLOCK_SERVERS_NAME_MAX];
	uint32_t i = 0;

	name_servers(config, name);
	rlk_mutex_lock(&servers_mutex);
	while (i < server_count && strcmp(servers[i].server, name) != 0)
		i++;
	if (i == server_count && i < SERVERS_MAX) {
		strcpy(servers[i].server, name);
		server_count++;
	} else if (i == SERVERS_MAX) {
		strcpy(servers[i].server, "others");
	}
	rlk_mutex_unlock(&servers_mutex);
	return &servers[i];
}

/* Upper ends in ms; the last has none. */
static const struct {
	int64_t end_ms;
	const char *name;
} buckets[REDISLOCK_COUNTERS - REDISLOCK_WAITS] = { { 1, "0.001" }, { 5, "0.005" }, { 10, "0.01" }, { 50, "0.05" },
	{ 100, "0.1" }, { 500, "0.5" }, { 1000, "1" }, { 5000, "5" }, { 10000, "10" }, { 60000, "60" },
	{ RLK_NEVER, "INF" } };

int64_t redislock_stats_note_wait(const redislock_hold *hold)
{
	int64_t wait_ms = rlk_clock_now_ms() - hold->life.lock.waits_since_ms;
	redislock_counters *counters = hold->client->counters;
	redislock_counter bucket = REDISLOCK_WAITS;

	while (wait_ms > buckets[bucket - REDISLOCK_WAITS].end_ms)
		bucket++;
	redislock_count(counters, REDISLOCK_WAITED, 1);
	redislock_count(counters, REDISLOCK_WAITED_MS, (uint64_t)wait_ms);
	redislock_count(counters, bucket, 1);
	redislock_stats_tell(hold, REDISLOCK_EVENT_WAITED, wait_ms);
	return wait_ms;
}

void redislock_stats_fetch_renewals(const rlk_hold *life)
{
	redislock_counters *counters = ((const redislock_hold *)life)->client->counters;
	uint32_t failures, renewed = rlk_renewal_count(&redislock_renewal, life->slot, &failures);

	redislock_count(counters, REDISLOCK_RENEWED, renewed);
	redislock_count(counters, REDISLOCK_RENEWAL_FAILURES, failures);
}

void redislock_stats_fetch_connection(redislock_client *client)
{
	rlk_conn *conn = &client->conn;

	if (conn->opened > 1)
		redislock_count(client->counters, REDISLOCK_RECONNECTS, conn->opened - 1);
	if (conn->stale > 0)
		redislock_count(client->counters, REDISLOCK_STALE, conn->stale);
	conn->opened = conn->opened > 0;
	conn->stale = 0;
}

void redislock_stats_after_fork(void)
{
	for (uint32_t i = 0; i <= SERVERS_MAX; i++) {
		for (int counter = 0; counter < REDISLOCK_COUNTERS; counter++)
			atomic_store(&servers[i].counted[counter], 0);
	}
	rlk_mutex_after_fork(&servers_mutex);
}

void redislock_stats_note_lost(const redislock_hold *hold)
{
	redislock_count(hold->client->counters, REDISLOCK_LOST, 1);
	redislock_stats_tell(hold, REDISLOCK_EVENT_LOST, -1);
}

/* --- stats() --- */

static zend_long get(const redislock_counters *counters, redislock_counter counter)
{
	return (zend_long)atomic_load_explicit(&counters->counted[counter], memory_order_relaxed);
}

static void describe_waits(const redislock_counters *counters, zval *shown)
{
	zval waited, histogram, count;

	array_init(&histogram);
	for (redislock_counter bucket = REDISLOCK_WAITS; bucket < REDISLOCK_COUNTERS; bucket++) {
		const char *name = buckets[bucket - REDISLOCK_WAITS].name;

		ZVAL_LONG(&count, get(counters, bucket));
		zend_symtable_str_update(Z_ARRVAL(histogram), name, strlen(name), &count);
	}
	array_init(&waited);
	add_assoc_long(&waited, "count", get(counters, REDISLOCK_WAITED));
	add_assoc_double(&waited, "seconds", (double)get(counters, REDISLOCK_WAITED_MS) / 1000);
	add_assoc_zval(&waited, "histogram", &histogram);
	add_assoc_zval(shown, "waited", &waited);
}

static void describe_counters(const redislock_counters *counters, zval *shown)
{
	static const char *const names[] = { "acquired", "refused", "lost", "released", "released_late", "renewed",
		"renewal_failures", "reconnects", "stale" };

	array_init(shown);
	for (redislock_counter counter = 0; counter < REDISLOCK_WAITED; counter++) {
		if (counter == REDISLOCK_LOST)
			describe_waits(counters, shown);
		add_assoc_long(shown, names[counter], get(counters, counter));
	}
}

/* Fetches what the child and the connections have counted since. Those of other threads follow when a lock or an object
 * of them ends. */
static void fetch_all(void)
{
	REDISLOCK_EACH_HELD (hold) {
		if (hold->life.slot != RLK_SLOT_NONE && !rlk_hold_is_foreign(&hold->life))
			redislock_stats_fetch_renewals(&hold->life);
	}
	for (redislock_client *client = RLG(clients); client != NULL; client = client->next)
		redislock_stats_fetch_connection(client);
}

ZEND_FUNCTION(RedisLock_stats)
{
	redislock_counters sum = { .server = "" };
	zval list, shown;

	ZEND_PARSE_PARAMETERS_NONE();
	fetch_all();
	array_init(&list);
	for (uint32_t i = 0; i <= SERVERS_MAX; i++) {
		if (servers[i].server[0] == '\0')
			continue;
		for (redislock_counter counter = 0; counter < REDISLOCK_COUNTERS; counter++)
			redislock_count(&sum, counter, (uint64_t)get(&servers[i], counter));
		describe_counters(&servers[i], &shown);
		add_assoc_zval(&list, servers[i].server, &shown);
	}
	describe_counters(&sum, return_value);
	add_assoc_zval(return_value, "servers", &list);
	add_assoc_string(return_value, "implementation", "extension");
}

/* --- events --- */

struct redislock_delayed_event {
	redislock_delayed_event *next;
	redislock_event event;
	bool bound;
	int64_t wait_ms, hold_ms; /* -1: none */
	const char *server;       /* the counters stay */
	size_t name_len;
	char name[];
};

void redislock_stats_keep_event(const redislock_hold *hold, redislock_event event, int64_t wait_ms)
{
	bool ends = event == REDISLOCK_EVENT_LOST || event == REDISLOCK_EVENT_RELEASED;
	redislock_delayed_event **last = &RLG(events), *kept;

	/* Locks of the observer itself are counted, but cause no events, which would never end. */
	if (RLG(observing))
		return;
	RLK_LIST_PASS(last, EVENTS_MAX);
	if (*last != NULL)
		return;
	kept = calloc(1, sizeof(*kept) + ZSTR_LEN(hold->name));
	if (kept == NULL)
		return;
	kept->event = event;
	kept->bound = hold->life.renew;
	kept->wait_ms = wait_ms;
	kept->hold_ms = ends && hold->life.held_since_ms > 0 ? rlk_clock_now_ms() - hold->life.held_since_ms : -1;
	kept->server = hold->client->counters->server;
	kept->name_len = ZSTR_LEN(hold->name);
	memcpy(kept->name, ZSTR_VAL(hold->name), kept->name_len);
	*last = kept;
}

static void add_seconds(zval *details, const char *key, int64_t ms)
{
	if (ms < 0)
		add_assoc_null(details, key);
	else
		add_assoc_double(details, key, (double)ms / 1000);
}

/* The exception of an observer must not reach the code that happens to use a lock, unless it ends the script. */
static void report_exception(void)
{
	zend_object *thrown = EG(exception);
	zend_string *text;
	zval rv;

	if (thrown == NULL || zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown))
		return;
	text = zval_get_string(
		zend_read_property(instanceof_function(thrown->ce, zend_ce_exception) ? zend_ce_exception : zend_ce_error,
			thrown, ZEND_STRL("message"), true, &rv));
	GC_ADDREF(thrown);
	zend_clear_exception();
	php_error_docref(NULL, E_WARNING, "The observer of locks has thrown %s: %s", ZSTR_VAL(thrown->ce->name),
		ZSTR_VAL(text));
	OBJ_RELEASE(thrown);
	zend_string_release(text);
	if (EG(exception) != NULL && !zend_is_unwind_exit(EG(exception)))
		zend_clear_exception(); /* of a handler that turns warnings into exceptions */
}

/* Frees the event. */
static void call_observer(zval *observer, redislock_delayed_event *event)
{
	static const char *const names[] = { "acquired", "refused", "waited", "lost", "released" };
	zval arguments[2], result;

	ZVAL_STRING(&arguments[0], names[event->event]);
	array_init_size(&arguments[1], 5);
	add_assoc_stringl(&arguments[1], "name", event->name, event->name_len);
	add_assoc_string(&arguments[1], "kind", event->bound ? "process-bound" : "lease");
	add_seconds(&arguments[1], "wait", event->wait_ms);
	add_seconds(&arguments[1], "hold", event->hold_ms);
	add_assoc_string(&arguments[1], "server", event->server);
	free(event);
	ZVAL_UNDEF(&result);
	if (call_user_function(NULL, NULL, observer, &result, 2, arguments) == SUCCESS)
		zval_ptr_dtor(&result);
	zval_ptr_dtor(&arguments[0]);
	zval_ptr_dtor(&arguments[1]);
	report_exception();
}

static redislock_delayed_event *take_event(void)
{
	redislock_delayed_event *first = RLG(events);

	if (first != NULL)
		RLG(events) = first->next;
	return first;
}

void redislock_stats_call_observer(void)
{
	/* Once the script is over, nothing calls the observer, and the engine would end the request for an exception in it. */
	zend_execute_data frame = { .opline = NULL }, *caller = EG(current_execute_data);
	zend_object *thrown = EG(exception);
	redislock_delayed_event *event;
	zval observer;
	bool before;

	if (RLG(observing) || RLG(bailed_out) || (thrown != NULL && zend_is_unwind_exit(thrown)))
		return;
	/* The observer may replace itself. */
	ZVAL_COPY(&observer, &RLG(observer));
	EG(exception) = NULL;
	RLG(observing) = true;
	before = redislock_thread_begin_side_call();
	if (caller == NULL) {
		frame.func = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("redislock\\observe"));
		EG(current_execute_data) = &frame;
	}
	zend_fiber_switch_block();
	zend_try {
		while (EG(exception) == NULL && (event = take_event()) != NULL)
			call_observer(&observer, event);
	}
	zend_catch {
		RLG(bailed_out) = true;
	}
	zend_end_try();
	zend_fiber_switch_unblock();
	EG(current_execute_data) = caller;
	RLG(observing) = false;
	redislock_thread_end_side_call(before);
	if (EG(exception) == NULL)
		EG(exception) = thrown;
	else if (thrown != NULL)
		OBJ_RELEASE(thrown); /* the script ends */
	if (!RLG(bailed_out))
		zval_ptr_dtor(&observer);
}

void redislock_stats_drop_events(void)
{
	redislock_delayed_event *event;

	while ((event = take_event()) != NULL)
		free(event);
}

void redislock_stats_forget_observer(void)
{
	redislock_stats_drop_events();
	RLG(observed) = RLG(observing) = RLG(host).in_side_call = false;
	if (!RLG(bailed_out))
		zval_ptr_dtor(&RLG(observer));
	ZVAL_UNDEF(&RLG(observer));
}

ZEND_FUNCTION(RedisLock_observe)
{
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	zval previous;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC_OR_NULL(fci, fcc)
	ZEND_PARSE_PARAMETERS_END();

	ZVAL_COPY_VALUE(&previous, &RLG(observer));
	RLG(observed) = ZEND_FCI_INITIALIZED(fci);
	if (RLG(observed))
		ZVAL_COPY(&RLG(observer), &fci.function_name);
	else
		ZVAL_UNDEF(&RLG(observer));
	if (!RLG(observed))
		redislock_stats_drop_events();
	zval_ptr_dtor(&previous);
}
