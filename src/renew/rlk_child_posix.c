/*
 * rlk_child_posix: see rlk_child.h.
 *
 * One loop: look at every slot, do what is due, send, sleep until the next
 * point in time or event.
 */
#include "renew/rlk_child.h"

#include "base/rlk_os.h"
#include "net/rlk_socket.h"
#include "renew/rlk_child_own.h"

/* Resolving blocks the parent, and name services answer from caches for seconds anyway. */
#define RESOLVE_EVERY_MS 1000

/* Returns when to ask again. */
static int64_t ask_to_resolve(rlk_child *c, uint32_t server, int64_t now_ms)
{
	if (c->orphaned || atomic_load(&c->area->idle_until_ms) != RLK_IDLE_NOT)
		return RLK_NEVER; /* of a parent that rests nobody would answer */
	if (now_ms >= c->asked_at_ms[server] + RESOLVE_EVERY_MS) {
		c->asked_at_ms[server] = now_ms;
		rlk_child_signal_parent(c->env);
	}
	return c->asked_at_ms[server] + RESOLVE_EVERY_MS;
}

/* Writes what is queued. Returns when a channel has to be looked at again. */
static int64_t send_all(rlk_child *c, uint32_t channels, int64_t now_ms)
{
	const rlk_channel_listener listener = { rlk_child_slots_answered, c };
	int64_t next_ms = RLK_NEVER;

	for (uint32_t i = 0; i < channels; i++) {
		rlk_channel *channel = &c->channels[i];
		bool was_open;

		if (channel->server == NULL)
			continue;
		was_open = !rlk_channel_is_closed(channel);
		atomic_fetch_add(&c->area->writes, (uint64_t)rlk_channel_flush(channel, &listener, now_ms));
		rlk_channel_check_time(channel, &listener, now_ms);
		if (!rlk_channel_is_closed(channel))
			next_ms = rlk_clock_earlier(next_ms, rlk_channel_next_at(channel));
		/* The slots were looked at when it still was open: only now do they wait for the next attempt to connect. */
		else if (was_open)
			c->again = true;
	}
	return next_ms;
}

/* Looks at all slots and sends what is due. *busy: a release is still to be done. */
static int64_t look_at_all(rlk_child *c, bool *busy)
{
	uint32_t servers, channels;
	int64_t now_ms = rlk_clock_now_ms(), next_ms, wanted_at_ms;

	c->again = false;
	memset(c->renews, 0, sizeof(c->renews));
	next_ms = rlk_child_slots_look(c, now_ms, busy);
	next_ms = rlk_clock_earlier(next_ms, rlk_child_topology_search(&c->topology, now_ms));
	servers = atomic_load(&c->area->servers_used);
	channels = rlk_child_topology_channels(&c->topology);
	for (uint32_t i = 0; i < channels; i++) {
		if (c->renews[i]) {
			/* those that stand before the first one that was due */
			next_ms = rlk_clock_earlier(rlk_child_slots_look(c, now_ms, busy),
				rlk_child_topology_search(&c->topology, now_ms));
			break;
		}
	}
	next_ms = rlk_clock_earlier(next_ms, send_all(c, channels, now_ms));
	for (uint32_t i = 0; i < servers; i++) {
		if (atomic_load(&c->area->servers[i].unreachable) != 0 ||
			atomic_load(&c->area->servers[i].name_state) == RLK_NAME_ASKED)
			next_ms = rlk_clock_earlier(next_ms, ask_to_resolve(c, i, now_ms));
	}
	wanted_at_ms = atomic_load(&c->area->wanted_at_ms);
	if (wanted_at_ms > now_ms)
		next_ms = rlk_clock_earlier(next_ms, wanted_at_ms);
	return c->again ? now_ms : next_ms;
}

/* A worker that rests is to end when its time is over. One that does not looks often enough to be in time when it does,
 * so that the end of a request costs no wake-up. */
static bool ends_of_idleness(rlk_child *c, bool busy, int64_t *next_ms)
{
	int64_t idle_ms = atomic_load(&c->area->idle_ms), until_ms = atomic_load(&c->area->idle_until_ms);
	int64_t now_ms = rlk_clock_now_ms();

	if (idle_ms == 0 || c->orphaned || c->quitting)
		return false;
	if (until_ms > 0 && now_ms >= until_ms && !busy)
		return atomic_compare_exchange_strong(&c->area->idle_until_ms, &until_ms, RLK_IDLE_OVER);
	if (until_ms <= now_ms || until_ms == RLK_NEVER)
		until_ms = now_ms + idle_ms;
	*next_ms = rlk_clock_earlier(*next_ms, until_ms);
	return false;
}

