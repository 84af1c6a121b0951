/*
 * rlk_area: see the header.
 *
 * A slot that is given back keeps its bytes of the arena, so locks with similar
 * names come and go without a search. When the arena is half full and no slot
 * is in use, it starts afresh.
 */
#include "renew/rlk_area.h"

#include <errno.h>

bool rlk_slots_init(rlk_slots *slots, rlk_error *err)
{
	char text[96];
	int sys_errno;

	slots->area = rlk_os_map(sizeof(rlk_area), true);
	if (slots->area != NULL)
		return true;
	sys_errno = errno;
	rlk_error_set(err, RLK_ERR_RENEWAL, sys_errno, "there is no memory to share with a renewal child: mmap: %s",
		rlk_error_strerror(sys_errno, text, sizeof(text)));
	return false;
}

void rlk_slots_destroy(rlk_slots *slots)
{
	if (slots->area != NULL)
		rlk_os_unmap(slots->area, sizeof(rlk_area));
	*slots = (rlk_slots){ .servers_entered = slots->servers_entered };
}

/* Does the child read the slot, or another one of the group that it was in last? */
static bool is_visited(const rlk_area *area, uint32_t index)
{
	uint32_t visited = atomic_load(&area->visited);

	return visited != 0 && area->slots[visited - 1].leader == area->slots[index].leader;
}

/* A leader that was just taken is still FREE, but not free. */
static int find_free(rlk_slots *slots, int leader)
{
	uint32_t used = atomic_load(&slots->area->slots_used), from = slots->first_maybe_free, i;
	uint32_t passed_over = RLK_SLOTS_MAX;

	for (i = from; i < used; i++) {
		uint32_t state = atomic_load(&slots->area->slots[i].state);

		if (state == RLK_SLOT_RELEASED)
			rlk_slots_give_back(slots, (int)i);
		else if (state != RLK_SLOT_FREE || (int)i == leader)
			continue;
		if (!is_visited(slots->area, i))
			break;
		passed_over = i;
	}
	slots->first_maybe_free = passed_over < i ? passed_over : i;
	if (i < RLK_SLOTS_MAX)
		return (int)i;
	/* The child may have released slots before the first meanwhile. */
	slots->first_maybe_free = 0;
	return from > 0 ? find_free(slots, leader) : RLK_SLOT_NONE;
}

static rlk_piece put(rlk_area *area, uint32_t *at, rlk_str s)
{
	rlk_piece piece = { *at, (uint32_t)s.len };

	if (s.len > 0)
		memcpy(area->arena + *at, s.data, s.len);
	*at += (uint32_t)s.len;
	return piece;
}

/* Adds a slot to the end of a group. */
static void join_group(rlk_slot *slots, int leader, int member)
{
	rlk_slot *last = &slots[leader];

	while (last->next != RLK_SLOT_NONE)
		last = &slots[last->next];
	slots[member].leader = leader;
	slots[member].leader_generation = atomic_load(&slots[leader].generation);
	atomic_store(&slots[member].state, RLK_SLOT_MEMBER);
	last->next = member;
}

int rlk_slots_take(rlk_slots *slots, const rlk_slot_strings *strings, uint32_t server, int leader, rlk_error *err)
{
	rlk_str waiters = strings->waiters.len <= RLK_SLOT_WAITERS_MAX ? strings->waiters : RLK_STR("");
	size_t need = strings->key.len + strings->token.len + strings->resting.len + waiters.len;
	int index = find_free(slots, leader);
	rlk_piece *block;
	rlk_slot *slot;
	uint32_t at;

	if (index == RLK_SLOT_NONE) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0, "more than %d process-bound locks in one process", RLK_SLOTS_MAX);
		return RLK_SLOT_NONE;
	}
	if (slots->in_use == 0 && slots->arena_used > RLK_ARENA_BYTES / 2 && atomic_load(&slots->area->visited) == 0) {
		slots->arena_used = 0;
		memset(slots->area->blocks, 0, sizeof(slots->area->blocks));
	}
	block = &slots->area->blocks[index];
	if (block->len < need) {
		if (need > RLK_ARENA_BYTES - slots->arena_used) {
			rlk_error_set(err, RLK_ERR_RENEWAL, 0, "no room for the names of all process-bound locks");
			return RLK_SLOT_NONE;
		}
		*block = (rlk_piece){ slots->arena_used, (uint32_t)need };
		slots->arena_used += (uint32_t)need;
	}
	slot = &slots->area->slots[index];
	at = block->at;
	atomic_fetch_add(&slot->generation, 1);
	atomic_store_explicit(&slot->renewed, 0, memory_order_relaxed);
	atomic_store_explicit(&slot->unrenewed, 0, memory_order_relaxed);
	slot->key = put(slots->area, &at, strings->key);
	slot->token = put(slots->area, &at, strings->token);
	slot->resting = put(slots->area, &at, strings->resting);
	slot->waiters = put(slots->area, &at, waiters);
	slot->server = server;
	slot->replicas = (rlk_replicas){ 0, 0 };
	slot->leader = index;
	slot->next = RLK_SLOT_NONE;
	slot->server_count = 1;
	slots->in_use++;
	if ((uint32_t)index == slots->first_maybe_free)
		slots->first_maybe_free++;
	if ((uint32_t)index == atomic_load(&slots->area->slots_used))
		atomic_store(&slots->area->slots_used, (uint32_t)index + 1);
	if (leader != RLK_SLOT_NONE)
		join_group(slots->area->slots, leader, index);
	return index;
}

