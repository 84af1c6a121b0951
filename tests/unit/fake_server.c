/*
 * fake_server: see the header. Nothing waits longer than LIMIT_S, so that a test that goes wrong ends.
 */
#include "fake_server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_S 20
#define ARGS_MAX 16
#define ARG_MAX 8192

static bool fail(fake_server *server, const char *line, const char *what)
{
	if (server->verdict[0] == '\0')
		snprintf(server->verdict, sizeof(server->verdict), "%.200s: %.280s", line, what);
	return false;
}

static void close_stream(fake_server *server)
{
	if (server->stream != NULL)
		fclose(server->stream);
	server->stream = NULL;
}

static bool accept_client(fake_server *server)
{
	struct timeval limit = { LIMIT_S, 0 };
	int fd = accept(server->listener, NULL, NULL);

	if (fd < 0)
		return false;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	server->stream = fdopen(fd, "r");
	return server->stream != NULL;
}

/* "*3\r\n" or "$5\r\n"; -1 when it does not come. */
static long read_count(fake_server *server, char kind)
{
	char line[32];

	if (fgets(line, sizeof(line), server->stream) == NULL || line[0] != kind)
		return -1;
	return strtol(line + 1, NULL, 10);
}

/* Reads a request as words with blanks between them. What has lines is the text of a script. */
static bool read_request(fake_server *server, char *words, size_t size)
{
	long argc = read_count(server, '*');
	size_t used = 0;

	words[0] = '\0';
	for (long i = 0; i < argc; i++) {
		long len = read_count(server, '$');

		if (len < 0 || used + (size_t)len + 4 > size)
			return false;
		if (i > 0)
			words[used++] = ' ';
		if (fread(words + used, 1, (size_t)len + 2, server->stream) != (size_t)len + 2)
			return false;
		words[used + (size_t)len] = '\0';
		if (memchr(words + used, '\n', (size_t)len) != NULL)
			len = sprintf(words + used, "(text)");
		used += (size_t)len;
		words[used] = '\0';
	}
	return argc > 0;
}

/* Word by word, up to the end of both. */
static bool matches(const char *wanted, const char *came)
{
	while (*wanted != '\0') {
		size_t want = strcspn(wanted, " "), have = strcspn(came, " ");

		if (strcmp(wanted, "...") == 0)
			return true;
		if (!(want == 1 && *wanted == '*' && have > 0) && (want != have || memcmp(wanted, came, want) != 0))
			return false;
		wanted += want;
		came += have;
		if (*wanted != *came)
			return strcmp(wanted, " ...") == 0;
		if (*wanted == ' ') {
			wanted++;
			came++;
		}
	}
	return *came == '\0';
}

static bool expect(fake_server *server, const char *line, const char *wanted)
{
	char came[ARG_MAX];

	if (server->stream == NULL && !accept_client(server))
		return fail(server, line, "nobody connected");
	if (!read_request(server, came, sizeof(came)))
		return fail(server, line, feof(server->stream) ? "the client closed instead" : "nothing came");
	return matches(wanted, came) || fail(server, line, came);
}

static bool send_bytes(fake_server *server, const char *line, const char *text, const char *end)
{
	char bytes[ARG_MAX];
	size_t len = 0;

	for (; *text != '\0' && len + 3 < sizeof(bytes); text++) {
		if (text[0] == '\\' && (text[1] == 'r' || text[1] == 'n'))
			bytes[len++] = *++text == 'r' ? '\r' : '\n';
		else
			bytes[len++] = *text;
	}
	memcpy(bytes + len, end, strlen(end));
	len += strlen(end);
	return send(fileno(server->stream), bytes, len, MSG_NOSIGNAL) == (ssize_t)len ||
		fail(server, line, "the client does not take it");
}

static bool expect_close(fake_server *server, const char *line, bool silently)
{
	int c;

	while ((c = fgetc(server->stream)) != EOF) {
		if (!silently)
			return fail(server, line, "more came");
	}
	if (!feof(server->stream))
		return fail(server, line, "the client did not close");
	close_stream(server);
	return true;
}

static bool play_line(fake_server *server, const char *line)
{
	const char *blank = strchr(line, ' ');
	const char *rest = blank != NULL ? blank + 1 : "";

	if (strncmp(line, "EXPECT ", 7) == 0)
		return expect(server, line, rest);
	if (strncmp(line, "SEND ", 5) == 0)
		return send_bytes(server, line, rest, "\r\n");
	if (strncmp(line, "SENDRAW ", 8) == 0)
		return send_bytes(server, line, rest, "");
	if (strncmp(line, "DELAY ", 6) == 0) {
		long ms = strtol(rest, NULL, 10);

		nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
		return true;
	}
	if (strcmp(line, "EXPECT-CLOSE") == 0 || strcmp(line, "SILENCE") == 0)
		return expect_close(server, line, line[0] == 'S');
	if (strcmp(line, "CLOSE") == 0) {
		close_stream(server);
		return true;
	}
	if (strcmp(line, "GONE") == 0) {
		close(server->listener);
		server->listener = -1;
		return true;
	}
	return fail(server, line, "is no step");
}

static void *play(void *arg)
{
	fake_server *server = arg;
	char *script = strdup(server->script), *rest = script, *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (line[0] != '\0' && !play_line(server, line))
			break;
	}
	close_stream(server);
	free(script);
	return NULL;
}

bool fake_server_start(fake_server *server, const char *script)
{
	static int number;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { LIMIT_S, 0 };

	memset(server, 0, sizeof(*server));
	server->script = script;
	snprintf(server->path, sizeof(server->path), "/tmp/rlk-unit-%ld-%d.fake", (long)getpid(), ++number);
	strcpy(address.sun_path, server->path);
	server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server->listener < 0 || bind(server->listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
		listen(server->listener, 8) != 0)
		return false;
	setsockopt(server->listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return pthread_create(&server->thread, NULL, play, server) == 0;
}

const char *fake_server_end(fake_server *server)
{
	pthread_join(server->thread, NULL);
	if (server->listener >= 0)
		close(server->listener);
	unlink(server->path);
	return server->verdict;
}
