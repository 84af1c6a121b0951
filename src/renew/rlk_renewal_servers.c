/*
 * rlk_renewal_servers: what the child is told of the servers: addresses, handshake, certificates.
 *
 * An entry of the area describes a server of a lock, or the service or Cluster
 * that it is part of. Entries that no lock needs make room for others.
 */
#include "renew/rlk_renewal_own.h"

#include "net/rlk_address.h"
#include "net/rlk_conn.h"
#include "net/rlk_socket.h"

#include <stdio.h>
#include <stdlib.h>

/* Reading the certificates takes as long as all the rest that a lock costs a later request. */
#define CERTIFICATES_EVERY_MS 1000

/* A process that does not need the answer itself waits this long for the name service. */
#define RESOLVE_WITHIN_MS 20

static bool describe(rlk_area_server *entry, const rlk_server *server, rlk_error *err)
{
	bool fits = rlk_area_server_describe(entry, server);

	if (fits && (server->transport != RLK_TRANSPORT_TLS || rlk_tls_fingerprint(&server->tls, entry->tls_options)))
		return true;
	rlk_error_set(err, RLK_ERR_RENEWAL, 0,
		fits ? "out of memory for the renewal child" : "the credentials are too long for the renewal child");
	return false;
}

static bool is_named(const rlk_area *area, const rlk_area_server *entry)
{
	bool named = rlk_area_server_has_name(entry);

	for (uint32_t i = 0; i < entry->seed_count; i++)
		named = named || rlk_area_server_has_name(&area->servers[entry->seeds[i]]);
	return named;
}

static int lookup_count(const rlk_renewal_lock *lock)
{
	return lock->topology != NULL ? (int)lock->topology->seed_count : lock->server_count;
}

static const rlk_server *server_at(const rlk_renewal_lock *lock, int lookup)
{
	return lock->topology != NULL ? &lock->topology->seeds[lookup] : &lock->servers[lookup];
}

bool rlk_servers_want_addresses(const rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_lookup **lookups)
{
	bool any = false;

	for (int i = 0; i < lookup_count(lock); i++) {
		if (rlk_servers_is_known(renewal, &lock->known[lock->topology != NULL ? 0 : i]))
			continue;
		if (*lookups == NULL)
			*lookups = calloc((size_t)lookup_count(lock), sizeof(**lookups));
		if (*lookups == NULL)
			return true;
		(*lookups)[i].wanted = true;
		any = any || !(*lookups)[i].done;
	}
	return any;
}

/* A single server is worth waiting for: the lock is acquired there. */
static void resolve_single(const rlk_renewal_lock *lock, rlk_lookup *lookup)
{
	const rlk_server *server = server_at(lock, 0);
	rlk_deadline until =
		rlk_deadline_within(rlk_deadline_for_one_more(lock->deadline), rlk_clock_now_ms() + server->connect_timeout_ms);

	lookup->found = rlk_address_resolve(server, lock->hooks, until, &lookup->addresses, &lookup->err);
	lookup->done = true;
}

bool rlk_servers_resolve(const rlk_renewal_lock *lock, rlk_lookup *lookups)
{
	int64_t until_ms = rlk_clock_now_ms() + RESOLVE_WITHIN_MS;
	bool any_late = false;

	if (lookup_count(lock) == 1) {
		resolve_single(lock, lookups);
		return false;
	}
	for (int i = 0; i < lookup_count(lock); i++) {
		rlk_lookup *lookup = &lookups[i];

		if (!lookup->wanted || lookup->done)
			continue;
		lookup->found = rlk_address_begin_query(server_at(lock, i), &lookup->query, &lookup->addresses, &lookup->err);
		lookup->done = true;
	}
	for (int i = 0; i < lookup_count(lock); i++) {
		rlk_lookup *lookup = &lookups[i];

		if (lookup->query == NULL)
			continue;
		lookup->late = rlk_socket_wait(rlk_query_fd(lookup->query), RLK_SOCKET_READABLE, until_ms) != 1;
		lookup->found = rlk_address_end_query(lookup->query, &lookup->addresses, &lookup->err);
		lookup->query = NULL;
		any_late = any_late || lookup->late;
	}
	return any_late;
}