void rlk_slots_give_back(rlk_slots *slots, int index)
{
	/* The members before their leader, so that none of them ever follows another lock. */
	if (slots->area->slots[index].next != RLK_SLOT_NONE) {
		rlk_slots_give_back(slots, slots->area->slots[index].next);
		slots->area->slots[index].next = RLK_SLOT_NONE;
	}
	atomic_store(&slots->area->slots[index].state, RLK_SLOT_FREE);
	slots->in_use--;
	if ((uint32_t)index < slots->first_maybe_free)
		slots->first_maybe_free = (uint32_t)index;
}

void rlk_slots_leave_to_child(rlk_slots *slots, int index)
{
	atomic_store(&slots->area->slots[index].state, RLK_SLOT_RELEASE);
	if ((uint32_t)index < slots->first_maybe_free)
		slots->first_maybe_free = (uint32_t)index;
}

/* The texts that a connection needs. NULL: those are all. */
static char **text_of(rlk_area_server *entry, int number)
{
	rlk_server *server = &entry->server;
	char **texts[] = { &server->host, &server->user, &server->password, &server->client_name, &server->tls.peer_name,
		NULL };

	return texts[number];
}

bool rlk_area_server_describe(rlk_area_server *entry, const rlk_server *server)
{
	rlk_buf texts = rlk_buf_in(entry->texts, sizeof(entry->texts));

	entry->server = *server;
	entry->server.path = NULL;
	entry->server.tls = (rlk_tls_options){ .peer_name = server->tls.peer_name };
	for (int i = 0; text_of(entry, i) != NULL; i++) {
		char **text = text_of(entry, i);
		const char *from = *text;

		if (!rlk_buf_append(&texts, from != NULL ? "+" : "-", 1))
			return false;
		if (from != NULL)
			*text = texts.data + texts.len;
		if (from != NULL && !rlk_buf_append(&texts, from, strlen(from) + 1))
			return false;
	}
	entry->texts_len = (uint32_t)texts.len;
	return true;
}

/* In any order: name services change it each time, and a long-lived process would enter each order as another server. */
static bool are_among(const rlk_addresses *some, const rlk_addresses *all)
{
	for (int i = 0, j; i < some->count; i++) {
		for (j = 0; j < all->count; j++) {
			if (some->item[i].len == all->item[j].len &&
				memcmp(&some->item[i].addr, &all->item[j].addr, (size_t)some->item[i].len) == 0)
				break;
		}
		if (j == all->count)
			return false;
	}
	return true;
}

static bool same_entry(const rlk_area_server *a, const rlk_area_server *b)
{
	return a->kind == b->kind && strcmp(a->service, b->service) == 0 && a->seed_count == b->seed_count &&
		memcmp(a->seeds, b->seeds, sizeof(a->seeds)) == 0 &&
		(a->kind != RLK_TOPOLOGY_SINGLE || (a->port == b->port && strcmp(a->host, b->host) == 0)) &&
		are_among(rlk_area_server_addresses(a), rlk_area_server_addresses(b)) &&
		are_among(rlk_area_server_addresses(b), rlk_area_server_addresses(a)) &&
		a->server.transport == b->server.transport && a->server.port == b->server.port &&
		a->server.database == b->server.database && a->server.connect_timeout_ms == b->server.connect_timeout_ms &&
		a->server.io_timeout_ms == b->server.io_timeout_ms && a->texts_len == b->texts_len &&
		memcmp(a->texts, b->texts, a->texts_len) == 0 &&
		memcmp(a->tls_options, b->tls_options, sizeof(a->tls_options)) == 0;
}

int rlk_slots_enter_server(rlk_slots *slots, const rlk_area_server *server, rlk_error *err)
{
	uint32_t used = atomic_load(&slots->area->servers_used), place = used;
	rlk_area_server *entry;
	char **text;

	for (uint32_t i = 0; i < used; i++) {
		if (slots->books[i].number == 0)
			place = i;
		else if (same_entry(&slots->area->servers[i], server))
			return (int)i;
	}
	if (place == RLK_AREA_SERVERS_MAX) {
		rlk_error_set(err, RLK_ERR_RENEWAL, 0, "process-bound locks on more than %d servers in one process",
			RLK_AREA_SERVERS_MAX);
		return -1;
	}
	entry = &slots->area->servers[place];
	memcpy(entry, server, sizeof(*server)); /* the child does not read it yet */
	for (int i = 0; (text = text_of(entry, i)) != NULL; i++)
		*text = *text != NULL ? entry->texts + (*text - server->texts) : NULL;
	slots->books[place].number = ++slots->servers_entered;
	if (place == used)
		atomic_store(&slots->area->servers_used, used + 1);
	return (int)place;
}

void rlk_slots_needed_servers(rlk_slots *slots, bool needed[RLK_AREA_SERVERS_MAX])
{
	uint32_t used = atomic_load(&slots->area->slots_used);

	memset(needed, 0, RLK_AREA_SERVERS_MAX * sizeof(*needed));
	for (uint32_t i = 0; i < used; i++) {
		if (atomic_load(&slots->area->slots[i].state) == RLK_SLOT_RELEASED)
			rlk_slots_give_back(slots, (int)i);
	}
	for (uint32_t i = 0; i < used; i++) {
		const rlk_slot *slot = &slots->area->slots[i];
		const rlk_area_server *server = &slots->area->servers[slot->server];

		if (atomic_load(&slot->state) == RLK_SLOT_FREE)
			continue;
		needed[slot->server] = true;
		for (uint32_t j = 0; j < server->seed_count; j++)
			needed[server->seeds[j]] = true;
	}
}
