/*
 * redislock_request: the start and end of requests, and forks.
 *
 * To PHP a worker script is one long request, in which it serves many. Where those begin and end only the worker knows:
 * FrankenPHP by itself, others by RedisLock::beginRequest() and endRequest().
 */
#ifndef REDISLOCK_REQUEST_H
#define REDISLOCK_REQUEST_H

/* Registers what happens on a fork, and between the requests of a FrankenPHP worker. Once per process. */
void redislock_request_startup(void);
void redislock_request_shutdown(void);

/* A PHP request begins, of a worker or not. */
void redislock_request_begin(void);

/* It ends: releases what is held, lets the child end or rest, gives connections to the pool. */
void redislock_request_end(void);

#endif
