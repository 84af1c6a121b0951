/*
 * test_child: rlk_child_run() in a process of its own, against a server that this program plays by hand.
 */
#include "base/rlk_clock.h"
#include "core/rlk_lock.h"
#include "core/rlk_scripts.h"
#include "core/rlk_wait.h"
#include "renew/rlk_child.h"
#include "renew/rlk_slots.h"
#include "unit.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long anything may take before a test has failed. */
#define LIMIT_MS 10000

static char path[64];
static int listener = -1, client = -1, control = -1;
static pid_t child;
static rlk_slots slots;
static rlk_peer peer;
static char in[1 << 20];
static size_t in_len;
static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

static bool ready(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n;

	do {
		n = poll(&p, 1, LIMIT_MS); /* the child's signals end it early */
	} while (n < 0);
	return n > 0;
}

static bool accept_child(void)
{
	if (client >= 0)
		close(client);
	in_len = 0;
	client = ready(listener) ? accept(listener, NULL, NULL) : -1;
	return client >= 0;
}

static bool reply(const char *text)
{
	return send(client, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

/* The name of a script, for its text or its digest; else the word itself. */
static rlk_str word_for(rlk_str word)
{
	for (size_t i = 0; i < RLK_SCRIPTS_COUNT; i++) {
		if (rlk_str_equal(word, rlk_scripts_all[i]->text) || rlk_str_equal(word, rlk_scripts_all[i]->sha1))
			return rlk_str_from_cstr(rlk_scripts_all[i]->name);
	}
	return word;
}

/* One request from the start of `in` as words with blanks between; its length, 0 when it is not complete. */
static size_t scan_request(char *words, size_t size)
{
	char *p = in, *end = in + in_len;
	long argc;

	*end = '\0';
	words[0] = '\0';
	if (in_len < 4 || *p != '*' || strstr(p, "\r\n") == NULL)
		return 0;
	argc = strtol(p + 1, &p, 10);
	for (p += 2; argc > 0; argc--) {
		size_t used = strlen(words);
		rlk_str word;
		long len;

		if (p >= end || *p != '$' || strstr(p, "\r\n") == NULL)
			return 0;
		len = strtol(p + 1, &p, 10);
		if (end - p < len + 4)
			return 0;
		word = word_for(rlk_str_make(p + 2, (size_t)len));
		snprintf(words + used, size - used, "%s%.*s", used > 0 ? " " : "", (int)word.len, word.data);
		p += len + 4;
	}
	return (size_t)(p - in);
}

/* The next request, "" when none comes or the child hangs up. */
static const char *request(void)
{
	static char words[1024];
	size_t used;

	while ((used = scan_request(words, sizeof(words))) == 0) {
		ssize_t n = ready(client) ? recv(client, in + in_len, sizeof(in) - 1 - in_len, 0) : 0;

		if (n <= 0)
			return "";
		in_len += (size_t)n;
	}
	in_len -= used;
	memmove(in, in + used, in_len);
	return words;
}

static bool hung_up(void)
{
	return ready(client) && recv(client, in, sizeof(in), 0) == 0;
}

/* A server that listens, an area with nothing in it, no child yet. */
static bool begin(void)
{
	rlk_endpoint endpoint = { .transport = RLK_TRANSPORT_UNIX, .path = path };

	signals = 0;
	memset(&peer, 0, sizeof(peer));
	if (!rlk_slots_init(&slots, NULL) || !rlk_address_resolve(&endpoint, &peer.addresses[0], NULL))
		return false;
	peer.connect_timeout_ms = LIMIT_MS;
	peer.io_timeout_ms = LIMIT_MS;
	unlink(path);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return listener >= 0 &&
		bind(listener, (struct sockaddr *)&peer.addresses[0].item[0].addr, peer.addresses[0].item[0].len) == 0 &&
		listen(listener, 8) == 0;
}

/* A lock with the name of its slot's number. Its state is the caller's to set, last. */
static rlk_slot *lock(const char *resting, int64_t ttl_ms, int64_t interval_ms)
{
	char key[16], waiters[32];
	rlk_slot_strings strings;
	rlk_slot *slot;
	int index;

	snprintf(key, sizeof(key), "key%u", atomic_load(&slots.area->slots_used));
	snprintf(waiters, sizeof(waiters), "{%s}:rlk:waiters", key);
	strings = (rlk_slot_strings){ rlk_str_from_cstr(key), RLK_STR("token"), rlk_str_from_cstr(resting),
		rlk_str_from_cstr(waiters) };
	index = rlk_slots_take(&slots, &strings, NULL);
	slot = &slots.area->slots[index];
	slot->peer = (uint32_t)rlk_slots_peer(&slots, &peer, NULL);
	slot->interval_ms = interval_ms;
	slot->linger_ms = slot->hold_at_least_ms = 0;
	slot->max_hold_ms = RLK_NEVER;
	atomic_store(&slot->ttl_ms, ttl_ms);
	atomic_store(&slot->acquired_at_ms, rlk_clock_now_ms());
	atomic_store(&slot->valid_until_ms, rlk_clock_now_ms() + rlk_lock_validity_ms(ttl_ms));
	return slot;
}

static rlk_slot *active_lock(int64_t ttl_ms, int64_t interval_ms)
{
	rlk_slot *slot = lock("", ttl_ms, interval_ms);

	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	return slot;
}

static bool start(void)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) != 0)
		return false;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		rlk_child_env env = { .area = slots.area,
			.control = fds[1],
			.parent_pid = (long)getppid(),
			.parent_pidfd = -1 };

		close(fds[0]);
		close(listener);
		rlk_child_run(&env);
		_exit(0);
	}
	close(fds[1]);
	control = fds[0];
	return child > 0;
}

