/*
 * loop_poll: an extension of PHP for bench/workers/loop.php: epoll(7), as event loops of users have it. stream_select() ends
 * at 1,024 descriptors, and looks at each of them in every turn.
 */
#include <php.h>
#include <php_network.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/epoll.h>

#define READY_MAX 64

static int epoll_fd = -1;

static int descriptor(zval *resource)
{
	php_stream *stream = NULL;
	php_socket_t fd = -1;

	php_stream_from_zval_no_verify(stream, resource);
	if (stream == NULL || php_stream_cast(stream, PHP_STREAM_AS_FD_FOR_SELECT, (void **)&fd, 0) != SUCCESS)
		return -1;
	return fd;
}

/* watch(stream, events, id): 1 to read, 2 to write; poll() returns the id. */
ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_watch, 0, 3, IS_VOID, 0)
ZEND_ARG_INFO(0, stream)
ZEND_ARG_TYPE_INFO(0, events, IS_LONG, 0)
ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
ZEND_END_ARG_INFO()

static PHP_FUNCTION(watch)
{
	zval *stream;
	zend_long events, id;
	struct epoll_event event;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_RESOURCE(stream)
		Z_PARAM_LONG(events)
		Z_PARAM_LONG(id)
	ZEND_PARSE_PARAMETERS_END();
	event.events = ((events & 1) != 0 ? EPOLLIN : 0) | ((events & 2) != 0 ? EPOLLOUT : 0);
	event.data.u64 = (uint64_t)id;
	if (epoll_fd < 0)
		epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, descriptor(stream), &event) != 0)
		zend_error(E_WARNING, "epoll: %s", strerror(errno));
}

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_unwatch, 0, 1, IS_VOID, 0)
ZEND_ARG_INFO(0, stream)
ZEND_END_ARG_INFO()

static PHP_FUNCTION(unwatch)
{
	zval *stream;
	int fd;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_RESOURCE(stream)
	ZEND_PARSE_PARAMETERS_END();
	fd = descriptor(stream);
	if (fd >= 0)
		epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

/* poll(nanoseconds): the ids of some streams that are ready. */
ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_poll, 0, 1, IS_ARRAY, 0)
ZEND_ARG_TYPE_INFO(0, nanoseconds, IS_LONG, 0)
ZEND_END_ARG_INFO()

static PHP_FUNCTION(poll)
{
	struct epoll_event ready[READY_MAX];
	struct pollfd all = { epoll_fd, POLLIN, 0 };
	struct timespec timeout;
	zend_long nanoseconds;
	int count;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(nanoseconds)
	ZEND_PARSE_PARAMETERS_END();
	timeout = (struct timespec){ nanoseconds / 1000000000, nanoseconds % 1000000000 };
	ppoll(&all, 1, &timeout, NULL); /* to the microsecond, unlike epoll_wait() */
	count = epoll_wait(epoll_fd, ready, READY_MAX, 0);
	array_init(return_value);
	for (int i = 0; i < count; i++)
		add_next_index_long(return_value, (zend_long)ready[i].data.u64);
}

static const zend_function_entry functions[] = { ZEND_NS_FE("Bench", watch, arginfo_watch)
		ZEND_NS_FE("Bench", unwatch, arginfo_unwatch) ZEND_NS_FE("Bench", poll, arginfo_poll) PHP_FE_END };

static zend_module_entry loop_poll_module_entry = { STANDARD_MODULE_HEADER, "loop_poll", functions, NULL, NULL, NULL,
	NULL, NULL, "1", STANDARD_MODULE_PROPERTIES };

ZEND_GET_MODULE(loop_poll)
