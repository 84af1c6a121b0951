/*
 * rlk_child_posix: the loop of the renewal child.
 *
 * Visits every slot, sends what is due, and sleeps until the next point in time
 * or event.
 */
#include "renew/rlk_child_own.h"

#include "net/rlk_socket.h"

/* Has the parent resolve what only it can: all that is needed, as soon as one of them is due. Returns when to ask again. */
static int64_t ask_to_resolve(rlk_child *c, int64_t now_ms)
{
	uint32_t servers = atomic_load(&c->area->servers_used);
	int64_t next_ms = RLK_NEVER;
	bool due = false;

	if (rlk_child_is_alone(c) || atomic_load(&c->area->idleness) != RLK_IDLENESS_NEEDED)
		return RLK_NEVER; /* nobody would answer */
	for (uint32_t i = 0; i < servers; i++)
		due = due ||
			(atomic_load(&c->area->servers[i].state) == RLK_ENTRY_ASKED &&
				now_ms >= c->asked_at_ms[i] + c->ask_pause_ms[i]);
	if (due)
		rlk_child_signal_parent(c->env);
	for (uint32_t i = 0; i < servers; i++) {
		if (atomic_load(&c->area->servers[i].state) != RLK_ENTRY_ASKED)
			continue;
		if (due) {
			/* After so long it is another trouble. */
			if (now_ms >= c->asked_at_ms[i] + c->ask_pause_ms[i] + RLK_ASK_LAST_MS)
				c->ask_pause_ms[i] = 0;
			c->asked_at_ms[i] = now_ms;
			rlk_child_longer_pause(&c->ask_pause_ms[i], RLK_ASK_FIRST_MS, RLK_ASK_LAST_MS);
		}
		next_ms = rlk_clock_earlier(next_ms, c->asked_at_ms[i] + c->ask_pause_ms[i]);
	}
	return next_ms;
}

/* Queues what is due. */
static int64_t queue_due(rlk_child *c, int64_t now_ms, bool *busy)
{
	int64_t next_ms = rlk_child_visit_slots(c, now_ms, busy);

	return rlk_clock_earlier(next_ms, rlk_child_search_on(c, now_ms));
}

/* Sends what is queued. */
static int64_t send_queued(rlk_child *c, int64_t now_ms)
{
	uint32_t channels = rlk_child_channels_used(c);
	int64_t next_ms = RLK_NEVER;

	for (uint32_t i = 0; i < channels; i++) {
		rlk_channel *channel = &c->channels[i];
		bool was_open;

		if (channel->server == NULL)
			continue;
		was_open = !rlk_channel_is_closed(channel);
		rlk_channel_flush(c, channel, now_ms);
		rlk_channel_check_time(c, channel, now_ms);
		if (!rlk_channel_is_closed(channel))
			next_ms = rlk_clock_earlier(next_ms, rlk_channel_next_at(channel));
		else if (was_open)
			c->again = true; /* a slot that saw the connection open has to see when to connect again */
	}
	return next_ms;
}

/* Does everything that is due. Returns when there is more to do. */
static int64_t work(rlk_child *c, bool *busy)
{
	int64_t now_ms = rlk_clock_now_ms(), next_ms, wanted_at_ms;

	c->again = c->may_be_told = false;
	memset(c->renews, 0, sizeof(c->renews));
	next_ms = queue_due(c, now_ms, busy);
	/* What stands before the first renewal in the table goes along, too. */
	if (memchr(c->renews, true, sizeof(c->renews)) != NULL)
		next_ms = queue_due(c, now_ms, busy);
	next_ms = rlk_clock_earlier(next_ms, send_queued(c, now_ms));
	next_ms = rlk_clock_earlier(next_ms, ask_to_resolve(c, now_ms));
	wanted_at_ms = atomic_load(&c->area->wanted_at_ms);
	if (wanted_at_ms > now_ms)
		next_ms = rlk_clock_earlier(next_ms, wanted_at_ms);
	return c->again ? now_ms : next_ms;
}

/* An idle worker ends when its time is over. */
static bool ends_of_idleness(rlk_child *c, bool busy, int64_t *next_ms)
{
	int64_t now_ms = rlk_clock_now_ms(), at_ms = atomic_load(&c->area->idleness);

	if (!busy && c->life < RLK_CHILD_QUITS && rlk_idleness_end(&c->area->idleness, now_ms))
		return true;
	if (at_ms > now_ms)
		*next_ms = rlk_clock_earlier(*next_ms, at_ms);
	return false;
}

/* The server pays for each connection, so without a lock for a while the child gives up its own. The end of a lock wakes
 * nobody, so the child looks for it as often. */
static void disconnect_unless_used(rlk_child *c, bool busy, int64_t *next_ms)
{
	int64_t now_ms = rlk_clock_now_ms();
	uint32_t channels = rlk_child_channels_used(c);

	if (c->in_use || busy)
		c->used_at_ms = now_ms;
	if (now_ms < c->used_at_ms + RLK_DISCONNECT_AFTER_MS) {
		atomic_store(&c->area->disconnected, 0);
		*next_ms = rlk_clock_earlier(*next_ms, c->used_at_ms + RLK_DISCONNECT_AFTER_MS);
	} else if (atomic_exchange(&c->area->disconnected, 1) == 0) {
		for (uint32_t i = 0; i < channels; i++) {
			if (!rlk_channel_is_closed(&c->channels[i]))
				rlk_channel_give_up(c, &c->channels[i]);
		}
		*next_ms = now_ms; /* the parent may have armed a slot before it read `disconnected` */
	}
}

