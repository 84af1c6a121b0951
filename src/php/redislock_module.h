/*
 * redislock_module: per-thread state of the module, shared by src/php.
 */
#ifndef REDISLOCK_MODULE_H
#define REDISLOCK_MODULE_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_redislock.h"

#include "net/rlk_drain.h"
#include "net/rlk_pool.h"
#include "redis/rlk_topology.h"

typedef struct redislock_client redislock_client;
typedef struct redislock_hold redislock_hold;
typedef struct redislock_record redislock_record;
typedef struct redislock_run redislock_run;

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

void *thread;           /* this thread's place in redislock_renewal.c */
zend_string *abandoned; /* at the end of a request: a lock released although forked copies of this process go on */
rlk_drain_list drain;
rlk_pool pool;             /* connections that outlive their objects and requests */
rlk_topologies topologies; /* what was learned of sentinels and Clusters */
redislock_record *cached;  /* the insides of objects that went, the latest first */
rlk_buf cache_key;         /* of the object that is just made */
redislock_client *clients; /* all there are, so that a fork can drop their connections */
redislock_hold *bound;     /* process-bound locks that are held or were lost and not yet let go */
redislock_hold *reentrant; /* locks that may be entered again */
bool in_request;     /* what is acquired belongs to one of the requests that a worker serves, see redislock_request.h */
redislock_run *runs; /* execute() and synchronized() under way, innermost first */
bool in_script;      /* between the start and the end of a request of PHP */
bool serving;        /* a worker of FrankenPHP has come to its first request */
bool bailed_out;     /* a longjmp of the engine was caught: go on with it once all is tidy */
ZEND_END_MODULE_GLOBALS(redislock)

ZEND_EXTERN_MODULE_GLOBALS(redislock)
#define RLG(v) ZEND_MODULE_GLOBALS_ACCESSOR(redislock, v)

#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

/* RedisLock::NONBLOCKED and BLOCKED */
#define REDISLOCK_NONBLOCKED 0
#define REDISLOCK_BLOCKED 1

extern zend_class_entry *redislock_ce_RedisLock;
extern zend_class_entry *redislock_ce_RedLock;
extern zend_class_entry *redislock_ce_SequenceTask;

/* Register the object handlers of RedisLock and RedLock; called once their classes exist. */
void redislock_class_startup(void);
void redislock_redlock_startup(void);

#endif
