/*
 * rlk_error: what went wrong, in memory of the caller.
 *
 * Reporting allocates nothing. The first cause is kept: a failure of the clean-up never hides it. No text may contain a
 * secret.
 */
#ifndef RLK_ERROR_H
#define RLK_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__MINGW32__)
#define RLK_PRINTF(fmt_at, args_at) __attribute__((format(gnu_printf, fmt_at, args_at)))
#elif defined(__GNUC__)
#define RLK_PRINTF(fmt_at, args_at) __attribute__((format(printf, fmt_at, args_at)))
#else
#define RLK_PRINTF(fmt_at, args_at)
#endif

#define RLK_ERROR_TEXT_MAX 384
#define RLK_ERROR_NODE_MAX 160

/* The outcome of anything that asks a server. */
typedef enum {
	RLK_YES,     /* the server confirmed it */
	RLK_NO,      /* the server answered no: another owner has the key */
	RLK_UNKNOWN, /* the request may have been executed: a no when deciding, a maybe when cleaning up */
	RLK_FAIL     /* it was certainly not executed */
} rlk_outcome;

typedef enum {
	RLK_ERR_NONE = 0,
	RLK_ERR_VALUE,       /* an argument or option is out of range, unknown or contradictory */
	RLK_ERR_TYPE,        /* an argument or option has the wrong type */
	RLK_ERR_MEMORY,      /* an allocation failed */
	RLK_ERR_RANDOM,      /* the system's random source failed: no token can be made */
	RLK_ERR_CONNECT,     /* no connection: name not resolved, refused, unreachable, connect timeout */
	RLK_ERR_TIMEOUT,     /* connected, but no complete answer within the time allowed */
	RLK_ERR_IO,          /* an established connection broke */
	RLK_ERR_PROTOCOL,    /* the server does not speak RESP, or its reply does not fit the request */
	RLK_ERR_AUTH,        /* the server refused the credentials, or requires some */
	RLK_ERR_SERVER,      /* the server answered with an error */
	RLK_ERR_NO_LOCK,     /* the key holds something that is not a lock */
	RLK_ERR_SPLIT,       /* a Cluster is moving the keys of a request, which are on two nodes */
	RLK_ERR_INTERRUPTED, /* the host's interrupt hook asked to stop; the host knows why */
	RLK_ERR_RENEWAL      /* the renewal child could not be started, or has no room */
} rlk_error_code;

typedef struct {
	rlk_error_code code;
	int sys_errno;                 /* errno of the failing call, 0 when none was involved */
	bool retryable;                /* the same call may succeed later with nothing changed by the caller */
	char node[RLK_ERROR_NODE_MAX]; /* "tcp://host:port" of the server concerned, "" when none is */
	char text[RLK_ERROR_TEXT_MAX]; /* one sentence for a person, no trailing full stop */
} rlk_error;

/* Empties *err. NULL is allowed. */
static inline void rlk_error_clear(rlk_error *err)
{
	if (err == NULL)
		return;
	err->code = RLK_ERR_NONE;
	err->sys_errno = 0;
	err->retryable = false;
	err->node[0] = '\0';
	err->text[0] = '\0';
}

/* Records the cause, unless *err has one. NULL is allowed. A text that is too long is cut. */
void rlk_error_set(rlk_error *err, rlk_error_code code, int sys_errno, const char *fmt, ...) RLK_PRINTF(4, 5);

/* Copies *from to *err unless *err has a cause. NULL is allowed. */
static inline void rlk_error_adopt(rlk_error *err, const rlk_error *from)
{
	if (from->code != RLK_ERR_NONE && err != NULL && err->code == RLK_ERR_NONE)
		*err = *from;
}

/* Names the server concerned, unless *err names one. NULL is allowed. */
void rlk_error_set_node(rlk_error *err, const char *node);

/* The text of an errno value, thread-safe, in the caller's buffer. Returns buf. Not in the renewal child, which passes NULL
 * for each error: the C library may allocate for the text, from memory that the child's copy lacks. */
const char *rlk_error_strerror(int sys_errno, char *buf, size_t size);

#endif