static bool tell(char message)
{
	return send(control, &message, 1, MSG_NOSIGNAL) == 1;
}

static bool reaches(const _Atomic uint32_t *state, uint32_t wanted)
{
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (atomic_load(state) == wanted)
			return true;
	}
	return false;
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The child ends by itself, and well. */
static bool ends(void)
{
	int status = -1;

	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (waitpid(child, &status, WNOHANG) == child) {
			child = 0;
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		}
	}
	return false;
}

static void clean_up(void)
{
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	child = 0;
	drop(&client);
	drop(&listener);
	drop(&control);
	rlk_slots_destroy(&slots);
	unlink(path);
}

static void renews_many_in_one_write(void)
{
	CHECK(begin());
	for (int i = 0; i < 100; i++)
		active_lock(60000, 200);
	CHECK(start() && accept_child());
	for (uint64_t round = 1; round <= 3; round++) {
		int64_t until_ms = atomic_load(&slots.area->slots[99].valid_until_ms);
		char wanted[64];

		for (int i = 0; i < 100; i++) {
			/* By text where the server cannot know the script yet. */
			snprintf(wanted, sizeof(wanted), "%s renew 1 key%d token 60000", round == 1 && i == 0 ? "EVAL" : "EVALSHA",
				i);
			CHECK_STR(request(), wanted);
		}
		for (int i = 0; i < 100; i++)
			CHECK(reply(":1\r\n"));
		for (int64_t give_up_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < give_up_ms; usleep(500)) {
			if (atomic_load(&slots.area->renewals) == round * 100)
				break;
		}
		CHECK_INT(atomic_load(&slots.area->renewals), round * 100);
		CHECK_INT(atomic_load(&slots.area->writes), round);
		CHECK(atomic_load(&slots.area->slots[99].valid_until_ms) > until_ms);
		CHECK_INT(atomic_load(&slots.area->slots[0].state), RLK_SLOT_ACTIVE);
	}
}

/* One that is due later goes along with one that is due now, whichever comes first in the area. */
static void brings_locks_into_step(void)
{
	CHECK(begin());
	for (int i = 0; i < 3; i++)
		atomic_fetch_sub(&active_lock(60000, 1000)->acquired_at_ms, i == 1 ? 900 : 600);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key1 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key2 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK(reply(":1\r\n:1\r\n:1\r\n"));
	for (int i = 0; i < 3; i++)
		CHECK(strncmp(request(), "EVALSHA renew", 13) == 0);
	CHECK_INT(atomic_load(&slots.area->renewals), 3);
	CHECK(atomic_load(&slots.area->writes) <= 2); /* the second may not have been counted yet */
}

