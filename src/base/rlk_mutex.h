/*
 * rlk_mutex: a lock between the threads of this process.
 */
#ifndef RLK_MUTEX_H
#define RLK_MUTEX_H

#include <stdbool.h>

#ifdef _WIN32

#include <winsock2.h> /* includes windows.h, which alone would include the old winsock.h */

typedef SRWLOCK rlk_mutex;
#define RLK_MUTEX_INIT SRWLOCK_INIT

static inline void rlk_mutex_lock(rlk_mutex *mutex)
{
	AcquireSRWLockExclusive(mutex);
}

static inline bool rlk_mutex_try_lock(rlk_mutex *mutex)
{
	return TryAcquireSRWLockExclusive(mutex);
}

static inline void rlk_mutex_unlock(rlk_mutex *mutex)
{
	ReleaseSRWLockExclusive(mutex);
}

#else

#include <pthread.h>

typedef pthread_mutex_t rlk_mutex;
#define RLK_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER

static inline void rlk_mutex_lock(rlk_mutex *mutex)
{
	pthread_mutex_lock(mutex);
}

static inline bool rlk_mutex_try_lock(rlk_mutex *mutex)
{
	return pthread_mutex_trylock(mutex) == 0;
}

static inline void rlk_mutex_unlock(rlk_mutex *mutex)
{
	pthread_mutex_unlock(mutex);
}

#endif

/* In a forked copy: the thread that held it does not exist there. */
static inline void rlk_mutex_after_fork(rlk_mutex *mutex)
{
	*mutex = (rlk_mutex)RLK_MUTEX_INIT;
}

#endif
