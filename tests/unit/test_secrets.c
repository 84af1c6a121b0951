/* unit: add tests/unit/fake_server.c */
/* unit: link -Wl,--wrap=free */
/* unit: POSIX only: it asks the C library for the size of what is freed */
/*
 * No password is left in memory that was given back.
 */
#include "base/rlk_os.h"
#include "fake_server.h"
#include "net/rlk_conn.h"
#include "net/rlk_socket.h"
#include "unit.h"

#include <malloc.h>
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_DEFINED(memory, size) 0
#endif

#define PASSWORD "never-to-be-seen"

void __real_free(void *memory);
void __wrap_free(void *memory);

static int left;
static _Thread_local bool is_client; /* the server is another thread */

void __wrap_free(void *memory)
{
	size_t size = memory != NULL ? malloc_usable_size(memory) : 0;

	/* What was never written may be looked at, too. */
	(void)VALGRIND_MAKE_MEM_DEFINED(memory, size);
	if (is_client && size > 0 && memmem(memory, size, RLK_STR(PASSWORD).data, strlen(PASSWORD)) != NULL)
		left++;
	__real_free(memory);
}

static fake_server fake;
static rlk_server server;
static rlk_conn conn;
static rlk_error err;

static bool begin(const char *script)
{
	left = 0;
	is_client = true;
	rlk_error_clear(&err);
	rlk_server_init(&server, 2000, 2000);
	if (!fake_server_start(&fake, script) || !fake_server_address(&fake, &server) ||
		!rlk_str_store(&server.password, RLK_STR(PASSWORD)))
		return false;
	rlk_conn_init(&conn, &server, NULL);
	return true;
}

static const char *end(void)
{
	const char *verdict;

	rlk_conn_close(&conn);
	rlk_server_destroy(&server);
	verdict = fake_server_end(&fake);
	return left == 0 ? verdict : "a password is in memory that was freed";
}

static void of_a_connection_that_opens(void)
{
	CHECK(begin("EXPECT AUTH " PASSWORD "\nSEND +OK\nEXPECT-CLOSE"));
	CHECK(rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, rlk_deadline_in(2000), &err));
	CHECK_STR(end(), "");
}

static void of_one_that_is_refused(void)
{
	CHECK(begin("EXPECT AUTH " PASSWORD "\nSEND -WRONGPASS no\nEXPECT-CLOSE"));
	CHECK(!rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, rlk_deadline_in(2000), &err));
	CHECK_STR(end(), "");
}

/* With the request still queued. */
static void of_one_that_breaks(void)
{
	const rlk_str auth[] = { RLK_STR("AUTH"), RLK_STR(PASSWORD) };

	CHECK(begin("EXPECT AUTH " PASSWORD "\nSEND +OK\nEXPECT-CLOSE"));
	CHECK(rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, rlk_deadline_in(2000), &err));
	CHECK(rlk_conn_append(&conn, auth, 2, &err));
	rlk_conn_close(&conn);
	CHECK_STR(end(), "");
}

/* Some of it has not left when nobody waits any more. */
static void of_one_that_is_drained(void)
{
	const rlk_str auth[] = { RLK_STR("AUTH"), RLK_STR(PASSWORD) };
	rlk_drain_list drain = { 0 };

	CHECK(begin("EXPECT AUTH " PASSWORD "\nSEND +OK\nEXPECT AUTH ...\nCLOSE"));
	conn.drain = &drain;
	CHECK(rlk_conn_open(&conn, RLK_CONN_WHEN_ANSWERED, rlk_deadline_in(2000), &err));
	CHECK(rlk_conn_append(&conn, auth, 2, &err));
	rlk_conn_abandon(&conn, rlk_clock_now_ms() + 2000);
	rlk_drain_clear(&drain);
	CHECK_STR(end(), "");
}

int main(void)
{
	RUN(of_a_connection_that_opens);
	RUN(of_one_that_is_refused);
	RUN(of_one_that_breaks);
	RUN(of_one_that_is_drained);
	return unit_done();
}
