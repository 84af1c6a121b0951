/*
 * redislock_module: per-thread state of the module, shared by src/php.
 */
#ifndef REDISLOCK_MODULE_H
#define REDISLOCK_MODULE_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_redislock.h"

#include "hold/rlk_hold.h"
#include "net/rlk_drain.h"
#include "net/rlk_pool.h"
#include "redis/rlk_topology.h"

typedef struct redislock_client redislock_client;
typedef struct redislock_hold redislock_hold;
typedef struct redislock_record redislock_record;
typedef struct redislock_run redislock_run;
typedef struct redislock_counters redislock_counters;
typedef struct redislock_delayed_event redislock_delayed_event;

ZEND_BEGIN_MODULE_GLOBALS(redislock)
/* php.ini; times in seconds. */
char *server;
char *prefix;
int renewal; /* redislock_renewal_mode */
double renewal_idle;
double ttl;
bool redlock_class; /* the global RedLock */
double connect_timeout;
double io_timeout;

void *thread; /* this thread's php_thread, see redislock_thread.c */
zend_string
	*abandoned; /* name of a lock that ended with this process although a forked copy goes on; until the warning */
rlk_drain_list drain;
rlk_pool pool;                   /* connections that outlive their objects and requests */
rlk_topologies topologies;       /* what was learned of sentinels and Clusters */
redislock_record *cached;        /* records and clients of freed objects, newest first */
rlk_buf cache_key;               /* of the object being constructed */
redislock_client *clients;       /* all, the cached ones too: a fork drops their connections */
rlk_host host;                   /* the holds of this thread */
redislock_run *runs;             /* execute() and synchronized() calls, innermost first */
bool polled_in_main;             /* the poller may be called outside of fibers, too */
zval poller;                     /* of setPoller(); undefined: none */
zval observer;                   /* of observe(); undefined: none */
redislock_delayed_event *events; /* not yet delivered to the observer, oldest first */
bool observed;                   /* there is an observer */
bool observing;                  /* the observer is being called */
bool in_script;                  /* between the start and the end of a PHP request */
bool serving;                    /* a FrankenPHP worker has reached its first request */
bool bailed_out;                 /* we caught a longjmp of the engine, and repeat it after the clean-up */
ZEND_END_MODULE_GLOBALS(redislock)

ZEND_EXTERN_MODULE_GLOBALS(redislock)
#define RLG(v) ZEND_MODULE_GLOBALS_ACCESSOR(redislock, v)

#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

/* Calls the observer for the events that wait for it. Other PHP code may run here; an exception that is under way goes on
 * afterwards. A method that may have caused events calls this last. */
void redislock_stats_call_observer(void);

static inline void redislock_stats_deliver(void)
{
	if (UNEXPECTED(RLG(events) != NULL))
		redislock_stats_call_observer();
}

static inline rlk_str redislock_str(const zend_string *s)
{
	return rlk_str_make(ZSTR_VAL(s), ZSTR_LEN(s));
}

/* RedisLock::NONBLOCKED and BLOCKED */
#define REDISLOCK_NONBLOCKED 0
#define REDISLOCK_BLOCKED 1

extern zend_class_entry *redislock_ce_RedisLock;
extern zend_class_entry *redislock_ce_RedLock;

/* Has `own` called for an internal function, if there is such a function. *original: what `own` has to call. unwrap puts the
 * original back, unless another extension has wrapped the function after us: that extension still calls `own`. */
void redislock_function_wrap(const char *name, zif_handler own, zif_handler *original);
void redislock_function_unwrap(const char *name, zif_handler own, zif_handler original);

/* Registers the object handlers of RedisLock and RedLock; called once their classes exist. */
void redislock_class_startup(void);

/* --- redislock_request.c --- */

/* Registers what happens on a fork, and between the requests of a FrankenPHP worker. Once per process. */
void redislock_request_startup(void);
void redislock_request_shutdown(void);

/* A PHP request begins, of a worker or not. */
void redislock_request_begin(void);

/* The request ends: releases what is held, lets the child end or rest, gives connections to the pool. */
void redislock_request_end(void);

/* The end of a thread, or of PHP in it: connections that drain get what is left of the second for releases; those of all threads
 * together a second. */
void redislock_drain_finish(rlk_drain_list *drain, const rlk_host *host);

#endif