static void read_control(rlk_child *c)
{
	char message;
	long n = rlk_child_read_message(c->env->control, &message);

	if (n == 0)
		c->orphaned = true;
	else if (n > 0 && message == RLK_CHILD_QUIT)
		c->quitting = true;
	else if (n > 0 && message == RLK_CHILD_END)
		c->ended = true;
}

/* Sleeps until something happens, and handles it. */
static void sleep_until(rlk_child *c, int64_t next_ms)
{
	const rlk_channel_listener listener = { rlk_child_slots_answered, c };
	rlk_socket_watched watched[3 + RLK_CHANNELS_MAX];
	uint32_t owner[RLK_CHANNELS_MAX], channels = rlk_child_topology_channels(&c->topology), open = 0;
	int64_t now_ms;

	_Static_assert(3 + RLK_CHANNELS_MAX <= RLK_SOCKET_WATCHED_MAX, "they can be waited for together");
	/* Once the parent is gone both of its signs would stay readable. */
	watched[0] = (rlk_socket_watched){ c->orphaned ? RLK_SOCKET_NONE : c->env->control, RLK_SOCKET_READABLE, false };
	watched[1] =
		(rlk_socket_watched){ c->orphaned ? RLK_SOCKET_NONE : c->env->parent_pidfd, RLK_SOCKET_READABLE, false };
	watched[2] = (rlk_socket_watched){ c->timer, RLK_SOCKET_READABLE, false };
	for (uint32_t i = 0; i < channels; i++) {
		const rlk_conn *conn = &c->channels[i].conn;

		if (conn->state == RLK_CONN_STATE_CLOSED)
			continue;
		watched[3 + open] = (rlk_socket_watched){ conn->fd, rlk_conn_events(conn), false };
		owner[open++] = i;
	}
	rlk_child_set_timer(c->timer, next_ms);
	if (rlk_socket_poll(watched, 3 + (int)open, c->timer >= 0 ? RLK_NEVER : next_ms, NULL) <= 0)
		return;
	if (watched[0].ready)
		read_control(c);
	if (watched[1].ready)
		c->orphaned = true;
	now_ms = rlk_clock_now_ms();
	for (uint32_t i = 0; i < open; i++) {
		if (watched[3 + i].ready)
			rlk_channel_advance(&c->channels[owner[i]], true, &listener, now_ms);
	}
}

/* A process would not need it; a thread does. Links never used are not even looked at: each is a page fault, while the
 * parent waits for our end. */
static void close_all(rlk_child *c)
{
	uint32_t channels = rlk_child_topology_channels(&c->topology);

	for (uint32_t i = 0; i < channels; i++) {
		if (!rlk_channel_is_closed(&c->channels[i]))
			rlk_conn_close(&c->channels[i].conn);
	}
	rlk_child_close_timer(c->timer);
}

size_t rlk_child_size(void)
{
	return sizeof(rlk_child);
}

void rlk_child_run(const rlk_child_env *env)
{
	rlk_child *c = env->memory;

	c->env = env;
	c->area = env->area;
	rlk_child_topology_init(&c->topology, env->area, c->channels);
	c->timer = rlk_child_open_timer();
	atomic_store(&c->area->looked_at, 0); /* by one that was killed */
	for (;;) {
		bool busy;
		int64_t next_ms;

		/* Until the next point in time is known the parent has to wake us for whatever it does: a slot we have
		 * just passed might be due before it. */
		atomic_store(&c->area->wakes_at_ms, RLK_NEVER);
		c->orphaned = c->orphaned || rlk_child_parent_is_gone(env);
		next_ms = look_at_all(c, &busy);
		if (c->ended || ((c->orphaned || c->quitting) && !busy && !c->again))
			break;
		if (ends_of_idleness(c, busy, &next_ms))
			break;
		atomic_store(&c->area->wakes_at_ms, next_ms);
		sleep_until(c, next_ms);
	}
	close_all(c);
}
