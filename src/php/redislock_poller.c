/*
 * redislock_poller: waits in the application's event loop.
 *
 * A fiber has a C stack of its own, so a wait deep in the engine calls the poller, which suspends the fiber there. The
 * poller gets sockets as streams that only stream_select() and similar functions can use.
 */
#include "php/redislock_hold.h"

#include "php/redislock_thread.h"

#include <php_network.h>

/* --- where a fiber may be left ---------------------------------------------------------------------- */

static bool may_suspend(void)
{
	if (Z_ISUNDEF(RLG(poller)) || EG(exception) != NULL || RLG(bailed_out) || zend_fiber_switch_blocked())
		return false;
	/* Coroutines go on in a shutdown function of Swoole's. */
	if (!redislock_owner_is_coroutine() &&
		((EG(flags) & EG_FLAGS_IN_SHUTDOWN) || (EG(active_fiber) == NULL && !RLG(polled_in_main))))
		return false;
	if (EG(active_fiber) != NULL && (EG(active_fiber)->flags & ZEND_FIBER_FLAG_DESTROYED) != 0)
		return false;
	/* The engine forgets the object behind a destructor that was suspended. */
	return !redislock_guard_is_in_destructor(EG(active_fiber) != NULL ? EG(active_fiber)->stack_bottom : NULL);
}

/* --- sockets as streams ----------------------------------------------------------------------------- */

static ssize_t refuse_read(php_stream *stream, char *data, size_t len)
{
	return -1;
}

static int close_shown(php_stream *stream, int close_handle)
{
	efree(stream->abstract);
	return 0;
}

/* The descriptor, until the wait is over. */
static int cast_shown(php_stream *stream, int cast_as, void **result)
{
	int fd = *(const int *)stream->abstract;

	if (fd == RLK_SOCKET_NONE || cast_as == PHP_STREAM_AS_STDIO)
		return FAILURE;
	if (result != NULL)
		*(php_socket_t *)result = fd;
	return SUCCESS;
}

static const php_stream_ops shown_ops = { NULL, refuse_read, close_shown, NULL, "redislock", NULL, cast_shown, NULL,
	NULL };

static php_stream *show(int fd)
{
	int *shown = emalloc(sizeof(*shown));
	php_stream *stream;

	*shown = fd;
	stream = php_stream_alloc(&shown_ops, shown, NULL, "r+");
	stream->flags |= PHP_STREAM_FLAG_NO_SEEK | PHP_STREAM_FLAG_NO_BUFFER;
	return stream;
}

/* Code that still has the stream finds it closed. NULL: the poller has closed it. */
static void hide(php_stream *stream)
{
	if (stream == NULL)
		return;
	*(int *)stream->abstract = RLK_SOCKET_NONE;
	php_stream_close(stream);
}

static void add_stream(zval *array, zend_resource *stream)
{
	GC_ADDREF(stream);
	add_next_index_resource(array, stream);
}

/* --- waiting ---------------------------------------------------------------------------------------- */

/* Nothing wakes a waiting fiber when another lock is lost, so it looks this often. */
#define LOOK_EVERY_MS 100

static bool may_lose(void)
{
	REDISLOCK_EACH_HELD (hold) {
		if (hold->life.state == RLK_HOLD_HELD && hold->life.slot != RLK_SLOT_NONE && redislock_owner_runs(&hold->owner))
			return true;
	}
	return false;
}

static void call_poller(rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	zend_resource *streams[RLK_SOCKET_WATCHED_MAX]; /* the arrays refer to them */
	zval arguments[3], poller, result;
	int shown = 0;

	array_init(&arguments[0]);
	array_init(&arguments[1]);
	for (int i = 0; i < count; i++) {
		if (watched[i].fd == RLK_SOCKET_NONE || watched[i].events == 0)
			continue;
		streams[shown] = show(watched[i].fd)->res;
		if ((watched[i].events & RLK_SOCKET_READABLE) != 0)
			add_stream(&arguments[0], streams[shown]);
		if ((watched[i].events & RLK_SOCKET_WRITABLE) != 0)
			add_stream(&arguments[1], streams[shown]);
		shown++;
	}
	if (may_lose())
		deadline_at_ms = rlk_clock_earlier(deadline_at_ms, rlk_clock_now_ms() + LOOK_EVERY_MS);
	if (deadline_at_ms == RLK_NEVER)
		ZVAL_NULL(&arguments[2]);
	else
		ZVAL_DOUBLE(&arguments[2], (double)MAX(deadline_at_ms - rlk_clock_now_ms(), 0) / 1000.0);
	/* The poller may replace itself. */
	ZVAL_COPY(&poller, &RLG(poller));
	ZVAL_UNDEF(&result);
	call_user_function(NULL, NULL, &poller, &result, 3, arguments);
	if (RLG(bailed_out))
		return; /* the engine frees the rest */
	for (int i = 0; i < shown; i++)
		hide(streams[i]->ptr);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&poller);
	zval_ptr_dtor(&arguments[0]);
	zval_ptr_dtor(&arguments[1]);
}

int redislock_poller_suspend(void *unused, rlk_socket_watched *watched, int count, int64_t deadline_at_ms)
{
	long pid = rlk_os_process_id();

	if (!may_suspend())
		return RLK_SOCKET_REFUSED;
	zend_try {
		call_poller(watched, count, deadline_at_ms);
	}
	zend_catch {
		RLG(bailed_out) = true;
	}
	zend_end_try();
	if (RLG(bailed_out) || EG(exception) != NULL || rlk_os_process_id() != pid)
		return RLK_SOCKET_SIGNAL;
	return rlk_socket_poll(watched, count, 0, NULL);
}

/* --- RedisLock::setPoller() --------------------------------------------------------------------------- */

PHP_METHOD(RedisLock, setPoller)
{
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	bool in_main = false;
	zval previous;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_FUNC_OR_NULL(fci, fcc)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(in_main)
	ZEND_PARSE_PARAMETERS_END();

	ZVAL_COPY_VALUE(&previous, &RLG(poller));
	RLG(polled_in_main) = in_main;
	if (ZEND_FCI_INITIALIZED(fci)) {
		RLG(host).polled = true; /* until the request ends: some fibers may wait still when the poller is taken away */
		ZVAL_COPY(&RLG(poller), &fci.function_name);
	} else {
		ZVAL_UNDEF(&RLG(poller));
	}
	if (!Z_ISUNDEF(previous))
		RETVAL_COPY_VALUE(&previous);
}

void redislock_poller_forget(void)
{
	RLG(host).polled = false;
	if (!RLG(bailed_out))
		zval_ptr_dtor(&RLG(poller));
	ZVAL_UNDEF(&RLG(poller));
}