/* Nobody is at the other end of the control socket any more. If another program is behind the parent's id by now, its pidfd
 * tells the end of that. */
static void parent_went(rlk_child *c)
{
	c->life = atomic_load(&c->area->handed_over) != 0 ? RLK_CHILD_GUARDS : RLK_CHILD_ORPHANED;
}

/* Urgent only while a server may tell of a loss: else the child would run before the processes that hand over locks on its
 * CPU. */
static void be_urgent_if_told(rlk_child *c)
{
	if (c->urgent != c->may_be_told)
		rlk_child_set_urgent(c->may_be_told);
	c->urgent = c->may_be_told;
}

static void read_control(rlk_child *c)
{
	char message;
	long n = rlk_socket_receive(c->env->control, &message, 1);

	if (n == 0)
		parent_went(c);
	else if (n > 0 && message == RLK_WORKER_QUIT)
		c->life = RLK_CHILD_QUITS;
	else if (n > 0 && message == RLK_WORKER_END)
		c->life = RLK_CHILD_ENDED;
	else if (n > 0 && message == RLK_WORKER_ANEW)
		c->signal_at_ms = c->signal_pause_ms = 0;
}

/* Sleeps until something happens, and handles it. */
static void sleep_for_events(rlk_child *c, int64_t next_ms)
{
	/* Once the parent is gone both of its signs stay readable. */
	rlk_socket_watched watched[3 + RLK_CHANNELS_MAX] = {
		{ rlk_child_is_alone(c) ? RLK_SOCKET_NONE : c->env->control, RLK_SOCKET_READABLE, false },
		{ c->life == RLK_CHILD_ORPHANED ? RLK_SOCKET_NONE : c->env->parent_pidfd, RLK_SOCKET_READABLE, false },
		{ c->timer, RLK_SOCKET_READABLE, false },
	};
	uint32_t number[RLK_CHANNELS_MAX], channels = rlk_child_channels_used(c), open = 0;
	int64_t now_ms;

	_Static_assert(3 + RLK_CHANNELS_MAX <= RLK_SOCKET_WATCHED_MAX, "they can be waited for together");
	for (uint32_t i = 0; i < channels; i++) {
		const rlk_conn *conn = &c->channels[i].conn;

		if (conn->state == RLK_CONN_STATE_CLOSED)
			continue;
		watched[3 + open] = (rlk_socket_watched){ conn->fd, rlk_conn_events(conn), false };
		number[open++] = i;
	}
	rlk_child_set_timer(c->timer, next_ms);
	if (rlk_socket_poll(watched, 3 + (int)open, c->timer >= 0 ? RLK_NEVER : next_ms, NULL) <= 0)
		return;
	if (watched[0].ready)
		read_control(c);
	if (watched[1].ready && c->life != RLK_CHILD_ENDED)
		c->life = RLK_CHILD_ORPHANED;
	now_ms = rlk_clock_now_ms();
	for (uint32_t i = 0; i < open; i++) {
		if (watched[3 + i].ready)
			rlk_channel_advance(c, &c->channels[number[i]], true, now_ms);
	}
}

/* For the sake of a thread; a process would not need it. Channels never used are not touched: each is a page fault, while
 * the parent waits for our end. */
static void close_all(rlk_child *c)
{
	uint32_t channels = rlk_child_channels_used(c);

	for (uint32_t i = 0; i < channels; i++) {
		if (!rlk_channel_is_closed(&c->channels[i]))
			rlk_conn_close(&c->channels[i].conn);
	}
	rlk_socket_drop(&c->timer);
}

void rlk_child_forget(rlk_child_env *env)
{
	rlk_child *c = env->memory;

	for (uint32_t i = 0; i < RLK_CHANNELS_MAX; i++)
		rlk_socket_drop(&c->channels[i].conn.fd);
	rlk_socket_drop(&c->timer);
	rlk_socket_drop(&env->control);
}

size_t rlk_child_size(void)
{
	return sizeof(rlk_child);
}

void rlk_child_run(const rlk_child_env *env)
{
	rlk_child *c = env->memory;

	c->env = env;
	c->area = env->slots->area;
	c->timer = rlk_child_open_timer();
	atomic_store(&c->area->watch, rlk_child_signal_program(env, 0) ? RLK_WATCH_EXACT : RLK_WATCH_LOOSE);
	atomic_store(&c->area->visited, 0); /* left by one that was killed */
	for (;;) {
		bool busy;
		int64_t next_ms;

		/* Until the next point in time is known the parent has to wake us for whatever it does: a slot just passed might be due
		 * earlier. */
		atomic_store(&c->area->wakes_at_ms, RLK_NEVER);
		if (!rlk_child_is_alone(c) && c->life != RLK_CHILD_ENDED && rlk_child_parent_is_gone(env))
			parent_went(c);
		next_ms = work(c, &busy);
		if (c->life == RLK_CHILD_ENDED || (c->life >= RLK_CHILD_QUITS && !busy && !c->again))
			break;
		if (ends_of_idleness(c, busy, &next_ms))
			break;
		disconnect_unless_used(c, busy, &next_ms);
		be_urgent_if_told(c);
		atomic_store(&c->area->stillborn, 0);
		atomic_store(&c->area->wakes_at_ms, next_ms);
		sleep_for_events(c, next_ms);
	}
	close_all(c);
}
