/* unit: POSIX only: the renewal child is a fork */
/* unit: link -Wl,--wrap=rlk_socket_receive */
/*
 * test_child_tracks: the renewal child has servers tell when a key is changed, and believes them no more than they deserve.
 */
#include "child_case.h"

#include <sched.h>
#include <sys/prctl.h>

#define YES "%2\r\n$5\r\nproto\r\n:3\r\n$7\r\nmodules\r\n*1\r\n%1\r\n$4\r\nname\r\n,1.5\r\n+OK\r\n"
#define PUSH(key) ">2\r\n$10\r\ninvalidate\r\n*1\r\n$4\r\n" key "\r\n"
#define PUSH_ALL ">2\r\n$10\r\ninvalidate\r\n_\r\n"
#define OURS ":60000\r\n"
#define NOT_OURS ":-2\r\n"
#define FIRST_CHECK "EVAL owned 1 key0 token"
#define CHECK_OF(key) "EVALSHA owned 1 " key " token"

static rlk_slot *locks[2];

/* Locks whose renewal would be due in 20 s, on a server that may be asked. */
static bool begin_locks(int count)
{
	if (!begin())
		return false;
	atomic_store(&entry.tracking, RLK_TRACKING_NEW);
	for (int i = 0; i < count; i++) {
		locks[i] = active_lock(60000, 20000);
		atomic_fetch_sub(&locks[i]->acquired_at_ms, RLK_TRACK_AFTER_MS); /* then all are checked in one write */
	}
	return start() && accept_child();
}

static bool asks(void)
{
	return strcmp(request(), "HELLO 3") == 0 && strcmp(request(), "CLIENT TRACKING ON NOLOOP") == 0;
}

/* Until all locks are tracked. */
static bool begin_tracked(int count)
{
	if (!begin_locks(count) || !asks())
		return false;
	for (int i = 0; i < count; i++) {
		if (strstr(request(), "owned 1 key") == NULL)
			return false;
	}
	return reply(count == 1 ? YES OURS : YES OURS OURS);
}

static void checks_at_once_what_was_changed(void)
{
	CHECK(begin_tracked(1));
	CHECK(reply(PUSH("key0")));
	CHECK_STR(request(), CHECK_OF("key0"));
	CHECK_INT(atomic_load(&slots.area->servers[0].tracking), RLK_TRACKING_ON);
	CHECK(reply(NOT_OURS));
	CHECK(reaches(&locks[0]->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&locks[0]->lost_reason), RLK_LOST_NOT_OURS);
}

/* Nor does it matter where a push is cut, or that it comes twice. */
static void checks_nothing_else(void)
{
	CHECK(begin_tracked(2));
	CHECK(reply(PUSH("key9")
			PUSH("keys") ">2\r\n$7\r\nmessage\r\n*1\r\n$4\r\nkey0\r\n>1\r\n$10\r\ninvalidate\r\n" PUSH("k\r\n0")));
	CHECK(reply(PUSH("key1") ">2\r\n$10\r\ninval"));
	CHECK_STR(request(), CHECK_OF("key1"));
	CHECK(reply("idate\r\n*1\r\n$4\r\nkey1\r\n" OURS PUSH_ALL));
	CHECK_STR(request(), CHECK_OF("key0"));
	CHECK_STR(request(), CHECK_OF("key1"));
}

/* Redis 6.0 sends it all the same: in front of the reply, which tells more. */
static void ignores_the_echo_of_its_own(void)
{
	CHECK(begin_tracked(2));
	CHECK(reply(PUSH("key0")));
	CHECK_STR(request(), CHECK_OF("key0"));
	CHECK(reply(PUSH("key0") OURS PUSH("key1")));
	CHECK_STR(request(), CHECK_OF("key1"));
}

/* Others may change the key all the time, or the server may have room for few. */
static void is_not_kept_busy(void)
{
	int64_t from_ms = rlk_clock_now_ms();

	CHECK(begin_tracked(1));
	for (int i = 0; i < 6; i++) {
		CHECK(reply(PUSH("key0")));
		CHECK_STR(request(), CHECK_OF("key0"));
		CHECK(reply(OURS));
	}
	CHECK(rlk_clock_now_ms() - from_ms >= 10 + 20 + 40 + 80 + 160);
}

