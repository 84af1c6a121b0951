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
#define RULES_MAX 16
#define CLIENTS_MAX 64

static pthread_mutex_t verdict_mutex = PTHREAD_MUTEX_INITIALIZER;

static bool fail(fake_server *server, const char *line, const char *what)
{
	pthread_mutex_lock(&verdict_mutex);
	if (server->verdict[0] == '\0')
		snprintf(server->verdict, sizeof(server->verdict), "%.200s: %.280s", line, what);
	pthread_mutex_unlock(&verdict_mutex);
	return false;
}

static void close_stream(fake_server *server)
{
	if (server->stream != NULL)
		fclose(server->stream);
	server->stream = NULL;
}

static FILE *accept_client(fake_server *server)
{
	struct timeval limit = { LIMIT_S, 0 };
	int fd = accept(server->listener, NULL, NULL);

	if (fd < 0)
		return NULL;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return fdopen(fd, "r");
}

/* "*3\r\n" or "$5\r\n"; -1 when it does not come. */
static long read_count(FILE *stream, char kind)
{
	char line[32];

	if (fgets(line, sizeof(line), stream) == NULL || line[0] != kind)
		return -1;
	return strtol(line + 1, NULL, 10);
}

/* Reads a request as words with blanks between them. What has lines is the text of a script. */
static bool read_request(FILE *stream, char *words, size_t size)
{
	long argc = read_count(stream, '*');
	size_t used = 0;

	words[0] = '\0';
	for (long i = 0; i < argc; i++) {
		long len = read_count(stream, '$');

		if (len < 0 || used + (size_t)len + 4 > size)
			return false;
		if (i > 0)
			words[used++] = ' ';
		if (fread(words + used, 1, (size_t)len + 2, stream) != (size_t)len + 2)
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

	if (server->stream == NULL && (server->stream = accept_client(server)) == NULL)
		return fail(server, line, "nobody connected");
	if (!read_request(server->stream, came, sizeof(came)))
		return fail(server, line, feof(server->stream) ? "the client closed instead" : "nothing came");
	return matches(wanted, came) || fail(server, line, came);
}

static bool send_bytes(FILE *stream, const char *text, const char *end)
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
	return send(fileno(stream), bytes, len, MSG_NOSIGNAL) == (ssize_t)len;
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

/* --- SERVE ---------------------------------------------------------------------------------------- */

typedef struct {
	const char *wanted, *answer;
} rule;

typedef struct {
	fake_server *server;
	const rule *rules;
	FILE *stream;
	pthread_t thread;
} client;

static void *serve_client(void *arg)
{
	client *one = arg;
	char came[ARG_MAX];

	while (read_request(one->stream, came, sizeof(came))) {
		const rule *fits = one->rules;

		while (fits->wanted != NULL && !matches(fits->wanted, came))
			fits++;
		if (fits->wanted == NULL) {
			fail(one->server, "SERVE", came);
			break;
		}
		if (!send_bytes(one->stream, fits->answer, "\r\n"))
			break; /* it may go when it likes */
	}
	fclose(one->stream);
	return NULL;
}

/* Until the listener is shut down, which is how the test ends it. */
static void serve(fake_server *server, char *lines)
{
	rule rules[RULES_MAX + 1] = { { NULL, NULL } };
	client clients[CLIENTS_MAX];
	int count = 0;
	char *line, *arrow;

	while ((line = strsep(&lines, "\n")) != NULL && count < RULES_MAX) {
		if ((arrow = strstr(line, " => ")) == NULL)
			continue;
		*arrow = '\0';
		rules[count++] = (rule){ line, arrow + 4 };
	}
	for (count = 0; count < CLIENTS_MAX; count++) {
		clients[count] = (client){ .server = server, .rules = rules, .stream = accept_client(server) };
		if (clients[count].stream == NULL ||
			pthread_create(&clients[count].thread, NULL, serve_client, &clients[count]) != 0)
			break;
	}
	while (count-- > 0)
		pthread_join(clients[count].thread, NULL);
}

/* --- the script ----------------------------------------------------------------------------------- */

static bool play_line(fake_server *server, const char *line)
{
	const char *blank = strchr(line, ' ');
	const char *rest = blank != NULL ? blank + 1 : "";

	if (strncmp(line, "EXPECT ", 7) == 0)
		return expect(server, line, rest);
	if (server->stream == NULL &&
		(strncmp(line, "SEND", 4) == 0 || strcmp(line, "EXPECT-CLOSE") == 0 || strcmp(line, "SILENCE") == 0))
		return fail(server, line, "nobody is connected");
	if (strncmp(line, "SEND ", 5) == 0)
		return send_bytes(server->stream, rest, "\r\n") || fail(server, line, "the client does not take it");
	if (strncmp(line, "SENDRAW ", 8) == 0)
		return send_bytes(server->stream, rest, "") || fail(server, line, "the client does not take it");
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
		if (strcmp(line, "SERVE") == 0) {
			serve(server, rest);
			break;
		}
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
	server->serves = strstr(script, "SERVE\n") != NULL;
	snprintf(server->path, sizeof(server->path), "/tmp/rlk-unit-%ld-%d.fake", (long)getpid(), ++number);
	strcpy(address.sun_path, server->path);
	unlink(server->path); /* of one that was killed and had our number */
	server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server->listener < 0 || bind(server->listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
		listen(server->listener, 8) != 0)
		return false;
	setsockopt(server->listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return pthread_create(&server->thread, NULL, play, server) == 0;
}

const char *fake_server_end(fake_server *server)
{
	if (server->serves)
		shutdown(server->listener, SHUT_RDWR);
	pthread_join(server->thread, NULL);
	if (server->listener >= 0)
		close(server->listener);
	unlink(server->path);
	return server->verdict;
}
