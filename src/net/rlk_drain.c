/*
 * rlk_drain: see the header.
 */
#include "net/rlk_drain.h"

#include "base/rlk_list.h"
#include "base/rlk_os.h"

#include <stdlib.h>

/* Limit of one call for a peer that sends without a pause; the next call reads the rest. */
#define READS_MAX 64

struct rlk_drained {
	rlk_drained *next;
	int fd;
	rlk_tls *tls;
	rlk_buf unsent;
	size_t sent; /* of unsent */
	int64_t deadline_at_ms;
};

static void drop(rlk_drain_list *drain, rlk_drained **link)
{
	rlk_drained *drained = *link;

	*link = drained->next;
	rlk_stream_close(drained->fd, drained->tls);
	rlk_buf_wipe(&drained->unsent);
	free(drained);
	drain->open--;
}

/* false: the connection is done. Replies are discarded; the server closes behind the last one. */
static bool advance(rlk_drained *drained)
{
	char data[512];
	long n;

	if (drained->sent < drained->unsent.len) {
		n = rlk_stream_send(drained->fd, drained->tls, drained->unsent.data + drained->sent,
			drained->unsent.len - drained->sent);
		if (n == RLK_SOCKET_ERROR)
			return false;
		if (n > 0)
			drained->sent += (size_t)n;
		if (drained->sent == drained->unsent.len)
			rlk_socket_finish_sending(drained->fd);
	}
	for (int i = 0; i < READS_MAX; i++) {
		n = rlk_stream_receive(drained->fd, drained->tls, data, sizeof(data));
		if (n <= 0)
			return n == RLK_SOCKET_AGAIN;
	}
	return true;
}

static int events_awaited(const rlk_drained *drained)
{
	if (drained->sent == drained->unsent.len)
		return RLK_SOCKET_READABLE;
	return RLK_SOCKET_READABLE | (drained->tls == NULL ? RLK_SOCKET_WRITABLE : (int)rlk_tls_send_wants(drained->tls));
}

void rlk_drain_add(rlk_drain_list *drain, int fd, rlk_tls *tls, rlk_buf *unsent, int64_t deadline_at_ms)
{
	rlk_drained *drained = calloc(1, sizeof(*drained)), **oldest;

	if (drained == NULL) {
		rlk_stream_close(fd, tls);
		rlk_buf_wipe(unsent);
		return;
	}
	*drained = (rlk_drained){ drain->first, fd, tls, *unsent, 0, deadline_at_ms };
	*unsent = (rlk_buf)RLK_BUF_INIT;
	drain->owner_pid = rlk_os_process_id();
	drain->first = drained;
	drain->open++;
	oldest = &drain->first;
	RLK_LIST_PASS(oldest, RLK_DRAIN_MAX);
	if (*oldest != NULL)
		drop(drain, oldest);
	if (deadline_at_ms == 0)
		return;
	if (drained->unsent.len == 0)
		rlk_socket_finish_sending(fd);
	rlk_drain_tend(drain);
}

void rlk_drain_tend(rlk_drain_list *drain)
{
	rlk_drained **link = &drain->first;
	int64_t now_ms;

	if (drain->first == NULL)
		return;
	if (drain->owner_pid != rlk_os_process_id()) {
		rlk_drain_clear(drain);
		return;
	}
	now_ms = rlk_clock_now_ms();
	while (*link != NULL) {
		if ((*link)->deadline_at_ms > now_ms && advance(*link))
			link = &(*link)->next;
		else
			drop(drain, link);
	}
}

void rlk_drain_finish(rlk_drain_list *drain, int64_t until_ms)
{
	rlk_socket_watched watched[RLK_DRAIN_MAX];

	for (rlk_drain_tend(drain); drain->first != NULL && rlk_clock_now_ms() < until_ms; rlk_drain_tend(drain)) {
		int count = 0;

		for (const rlk_drained *drained = drain->first; drained != NULL; drained = drained->next)
			watched[count++] = (rlk_socket_watched){ drained->fd, events_awaited(drained), false };
		if (rlk_socket_poll(watched, count, until_ms, NULL) <= 0)
			break;
	}
	rlk_drain_clear(drain);
}

void rlk_drain_clear(rlk_drain_list *drain)
{
	while (drain->first != NULL)
		drop(drain, &drain->first);
}