/* A seed may be unknown to the name service now, and known later; any name may be known later if the answer takes long. */
static bool describe_server(rlk_area_server *entry, const rlk_server *server, const rlk_lookup *lookup, bool seed,
	rlk_error *err)
{
	memset(entry, 0, sizeof(*entry));
	if (!lookup->found && !lookup->late && (!seed || lookup->err.code != RLK_ERR_CONNECT)) {
		rlk_error_adopt(err, &lookup->err);
		rlk_error_set_node(err, server->uri);
		return false;
	}
	if (lookup->found)
		entry->addresses[0] = lookup->addresses;
	else
		atomic_store(&entry->state, RLK_ENTRY_ASKED);
	if ((!lookup->found || rlk_address_has_name(server)) && strlen(server->host) < sizeof(entry->host)) {
		strcpy(entry->host, server->host);
		entry->port = server->port;
	}
	return describe(entry, server, err);
}

/* Loads the certificates for this server and all others with the same options. If the files have changed, a new worker gets
 * them; if none can be started, nothing has changed. */
static void load_certificates(rlk_renewal *renewal, uint32_t index, const rlk_server *server)
{
	const rlk_area_server *servers = renewal->slots.area->servers;
	rlk_server_book *books = renewal->slots.books;
	rlk_tls_context *others[RLK_AREA_SERVERS_MAX] = { NULL };
	bool changed = false;

	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++) {
		if (books[i].number != 0 && servers[i].server.transport == RLK_TRANSPORT_TLS &&
			memcmp(servers[i].tls_options, servers[index].tls_options, sizeof(servers[i].tls_options)) == 0)
			others[i] = rlk_tls_context_get(&server->tls, NULL);
		if (others[i] != NULL)
			others[i] = atomic_exchange(&books[i].tls, others[i]);
		changed = changed || (others[i] != NULL && others[i] != atomic_load(&books[i].tls));
	}
	if (changed && renewal->worker.backend != NULL && !rlk_renewal_replace_worker(renewal, NULL)) {
		for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++)
			others[i] = others[i] != NULL ? atomic_exchange(&books[i].tls, others[i]) : NULL;
	}
	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++)
		rlk_tls_context_release(others[i]);
}

/* Returns the number of the entry. -1: no room, or there is no description. Certificates are loaded here: the child may be in
 * another root, or not be allowed to read them. */
static int enter_server(rlk_renewal *renewal, rlk_area_server *description, const rlk_server *server, bool described,
	rlk_error *err)
{
	bool tls = described && server->transport == RLK_TRANSPORT_TLS;
	rlk_tls_context *context = tls ? rlk_tls_context_get(&server->tls, err) : NULL;
	uint64_t entered = renewal->slots.servers_entered;
	int index = -1;

	if (tls && context == NULL)
		rlk_error_set_node(err, server->uri);
	else if (described)
		index = rlk_slots_enter_server(&renewal->slots, description, err);

	rlk_wipe(description->texts, sizeof(description->texts)); /* the password is among them */
	if (index >= 0 && renewal->slots.servers_entered != entered) {
		atomic_store(&renewal->slots.books[index].tls, context);
		renewal->slots.books[index].request = renewal->request;
		return index;
	}
	if (context != NULL && index >= 0)
		load_certificates(renewal, (uint32_t)index, server);
	rlk_tls_context_release(context);
	return index;
}

/* A service or a Cluster, and its seeds. */
static bool describe_topology(rlk_renewal *renewal, rlk_area_server *entry, const rlk_renewal_lock *lock,
	const rlk_lookup *lookups, rlk_error *err)
{
	size_t seeds = lock->topology->seed_count;

	memset(entry, 0, sizeof(*entry));
	entry->kind = lock->topology->kind;
	if (entry->kind == RLK_TOPOLOGY_SENTINEL)
		snprintf(entry->service, sizeof(entry->service), "%s", lock->topology->service);
	for (size_t i = 0; i < seeds && i < RLK_AREA_SEEDS_MAX; i++) {
		const rlk_server *seed = &lock->topology->seeds[i];
		rlk_area_server description;
		bool described = describe_server(&description, seed, &lookups[i], true, err);
		int index = enter_server(renewal, &description, seed, described, err);

		if (index < 0)
			return false;
		entry->seeds[entry->seed_count++] = (uint32_t)index;
	}
	return describe(entry, lock->servers, err);
}

/* A server stays known while the name service does not answer. */
static bool stays_known(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_lookup *lookups, int server)
{
	rlk_renewal_server *known = &lock->known[server];
	int from = lock->topology != NULL ? 0 : server, to = lock->topology != NULL ? lookup_count(lock) : server + 1;
	bool found = true;

	for (int i = from; i < to; i++)
		found = found && lookups[i].found;
	if (found || !rlk_servers_is_entered(renewal, known))
		return false;
	renewal->slots.books[known->index].resolved_at_ms = rlk_clock_now_ms();
	return true;
}