static void loses_what_is_not_ours(void)
{
	rlk_slot *lost, *kept;

	CHECK(begin());
	lost = active_lock(60000, 20);
	kept = active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key1 token 60000");
	CHECK(reply(":0\r\n:1\r\n"));
	CHECK(reaches(&lost->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&lost->lost_reason), RLK_LOST_NOT_OURS);
	/* Whoever deleted it may have told nobody. */
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":0\r\n"));
	/* From now on for the other one alone; and the parent is told until it takes note. */
	for (int i = 0; i < 4; i++) {
		CHECK_STR(request(), "EVALSHA renew 1 key1 token 60000");
		CHECK(reply(":1\r\n"));
	}
	CHECK_INT(atomic_load(&kept->state), RLK_SLOT_ACTIVE);
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; signals < 2 && rlk_clock_now_ms() < until_ms; usleep(500))
		;
	CHECK(signals >= 2);
	atomic_store(&lost->acknowledged, 1);
}

static void loses_what_expires(void)
{
	rlk_slot *slot;

	CHECK(begin());
	drop(&listener);
	unlink(path);
	slot = active_lock(150, 50);
	CHECK(start());
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_EXPIRED);
	CHECK(rlk_clock_now_ms() >= atomic_load(&slot->valid_until_ms));
}

static void loses_what_a_silent_server_has(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(150, 50);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 150");
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_EXPIRED);
}

static void loses_after_max_hold(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	slot->max_hold_ms = 100;
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_MAX_HOLD);
	CHECK(rlk_clock_now_ms() >= atomic_load(&slot->acquired_at_ms) + 100);
	/* Its key is left to its TTL, also when the parent dies now. */
	drop(&control);
	CHECK_STR(request(), "");
	CHECK(ends());
}

