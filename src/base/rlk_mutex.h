/*
 * rlk_mutex: a lock between the threads of this process.
 */
#ifndef RLK_MUTEX_H
#define RLK_MUTEX_H

#ifdef _WIN32
#include <winsock2.h> /* includes windows.h, which alone would include the old winsock.h */

typedef SRWLOCK rlk_mutex;
#define RLK_MUTEX_INIT SRWLOCK_INIT
#define rlk_mutex_lock(mutex) AcquireSRWLockExclusive(mutex)
#define rlk_mutex_try_lock(mutex) (TryAcquireSRWLockExclusive(mutex) != 0)
#define rlk_mutex_unlock(mutex) ReleaseSRWLockExclusive(mutex)
#else
#include <pthread.h>

typedef pthread_mutex_t rlk_mutex;
#define RLK_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER
#define rlk_mutex_lock(mutex) ((void)pthread_mutex_lock(mutex))
#define rlk_mutex_try_lock(mutex) (pthread_mutex_trylock(mutex) == 0)
#define rlk_mutex_unlock(mutex) ((void)pthread_mutex_unlock(mutex))
#endif

/* For a forked copy, in which the thread that held the mutex does not exist. */
#define rlk_mutex_after_fork(mutex) ((void)(*(mutex) = (rlk_mutex)RLK_MUTEX_INIT))

#endif