/* Resolving a name and comparing descriptions happens once per connection, not once per lock. */
static bool enter_server_of(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_lookup *lookups, int server,
	rlk_error *err)
{
	rlk_renewal_server *known = &lock->known[server];
	rlk_area_server description;
	const rlk_area *area = renewal->slots.area;
	rlk_server_book *book;
	bool described;
	int index;

	if (rlk_servers_is_known(renewal, known) || stays_known(renewal, lock, lookups, server))
		return true;
	described = lock->topology != NULL ?
		describe_topology(renewal, &description, lock, lookups, err) :
		describe_server(&description, &lock->servers[server], &lookups[server], false, err);
	index = enter_server(renewal, &description, &lock->servers[server], described, err);
	if (index < 0)
		return false;
	book = &renewal->slots.books[index];
	*known = (rlk_renewal_server){ index, book->number };
	book->certificates_at_ms = rlk_clock_now_ms();
	book->resolved_at_ms = is_named(area, &area->servers[index]) ? book->certificates_at_ms : RLK_NEVER;
	return true;
}

/* Drops the servers that no lock needs, if there may be no room otherwise: servers change their addresses as long as a
 * process lives. The worker must not know them any more, so a new one is started. */
static bool make_room(rlk_renewal *renewal, const rlk_renewal_lock *lock, rlk_error *err)
{
	size_t seeds = lock->topology != NULL ? lock->topology->seed_count : 0, free_entries = 0, unknown = 0;
	bool needed[RLK_AREA_SERVERS_MAX], replaced = false;

	for (int i = 0; i < lock->server_count; i++)
		unknown += rlk_servers_is_known(renewal, &lock->known[i]) ? 0 : 1 + seeds;
	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++)
		free_entries += renewal->slots.books[i].number == 0;
	if (free_entries >= unknown)
		return true;
	rlk_slots_needed_servers(&renewal->slots, needed);
	for (int i = 0; i < lock->server_count; i++) {
		if (rlk_servers_is_entered(renewal, &lock->known[i]))
			needed[lock->known[i].index] = true;
	}
	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++) {
		rlk_area_server *entry = &renewal->slots.area->servers[i];

		if (needed[i] || renewal->slots.books[i].number == 0)
			continue;
		if (!replaced && renewal->worker.backend != NULL && !rlk_renewal_replace_worker(renewal, err))
			return false;
		replaced = true;
		rlk_tls_context_release(atomic_exchange(&renewal->slots.books[i].tls, NULL));
		memset(entry, 0, sizeof(*entry));
		renewal->slots.books[i].number = 0;
	}
	return true;
}

bool rlk_servers_enter(rlk_renewal *renewal, const rlk_renewal_lock *lock, const rlk_lookup *lookups, rlk_error *err)
{
	bool found = false;
	rlk_error local;

	if (!make_room(renewal, lock, err))
		return false;
	rlk_error_clear(&local);
	for (int i = 0; i < lock->server_count; i++)
		found = enter_server_of(renewal, lock, lookups, i, &local) || found;
	if (!found)
		rlk_error_adopt(err, &local);
	return found;
}

