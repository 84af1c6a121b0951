/*
 * redislock_heap: where Zend's memory manager has its memory, for a renewal child that needs all of the process but that.
 */
#ifndef REDISLOCK_HEAP_H
#define REDISLOCK_HEAP_H

/* Has it asked for whenever such a child is started. Once per process. */
void redislock_heap_startup(void);

#endif
