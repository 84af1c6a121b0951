/*
 * rlk_park: see the header.
 */
#include "wire/rlk_park.h"

#include "base/rlk_clock.h"
#include "wire/rlk_stream.h"

#include <stdlib.h>

struct rlk_parked {
	rlk_parked *next;
	int fd;
	rlk_tls *tls; /* NULL: in clear */
	rlk_buf unsent;
	size_t sent; /* bytes of unsent that are on their way */
	int64_t deadline_at_ms;
};

static void parked_free(rlk_park *park, rlk_parked *parked)
{
	park->count--;
	rlk_stream_close(parked->fd, parked->tls);
	rlk_buf_destroy(&parked->unsent);
	free(parked);
}

/* Returns false when there is nothing left to do for this connection. */
static bool parked_advance(rlk_parked *parked)
{
	char ignored[512];
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
	do {
		n = rlk_stream_receive(parked->fd, parked->tls, ignored, sizeof(ignored));
	} while (n > 0);
	return n == RLK_SOCKET_AGAIN;
}

static void drop_oldest(rlk_park *park)
{
	rlk_parked **link = &park->first;

	while ((*link)->next != NULL)
		link = &(*link)->next;
	parked_free(park, *link);
	*link = NULL;
}

void rlk_park_add(rlk_park *park, int fd, rlk_tls *tls, rlk_buf *unsent, int64_t deadline_at_ms)
{
	rlk_parked *parked = calloc(1, sizeof(*parked));

	if (parked == NULL) {
		rlk_stream_close(fd, tls);
		return;
	}
	parked->fd = fd;
	parked->tls = tls;
	parked->unsent = *unsent;
	*unsent = (rlk_buf)RLK_BUF_INIT;
	parked->deadline_at_ms = deadline_at_ms;
	if (parked->unsent.len == 0)
		rlk_socket_finish_sending(fd);
	parked->next = park->first;
	park->first = parked;
	park->count++;
	if (park->count > RLK_PARK_MAX)
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
		rlk_parked *parked = *link;

		if (parked->deadline_at_ms > now_ms && parked_advance(parked)) {
			link = &parked->next;
			continue;
		}
		*link = parked->next;
		parked_free(park, parked);
	}
}

void rlk_park_clear(rlk_park *park)
{
	while (park->first != NULL) {
		rlk_parked *parked = park->first;

		park->first = parked->next;
		parked_free(park, parked);
	}
}
