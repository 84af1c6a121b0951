/*
 * rlk_park: see the header.
 */
#include "net/rlk_park.h"

#include "base/rlk_clock.h"
#include "net/rlk_stream.h"

#include <stdlib.h>

struct rlk_parked {
	rlk_parked *next;
	int fd;
	rlk_tls *tls;
	rlk_buf unsent;
	size_t sent; /* bytes of unsent that are on their way */
	int64_t deadline_at_ms;
};

static void drop(rlk_park *park, rlk_parked **link)
{
	rlk_parked *parked = *link;

	*link = parked->next;
	rlk_stream_close(parked->fd, parked->tls);
	rlk_buf_wipe(&parked->unsent);
	free(parked);
	park->open--;
}

/* Returns false when there is nothing left to do for this connection. Nobody cares when the answers come: the server closes
 * behind the last one. */
static bool advance(rlk_parked *parked)
{
	char data[512];
	long n;

	if (parked->sent < parked->unsent.len) {
		n = rlk_stream_send(parked->fd, parked->tls, parked->unsent.data + parked->sent,
			parked->unsent.len - parked->sent);
		if (n == RLK_SOCKET_ERROR)
			return false;
		if (n > 0)
			parked->sent += (size_t)n;
		if (parked->sent == parked->unsent.len)
			rlk_socket_finish_sending(parked->fd);
	}
	do
		n = rlk_stream_receive(parked->fd, parked->tls, data, sizeof(data));
	while (n > 0);
	return n == RLK_SOCKET_AGAIN;
}

static void drop_oldest(rlk_park *park)
{
	rlk_parked **link = &park->first;

	while ((*link)->next != NULL)
		link = &(*link)->next;
	drop(park, link);
}

void rlk_park_add(rlk_park *park, int fd, rlk_tls *tls, rlk_buf *unsent, int64_t deadline_at_ms)
{
	rlk_parked *parked = calloc(1, sizeof(*parked));

	if (parked == NULL) {
		rlk_stream_close(fd, tls);
		rlk_buf_wipe(unsent);
		return;
	}
	*parked = (rlk_parked){ park->first, fd, tls, *unsent, 0, deadline_at_ms };
	*unsent = (rlk_buf)RLK_BUF_INIT;
	if (parked->unsent.len == 0)
		rlk_socket_finish_sending(fd);
	park->first = parked;
	if (++park->open > RLK_PARK_MAX)
		drop_oldest(park);
	rlk_park_tend(park);
}

void rlk_park_tend(rlk_park *park)
{
	rlk_parked **link = &park->first;
	int64_t now_ms;

	if (park->first == NULL)
		return;
	now_ms = rlk_clock_now_ms();
	while (*link != NULL) {
		if ((*link)->deadline_at_ms > now_ms && advance(*link))
			link = &(*link)->next;
		else
			drop(park, link);
	}
}

void rlk_park_clear(rlk_park *park)
{
	while (park->first != NULL)
		drop(park, &park->first);
}