/* A server may refuse us since our certificate has expired, and the new one may be there already. */
void rlk_renewal_reload_certificates(rlk_renewal *renewal, const rlk_renewal_server *known, const rlk_server *server)
{
	rlk_area_server *servers, *entry;
	bool asked;

	rlk_mutex_lock(&renewal->mutex);
	if (rlk_servers_is_entered(renewal, known)) {
		servers = renewal->slots.area->servers;
		entry = &servers[known->index];
		asked = atomic_load(&entry->state) == RLK_ENTRY_ASKED;
		for (uint32_t i = 0; i < entry->seed_count; i++)
			asked = asked || atomic_load(&servers[entry->seeds[i]].state) == RLK_ENTRY_ASKED;
		if (asked && server->transport == RLK_TRANSPORT_TLS)
			load_certificates(renewal, (uint32_t)known->index, server);
	}
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_servers_refresh_certificates(rlk_renewal *renewal, const rlk_renewal_lock *lock)
{
	for (int i = 0; i < lock->server_count; i++) {
		const rlk_renewal_server *known = &lock->known[i];
		rlk_server_book *book = &renewal->slots.books[known->index];

		if (!rlk_servers_is_entered(renewal, known) || lock->servers[i].transport != RLK_TRANSPORT_TLS ||
			book->certificates_at_ms > renewal->request_at_ms - CERTIFICATES_EVERY_MS)
			continue;
		book->certificates_at_ms = rlk_clock_now_ms();
		load_certificates(renewal, (uint32_t)known->index, &lock->servers[i]);
	}
}

/* --- names that the child asks about ------------------------------------------------------------ */

typedef struct {
	rlk_renewal *renewal;
	uint32_t index; /* of the entry */
	uint64_t number;
	char host[RLK_HOST_MAX];
	uint16_t port;
} question;

/* Does the child wait for something of this server that a name can tell? */
static bool is_asked(rlk_area_server *entry)
{
	if (atomic_load(&entry->state) == RLK_ENTRY_ASKED && entry->host[0] != '\0')
		return true;
	if (atomic_load(&entry->state) == RLK_ENTRY_ASKED)
		atomic_store(&entry->state, RLK_ENTRY_FINE);
	return false;
}

/* The next question from entry `from` on, allocated. NULL: there is none, or no memory. */
static question *next_question(rlk_renewal *renewal, uint32_t from)
{
	uint32_t used = renewal->slots.area != NULL ? atomic_load(&renewal->slots.area->servers_used) : 0;
	const rlk_slots *slots = &renewal->slots;

	for (uint32_t i = from; i < used; i++) {
		rlk_area_server *entry = &slots->area->servers[i];
		question *q;

		if (slots->books[i].number == 0 || slots->books[i].resolving == slots->books[i].number || !is_asked(entry))
			continue;
		q = malloc(sizeof(*q));
		if (q == NULL)
			return NULL;
		*q = (question){ .renewal = renewal, .index = i, .number = slots->books[i].number, .port = entry->port };
		memcpy(q->host, entry->host, sizeof(q->host));
		return q;
	}
	return NULL;
}

/* Frees the question. Another thread may have asked the same, the entry be another server's, or there be no area any more,
 * and no number with it. If nothing was found (NULL), the old addresses stay: they may come back before the name service
 * does. */
static void answer(question *q, const rlk_addresses *found)
{
	rlk_server_book *book = &q->renewal->slots.books[q->index];
	rlk_area_server *entry = book->number == q->number ? &q->renewal->slots.area->servers[q->index] : NULL;

	if (entry != NULL)
		book->resolving = 0;
	if (entry != NULL && atomic_load(&entry->state) == RLK_ENTRY_ASKED && entry->port == q->port &&
		strcmp(entry->host, q->host) == 0) {
		bool single = entry->kind == RLK_TOPOLOGY_SINGLE;
		uint32_t other = 1 - atomic_load(&entry->current);

		if (!single) {
			entry->answer = found != NULL ? rlk_address_from_list(found, 0) : (rlk_address){ 0 };
		} else if (found != NULL) {
			entry->addresses[other] = *found;
			atomic_store(&entry->current, other);
		}
		atomic_store(&entry->state, single ? RLK_ENTRY_FINE : RLK_ENTRY_ANSWERED);
	}
	free(q);
}

/* In the resolver's thread. */
static void answer_late(void *arg, const rlk_addresses *found)
{
	question *q = arg;
	rlk_renewal *renewal = q->renewal;

	rlk_mutex_lock(&renewal->mutex);
	answer(q, found);
	rlk_worker_wake(&renewal->worker);
	rlk_mutex_unlock(&renewal->mutex);
}

static void resolve_asked(rlk_renewal *renewal, int64_t until_ms)
{
	question *q;

	rlk_mutex_lock(&renewal->mutex);
	for (uint32_t next = 0; (q = next_question(renewal, next)) != NULL;) {
		rlk_addresses addresses;
		char port[8];
		int code;

		next = q->index + 1;
		snprintf(port, sizeof(port), "%u", (unsigned)q->port);
		renewal->slots.books[q->index].resolving = q->number;
		rlk_mutex_unlock(&renewal->mutex);
		code = rlk_address_resolve_name(q->host, port, NULL, until_ms, answer_late, q, &addresses);
		rlk_mutex_lock(&renewal->mutex);
		if (code != RLK_ADDRESS_LATE)
			answer(q, code == 0 && addresses.count > 0 ? &addresses : NULL);
	}
	rlk_mutex_unlock(&renewal->mutex);
}

void rlk_renewal_resolve(rlk_renewal *renewal)
{
	resolve_asked(renewal, rlk_clock_now_ms() + RESOLVE_WITHIN_MS);
}

void rlk_servers_resolve_later(rlk_renewal *renewal)
{
	resolve_asked(renewal, 0);
}

void rlk_servers_release(rlk_renewal *renewal)
{
	for (int i = 0; i < RLK_AREA_SERVERS_MAX; i++)
		rlk_tls_context_release(atomic_load(&renewal->slots.books[i].tls));
}
