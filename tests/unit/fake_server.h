/*
 * fake_server: a server in a thread that plays a script on a unix socket, on Windows on a port of TCP.
 *
 *     EXPECT SET k * NX PX 1000   reads a request, after accepting a connection when there is none; * is any
 *                                 argument, ... all further ones, (text) the text of a script
 *     SEND +OK                    sends a line; \r and \n are written out
 *     SENDRAW +O                  the same without an end of line
 *     DELAY 20                    waits so many ms
 *     TELL                        has an AWAIT of another server go on, now or later
 *     AWAIT                       waits for a TELL
 *     CLOSE                       closes the connection
 *     GONE                        takes no further connections
 *     EXPECT-CLOSE                waits until the client closes it; a request before that is an error
 *     SILENCE                     reads whatever comes until the client closes
 *     SERVE                       from here on every request on any number of connections gets the answer of the first line
 *                                 below that fits it, "SET k ... => +OK", until the test ends
 */
#ifndef FAKE_SERVER_H
#define FAKE_SERVER_H

#include "net/rlk_server.h"

#include <pthread.h>
#include <stdbool.h>

/* A connection, with what came and nobody has read yet. */
typedef struct {
	int fd; /* -1: there is none */
	bool ended;
	size_t len, at;
	char in[1024];
} fake_stream;

typedef struct {
	char path[64]; /* of the socket; "" with a port */
	uint16_t port;
	const char *script;
	int listener;
	fake_stream stream;
	pthread_t thread;
	bool serves;       /* the script ends with SERVE */
	char verdict[512]; /* "" while all goes by the script */
} fake_server;

/* Listens, and starts to play. The script is borrowed. false: the system lacks something. */
bool fake_server_start(fake_server *server, const char *script);

/* Writes the address of the fake server into *named, which is initialised and has none yet. false: memory is out. */
bool fake_server_address(const fake_server *server, rlk_server *named);

/* Waits for the end of the script: "" when it was played, else what came in its place. */
const char *fake_server_end(fake_server *server);

#endif