/* What was known ends with the connection. */
static void checks_at_once_over_a_new_connection(void)
{
	CHECK(begin_tracked(1));
	CHECK(accept_child());
	CHECK(asks());
	CHECK_STR(request(), FIRST_CHECK);
	CHECK(reply(YES NOT_OURS));
	CHECK(reaches(&locks[0]->state, RLK_SLOT_LOST));
}

long __real_rlk_socket_receive(int fd, char *data, size_t len);
long __wrap_rlk_socket_receive(int fd, char *data, size_t len);

/* Shared with the child: the descriptor on which there is always more to read; NEXT: whichever is read next. */
static atomic_int *flooded;
#define NEXT (-1)
#define NO_FLOOD (-2)

long __wrap_rlk_socket_receive(int fd, char *data, size_t len)
{
	static const char push[] = PUSH("key9");
	static size_t at;
	int next = NEXT;

	if (flooded == NULL || (!atomic_compare_exchange_strong(flooded, &next, fd) && atomic_load(flooded) != fd))
		return __real_rlk_socket_receive(fd, data, len);
	for (size_t i = 0; i < len; i++)
		data[i] = push[at++ % (sizeof(push) - 1)];
	return (long)len;
}

/* Else the other servers, and the end of the parent, would never have their turn. */
static void hangs_up_on_whom_never_pauses(void)
{
	flooded = rlk_os_map(sizeof(*flooded), true);
	CHECK(flooded != NULL);
	atomic_store(flooded, NO_FLOOD);
	CHECK(begin_tracked(1));
	atomic_store(flooded, NEXT);
	CHECK(reply(PUSH("key0")));
	CHECK(accept_child());
}

static void asks_no_more_where_it_is_refused(void)
{
	CHECK(begin_locks(1) && asks());
	CHECK_STR(request(), FIRST_CHECK);
	atomic_store(&locks[0]->ttl_ms, 400);
	CHECK(reply("-ERR unknown command 'HELLO'\r\n+OK\r\n" OURS));
	CHECK_STR(request(), "EVAL renew 1 key0 token 400");
	CHECK_INT(atomic_load(&slots.area->servers[0].tracking), RLK_TRACKING_REFUSED);
	CHECK(reply(":1\r\n") && counts(1));
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 400");
}

/* It asks again over a later connection, if one has served meanwhile. */
static void does_without_where_the_peer_hangs_up(void)
{
	CHECK(begin_locks(1) && asks());
	CHECK(reply("-ERR what?\r\n"));
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n") && counts(1));
	CHECK(accept_child());
	CHECK(asks());
	CHECK_STR(request(), FIRST_CHECK);
}

#ifdef SYS_sched_getattr
static int slice_ns(pid_t pid)
{
	uint64_t attributes[6] = { 0 }; /* of sched_setattr(2): the slice stands at byte 24 */

	return syscall(SYS_sched_getattr, pid, attributes, sizeof(attributes), 0) == 0 ? (int)attributes[3] : -1;
}

static bool reaches_slice(int wanted_ns)
{
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (slice_ns(child) == wanted_ns)
			return true;
	}
	return false;
}

/* Not where the system knows no slices, for another class of tasks, or behind a filter. */
static void is_urgent_while_it_may_be_told(void)
{
	int usual_ns = slice_ns(0);
	bool can = usual_ns != 0 && sched_getscheduler(0) == SCHED_OTHER && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0;

	CHECK(begin_tracked(1));
	CHECK(reaches_slice(can ? 100000 : usual_ns));
	CHECK(reply(PUSH("key0")));
	CHECK_STR(request(), CHECK_OF("key0"));
	CHECK_INT(slice_ns(child), can ? 100000 : usual_ns);
	CHECK(reply(NOT_OURS));
	CHECK(reaches(&locks[0]->state, RLK_SLOT_LOST));
	CHECK(reaches_slice(usual_ns));
}
#endif

int main(void)
{
	prepare();
	RUN_CLEAN(checks_at_once_what_was_changed);
	RUN_CLEAN(checks_nothing_else);
	RUN_CLEAN(ignores_the_echo_of_its_own);
	RUN_CLEAN(is_not_kept_busy);
	RUN_CLEAN(checks_at_once_over_a_new_connection);
	RUN_CLEAN(asks_no_more_where_it_is_refused);
	RUN_CLEAN(does_without_where_the_peer_hangs_up);
#ifdef SYS_sched_getattr
	RUN_CLEAN(is_urgent_while_it_may_be_told);
#endif
	RUN_CLEAN(hangs_up_on_whom_never_pauses);
	return unit_done();
}