static void releases_when_the_parent_is_gone(void)
{
	CHECK(begin());
	active_lock(60000, 20000);
	CHECK(start() && accept_child());
	drop(&control);
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

/* The SET of the dead parent may come later than our release. */
static void looks_for_an_armed_lock_again(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	atomic_store(&slot->acquired_at_ms, 0);
	atomic_store(&slot->valid_until_ms, 0);
	atomic_store(&slot->state, RLK_SLOT_ARMED);
	CHECK(start());
	drop(&control);
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":0\r\n"));
	CHECK_STR(request(), "EVALSHA release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":0\r\n"));
	CHECK_STR(request(), "EVALSHA release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

/* Who waited has a claim only, which is extended at the point in time that the waiter says. */
static void extends_a_claim_first(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	atomic_store(&slot->valid_until_ms, rlk_clock_now_ms() + 1000);
	atomic_store(&slot->extend_at_ms, rlk_clock_now_ms() + 30);
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS;
		 atomic_load(&slot->valid_until_ms) < until_ms && rlk_clock_now_ms() < until_ms; usleep(500))
		;
	CHECK(atomic_load(&slot->valid_until_ms) > rlk_clock_now_ms() + 50000);
}

/* A child that looks by itself in time need not be woken by who gets the lock. */
static void is_awake_when_a_claim_may_have_begun(void)
{
	rlk_slot *slot;
	int64_t extend_at_ms, until_ms = rlk_clock_now_ms() + LIMIT_MS;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	extend_at_ms = rlk_clock_now_ms() + 300;
	atomic_store(&slot->extend_at_ms, extend_at_ms);
	atomic_store(&slot->state, RLK_SLOT_ARMED);
	CHECK(start());
	while (atomic_load(&slots.area->wakes_at_ms) != extend_at_ms && rlk_clock_now_ms() < until_ms)
		usleep(500);
	CHECK_INT(atomic_load(&slots.area->wakes_at_ms), extend_at_ms);
	while (atomic_load(&slots.area->wakes_at_ms) <= extend_at_ms && rlk_clock_now_ms() < until_ms)
		usleep(500);
	CHECK(atomic_load(&slots.area->wakes_at_ms) >= extend_at_ms + RLK_WAIT_CLAIM_MS / 2);
	CHECK(atomic_load(&slots.area->wakes_at_ms) < RLK_NEVER);
}

/* Without the right to wake anybody the lock is released all the same. */
static void releases_without_waking(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("", 60000, 20000);
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	drop(&control);
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK(reply("-NOPERM No permissions to access a key\r\n"));
	CHECK_STR(request(), "EVALSHA release 1 key0 token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

static void puts_a_lingering_lock_to_rest(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = lock("resting", 60000, 20000);
	slot->linger_ms = 5000;
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	CHECK(start() && accept_child());
	drop(&control);
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token resting 5000");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

static void finishes_what_is_left_to_it(void)
{
	rlk_slot *mine, *other;

	CHECK(begin());
	mine = lock("", 60000, 20000);
	other = lock("", 60000, 20000);
	/* Both before it looks for the first time, or it might see the second alone. */
	atomic_store(&mine->state, RLK_SLOT_RELEASE);
	atomic_store(&other->state, RLK_SLOT_RELEASE);
	CHECK(start() && tell(RLK_CHILD_WAKE) && accept_child());
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK_STR(request(), "EVALSHA release 3 key1 {key1}:rlk:waiters {key1}:rlk:signal token");
	/* Told to end it still waits for the answers, and repeats what met an error. */
	CHECK(tell(RLK_CHILD_QUIT));
	CHECK(reply("-BUSY a script runs\r\n:0\r\n"));
	CHECK(reaches(&other->state, RLK_SLOT_RELEASED));
	CHECK_STR(request(), "EVALSHA release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
	CHECK_INT(atomic_load(&mine->state), RLK_SLOT_RELEASE);
	CHECK(reply(":1\r\n"));
	CHECK(reaches(&mine->state, RLK_SLOT_RELEASED));
	CHECK(ends());
}

/* The parent releases what it holds before it says so. */
static void quits_without_a_word_to_the_server(void)
{
	CHECK(begin());
	active_lock(60000, 20000);
	CHECK(start() && accept_child());
	CHECK(tell(RLK_CHILD_QUIT));
	CHECK_STR(request(), "");
	CHECK(ends());
}

static void sends_the_text_where_the_script_is_gone(void)
{
	CHECK(begin());
	active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK(reply("-NOSCRIPT No matching script.\r\n"));
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
}

/* An error says nothing about the owner: the renewal is repeated, the lock kept as long as it is valid. */
static void repeats_after_an_error(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 1000);
	atomic_store(&slot->acquired_at_ms, rlk_clock_now_ms() - 1000);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	for (int i = 0; i < 3; i++) {
		CHECK(reply(i == 1 ? "$-1\r\n" : "-LOADING the data\r\n"));
		CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	}
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
}

static void connects_again(void)
{
	static const char intro[] = "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n";
	rlk_slot *slot;

	CHECK(begin());
	peer.intro_len = sizeof(intro) - 1;
	peer.intro_replies = 2;
	memcpy(peer.intro, intro, sizeof(intro) - 1);
	slot = active_lock(60000, 20);
	CHECK(start());
	for (int i = 0; i < 3; i++) {
		CHECK(accept_child());
		CHECK_STR(request(), "AUTH secret");
		CHECK_STR(request(), "SELECT 3");
		CHECK(reply("+OK\r\n+O") && reply("K\r\n"));
		CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
		/* Cut before, in the middle of, and by nonsense in the place of an answer. */
		CHECK(i == 0 || reply(i == 1 ? ":" : "*1\r\n:1\r\n"));
		CHECK(i != 2 || hung_up());
		drop(&client);
	}
	CHECK(accept_child());
	CHECK_STR(request(), "AUTH secret");
	CHECK_STR(request(), "SELECT 3");
	CHECK(reply("-WRONGPASS no\r\n") && hung_up());
	CHECK(accept_child());
	CHECK_STR(request(), "AUTH secret");
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
}

/* A renewal that was sent before the parent's own extension says nothing about what that gave. */
static void leaves_the_parents_extension_alone(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	atomic_store(&slot->ttl_ms, 500);
	atomic_fetch_add(&slot->epoch, 1);
	atomic_store(&slot->valid_until_ms, rlk_clock_now_ms() + 5000);
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 500");
	CHECK(atomic_load(&slot->valid_until_ms) <= rlk_clock_now_ms() + 5000);
	CHECK(reply(":1\r\n"));
}

/* Until so many renewals have been counted. */
static bool counts(uint64_t renewals)
{
	for (int64_t until_ms = rlk_clock_now_ms() + LIMIT_MS; rlk_clock_now_ms() < until_ms; usleep(500)) {
		if (atomic_load(&slots.area->renewals) == renewals)
			return true;
	}
	return false;
}

#define NATIVE_RENEWAL "SET key0 token IFEQ token PX 60000"

static void renews_without_scripts(void)
{
	static const char *const refusals[] = { "-NOPERM this user has no permissions to run the 'eval' command\r\n",
		"-ERR unknown command 'EVAL', with args beginning with:\r\n" };
	static const char *const losses[] = { "$-1\r\n", "-WRONGTYPE Operation against a key\r\n" };

	for (int i = 0; i < 2; i++) {
		rlk_slot *slot;

		CHECK(begin());
		slot = active_lock(60000, 20);
		CHECK(start() && accept_child());
		CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
		CHECK(reply(refusals[i]));
		for (uint64_t n = 1; n <= 3; n++) {
			CHECK_STR(request(), NATIVE_RENEWAL);
			CHECK(reply("+OK\r\n") && counts(n));
		}
		/* Known once and for all, also on the next connection. */
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(accept_child());
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(reply(losses[i]));
		CHECK(reaches(&slot->state, RLK_SLOT_LOST));
		CHECK_INT(atomic_load(&slot->lost_reason), RLK_LOST_NOT_OURS);
		clean_up();
	}
}

/* Neither scripts nor SET with IFEQ: asks all round, then pauses. */
static void renews_by_nothing(void)
{
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 20);
	CHECK(start() && accept_child());
	for (int round = 0; round < 2; round++) {
		CHECK_STR(request(), round == 0 ? "EVAL renew 1 key0 token 60000" : "EVALSHA renew 1 key0 token 60000");
		CHECK(reply("-NOPERM this user\r\n"));
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(reply("-ERR syntax error\r\n"));
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(reply("-ERR syntax error\r\n"));
	}
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
}

static void repeats_without_scripts(void)
{
	static const char *const replies[] = { "-LOADING the data\r\n", ":1\r\n", ":0\r\n", "$5\r\ntoken\r\n",
		"+QUEUED\r\n" };
	rlk_slot *slot;

	CHECK(begin());
	slot = active_lock(60000, 1000);
	atomic_store(&slot->acquired_at_ms, rlk_clock_now_ms() - 1000);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply("-NOPERM this user\r\n"));
	for (int i = 0; i < 5; i++) {
		CHECK_STR(request(), NATIVE_RENEWAL);
		CHECK(reply(replies[i]));
	}
	CHECK_STR(request(), NATIVE_RENEWAL);
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
}

/* One of two is answered, then the connection breaks: the other is asked for again. */
static void asks_again_for_what_was_not_answered(void)
{
	CHECK(begin());
	active_lock(60000, 1000);
	active_lock(60000, 1000);
	for (int i = 0; i < 2; i++)
		atomic_fetch_sub(&slots.area->slots[i].acquired_at_ms, 1000);
	CHECK(start() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_STR(request(), "EVALSHA renew 1 key1 token 60000");
	CHECK(reply(":1\r\n") && counts(1) && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key1 token 60000");
	CHECK(reply(":1\r\n") && counts(2));
}

/* The child of a dead parent, up to where the two compare commands are tried. */
static bool begin_release_without_scripts(const char *resting)
{
	rlk_slot *slot;

	if (!begin())
		return false;
	slot = lock(resting, 60000, 20000);
	slot->linger_ms = resting[0] != '\0' ? 5000 : 0;
	atomic_store(&slot->state, RLK_SLOT_ACTIVE);
	if (!start() || !accept_child())
		return false;
	drop(&control);
	for (int i = 0; i < 2; i++) {
		if (strncmp(request(), i == 0 ? "EVAL release 3 key0" : "EVALSHA release 1 key0", i == 0 ? 19 : 22) != 0 ||
			!reply("-NOPERM this user\r\n"))
			return false;
	}
	return true;
}

static void releases_without_scripts(void)
{
	static const char *const replies[] = { ":1\r\n", ":0\r\n", "-WRONGTYPE Operation against a key\r\n",
		"-ERR Key should be of string type\r\n" };

	for (int i = 0; i < 8; i++) {
		CHECK(begin_release_without_scripts(""));
		CHECK_STR(request(), "DELEX key0 IFEQ token");
		if (i % 2 == 1) {
			CHECK(reply("-ERR unknown command 'DELEX'\r\n"));
			CHECK_STR(request(), "DELIFEQ key0 token");
		}
		CHECK(reply(replies[i / 2]));
		CHECK(ends());
		clean_up();
	}
}

static void repeats_a_release_without_scripts(void)
{
	static const char *const replies[] = { "-LOADING the data\r\n", "$-1\r\n", "+OK\r\n", "$1\r\n1\r\n" };

	CHECK(begin_release_without_scripts(""));
	for (int i = 0; i < 4; i++) {
		CHECK_STR(request(), "DELEX key0 IFEQ token");
		CHECK(reply(replies[i]));
	}
	CHECK_STR(request(), "DELEX key0 IFEQ token");
	CHECK(accept_child());
	CHECK_STR(request(), "DELEX key0 IFEQ token");
	CHECK(reply("*1\r\n:1\r\n") && hung_up() && accept_child());
	CHECK_STR(request(), "DELEX key0 IFEQ token");
	CHECK(reply(":1\r\n"));
	CHECK(ends());
}

static void rests_without_scripts(void)
{
	static const char *const replies[] = { "+OK\r\n", "$-1\r\n", "-WRONGTYPE Operation against a key\r\n" };

	for (int i = 0; i < 3; i++) {
		CHECK(begin_release_without_scripts("resting"));
		CHECK_STR(request(), "SET key0 resting IFEQ token PX 5000");
		CHECK(reply(replies[i]));
		CHECK(ends());
		clean_up();
	}
}

/* A lock that two replicas must have, whose renewal the master has done. */
static bool begin_replicated(rlk_slot **slot)
{
	if (!begin())
		return false;
	peer.io_timeout_ms = 200;
	*slot = lock("", 60000, 20);
	(*slot)->replicas = (rlk_replicas){ .min = 2, .timeout_ms = 100 };
	atomic_store(&(*slot)->state, RLK_SLOT_ACTIVE);
	return start() && accept_child() && strcmp(request(), "EVAL renew 1 key0 token 60000") == 0 && reply(":1\r\n") &&
		strcmp(request(), "WAIT 2 100") == 0;
}

static void counts_what_replicas_have(void)
{
	rlk_slot *slot;

	CHECK(begin_replicated(&slot));
	for (uint64_t n = 1; n <= 3; n++) {
		int64_t before_ms = atomic_load(&slot->valid_until_ms);

		CHECK_INT(atomic_load(&slots.area->renewals), n - 1);
		CHECK(reply(n % 2 ? ":2\r\n" : ":3\r\n") && counts(n));
		CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
		CHECK(atomic_load(&slot->valid_until_ms) > before_ms);
		CHECK(reply(":1\r\n"));
		CHECK_STR(request(), "WAIT 2 100");
	}
	CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
}

/* Too few, or not a word of it: the renewal does not count, and is repeated. Only the answer to that one says whether the
 * lock is ours; and a WAIT that is refused says nothing about scripts, or about those who wait. */
static void does_not_count_what_replicas_lack(void)
{
	static const char *const replies[] = { ":1\r\n", ":0\r\n", "+OK\r\n", "$-1\r\n", "-LOADING the data\r\n",
		"-NOPERM this user has no permissions to run the 'wait' command\r\n", "-NOPERM again\r\n",
		"-ERR unknown command 'WAIT'\r\n" };

	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		int64_t until_ms;
		rlk_slot *slot;

		CHECK(begin_replicated(&slot));
		until_ms = atomic_load(&slot->valid_until_ms);
		for (int n = 0; n < 2; n++) {
			CHECK(reply(replies[i]));
			CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
			CHECK(reply(":1\r\n"));
			CHECK_STR(request(), "WAIT 2 100");
		}
		CHECK_INT(atomic_load(&slots.area->renewals), 0);
		CHECK_INT(atomic_load(&slot->valid_until_ms), until_ms);
		CHECK_INT(atomic_load(&slot->state), RLK_SLOT_ACTIVE);
		drop(&control);
		CHECK(reply(replies[i]));
		CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
		CHECK(reply(":1\r\n"));
		CHECK(ends());
		clean_up();
	}
}

static void renews_again_when_replicas_are_not_heard_of(void)
{
	rlk_slot *slot;
	int64_t start_ms;

	CHECK(begin_replicated(&slot));
	/* Broken, nonsense, and silence for longer than WAIT and an answer may take. */
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "WAIT 2 100");
	CHECK(reply("*1\r\n:2\r\n") && hung_up() && accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "WAIT 2 100");
	start_ms = rlk_clock_now_ms();
	CHECK(hung_up() && rlk_clock_now_ms() - start_ms >= 250);
	CHECK(accept_child());
	CHECK_STR(request(), "EVAL renew 1 key0 token 60000");
	CHECK_INT(atomic_load(&slots.area->renewals), 0);
	CHECK(reply(":1\r\n"));
	CHECK_STR(request(), "WAIT 2 100");
	CHECK(reply(":2\r\n") && counts(1));
	/* Lost on the master: then replicas are of no interest. */
	CHECK_STR(request(), "EVALSHA renew 1 key0 token 60000");
	CHECK(reply(":0\r\n"));
	CHECK(reaches(&slot->state, RLK_SLOT_LOST));
	CHECK_STR(request(), "EVAL release 3 key0 {key0}:rlk:waiters {key0}:rlk:signal token");
}

#define RUN_CLEAN(test) \
	do { \
		RUN(test); \
		clean_up(); \
	} while (0)

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGURG, &action, NULL);
	snprintf(path, sizeof(path), "/tmp/rlk_child_%ld", (long)getpid());
	RUN_CLEAN(renews_many_in_one_write);
	RUN_CLEAN(brings_locks_into_step);
	RUN_CLEAN(loses_what_is_not_ours);
	RUN_CLEAN(loses_what_expires);
	RUN_CLEAN(loses_what_a_silent_server_has);
	RUN_CLEAN(loses_after_max_hold);
	RUN_CLEAN(releases_when_the_parent_is_gone);
	RUN_CLEAN(looks_for_an_armed_lock_again);
	RUN_CLEAN(extends_a_claim_first);
	RUN_CLEAN(is_awake_when_a_claim_may_have_begun);
	RUN_CLEAN(releases_without_waking);
	RUN_CLEAN(puts_a_lingering_lock_to_rest);
	RUN_CLEAN(finishes_what_is_left_to_it);
	RUN_CLEAN(quits_without_a_word_to_the_server);
	RUN_CLEAN(sends_the_text_where_the_script_is_gone);
	RUN_CLEAN(repeats_after_an_error);
	RUN_CLEAN(connects_again);
	RUN_CLEAN(leaves_the_parents_extension_alone);
	RUN_CLEAN(renews_without_scripts);
	RUN_CLEAN(renews_by_nothing);
	RUN_CLEAN(repeats_without_scripts);
	RUN_CLEAN(asks_again_for_what_was_not_answered);
	RUN_CLEAN(releases_without_scripts);
	RUN_CLEAN(repeats_a_release_without_scripts);
	RUN_CLEAN(rests_without_scripts);
	RUN_CLEAN(counts_what_replicas_have);
	RUN_CLEAN(does_not_count_what_replicas_lack);
	RUN_CLEAN(renews_again_when_replicas_are_not_heard_of);
	return unit_done();
}
