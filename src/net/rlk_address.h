/*
 * rlk_address: one numeric address of a server, the list that the system connects to, and how a name becomes a list.
 *
 * Both types have a fixed size and no pointers, because they are also copied to the renewal child, which must not
 * resolve names. Only rlk_address_resolve() allocates or waits.
 */
#ifndef RLK_ADDRESS_H
#define RLK_ADDRESS_H

#include "base/rlk_deadline.h"
#include "base/rlk_error.h"
#include "base/rlk_str.h"
#include "net/rlk_await.h"
#include "net/rlk_server.h"

#include <stdint.h>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <sys/socket.h>
#endif

/* Further addresses of a host name are not used. */
#define RLK_ADDRESSES_MAX 8

/* Longest host in a reply of a server: a name has 253 bytes at most. */
#define RLK_HOST_MAX 256

/* Socket addresses of one server, TCP or unix. */
typedef struct {
	int count;
	struct {
		socklen_t len;
		struct sockaddr_storage addr;
	} item[RLK_ADDRESSES_MAX];
} rlk_addresses;

/* One numeric TCP address, small enough to be stored and compared. */
typedef struct {
	uint8_t family; /* 4, 6, or 0: none */
	uint8_t ip[16];
	uint16_t port;
	uint32_t scope; /* of a link-local IPv6 address */
} rlk_address;

bool rlk_address_equal(const rlk_address *a, const rlk_address *b);

/* Reads a numeric address. false: it is a name, or empty. */
bool rlk_address_parse(rlk_str host, uint16_t port, rlk_address *address);

/* A decimal port, 1 to 65535. 0: the text is no port. */
uint16_t rlk_address_parse_port(rlk_str text);

/* Convert from and to the list of the system. A unix socket gives family 0. */
rlk_address rlk_address_from_list(const rlk_addresses *addresses, int index);
void rlk_address_to_list(const rlk_address *address, rlk_addresses *addresses);

/* The other end of a socket, without asking a name service. false, or family 0: it is not connected. */
bool rlk_address_list_peer(int fd, rlk_addresses *peer);
rlk_address rlk_address_of_peer(int fd);

/* A question to the system's resolver without an answer yet, in a thread of its own. */
typedef struct rlk_query rlk_query;

/* The addresses of a server, in the resolver's order of preference. Numeric addresses and unix paths do no I/O; the system's
 * resolver is asked for a name, until the deadline, waiting in the loop of the host; hooks may be NULL. false: *err is
 * RLK_ERR_CONNECT, or RLK_ERR_INTERRUPTED: the host stops the wait. */
bool rlk_address_resolve(const rlk_server *server, const rlk_hooks *hooks, rlk_deadline deadline, rlk_addresses *out,
	rlk_error *err);

/* The same without waiting. If *query is not NULL afterwards, rlk_query_fd() becomes readable when the answer is there,
 * and rlk_address_end_query() takes it. Called earlier, rlk_address_end_query() reports that there is no answer in
 * time. It ends the question in any case. */
bool rlk_address_begin_query(const rlk_server *server, rlk_query **query, rlk_addresses *out, rlk_error *err);
bool rlk_address_end_query(rlk_query *query, rlk_addresses *out, rlk_error *err);
int rlk_query_fd(const rlk_query *query);

/* Is the server configured by a host name, whose addresses may change? */
bool rlk_address_has_name(const rlk_server *server);

/* Have they the same transport, address and port, however the address is written? URIs do not tell, since long ones are cut. */
bool rlk_address_is_same(const rlk_server *a, const rlk_server *b);

/* Differ from all codes of getaddrinfo(). LATE: it has not answered in time. STOPPED: the host stops the wait. */
#define RLK_ADDRESS_LATE INT32_MIN
#define RLK_ADDRESS_STOPPED (INT32_MIN + 1)

/* Receives an answer that comes late, in another thread. `found` NULL: there is no address. */
typedef void (*rlk_address_late)(void *arg, const rlk_addresses *found);

/* Calls getaddrinfo() with a time limit; *out takes as many addresses as it has room for. Returns 0, a code for
 * gai_strerror(), or RLK_ADDRESS_LATE. A numeric address is read at once. getaddrinfo() may take many seconds and
 * cannot be stopped, so it runs in a thread of its own, which is abandoned when it is late. Then late(arg) will be
 * called, unless `late` is NULL. The hooks may be NULL. On Windows there is no limit, and the call blocks. */
int rlk_address_resolve_name(const char *host, const char *port, const rlk_hooks *hooks, int64_t deadline_at_ms,
	rlk_address_late late, void *arg, rlk_addresses *out);

/* The same without waiting. RLK_ADDRESS_LATE: unless *query is NULL, rlk_query_end() will have the answer. *query is
 * also NULL if too many earlier questions for this name were abandoned. */
int rlk_query_begin(const char *host, const char *port, rlk_query **query, rlk_addresses *out);
int rlk_query_end(rlk_query *query, rlk_addresses *out);

/* Called at the end of a request: forgets the waits of this thread in the loop of a host that never resumes them. */
void rlk_address_forget_suspended(void);

/* --- inside ----------------------------------------------------------------------------------- */

/* One call of getaddrinfo() with these flags, for the implementations of rlk_address_resolve_name(). */
int rlk_address_resolve_now(const char *host, const char *port, int flags, rlk_addresses *out);

#endif
