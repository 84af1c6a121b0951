/*
 * floor_start: what the first lock of a process with a renewal child cannot cost less than.
 *
 *     floor_start MEGABYTES MAPPINGS SOCKET
 *
 * Touches a heap of that many megabytes, then makes only the system calls without which no such lock is possible, in
 * the order of ours: connect, a pair of sockets, a clone that leaves the heap out, SET and its answer. Prints the nanoseconds that took. With MAPPINGS the process has at least that many, as a PHP process has for
 * its libraries, since a clone pays for each of them.
 *
 * What a real child has to do besides is left out on purpose: finding out what the heap is, shared memory, a token from
 * the random source, signal handlers and masks, watching the parent. That is the distance to be judged.
 */
#include "process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#define KEY "bench:floor_start"

static const char set[] =
	"*6\r\n$3\r\nSET\r\n$17\r\n" KEY "\r\n$8\r\nwhatever\r\n$2\r\nNX\r\n$2\r\nPX\r\n$5\r\n30000\r\n";
static const char del[] = "*2\r\n$3\r\nDEL\r\n$17\r\n" KEY "\r\n";

static int connected(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		fail("connect");
	return fd;
}

static void command(int fd, const char *request, size_t len, const char *answer)
{
	char got[64];

	if (send(fd, request, len, MSG_NOSIGNAL) != (ssize_t)len)
		fail("send");
	if (recv(fd, got, sizeof(got), 0) != (ssize_t)strlen(answer) || memcmp(got, answer, strlen(answer)) != 0)
		fail("unexpected answer");
}

/* The child sleeps until the other end of its socket is gone. */
static long start_child(char *heap, size_t bytes, int fds[2])
{
	char end;
	long pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0 || madvise(heap, bytes, MADV_DONTFORK) != 0)
		fail("cannot prepare");
#ifdef __s390x__
	pid = syscall(SYS_clone, 0, SIGURG, NULL, NULL, 0);
#else
	pid = syscall(SYS_clone, SIGURG, 0, NULL, NULL, 0);
#endif
	if (pid == 0) {
		close(fds[0]);
		_exit(read(fds[1], &end, 1) == 0 ? 0 : 1);
	}
	if (pid < 0)
		fail("clone");
	madvise(heap, bytes, MADV_DOFORK);
	return pid;
}

int main(int argc, char **argv)
{
	size_t bytes;
	char *heap;
	int fds[2], server;
	int64_t started, took;
	long pid;

	if (argc != 4)
		fail("usage: floor_start MEGABYTES MAPPINGS SOCKET");
	bytes = strtoul(argv[1], NULL, 10) << 20;
	heap = make_heap(bytes);
	make_mappings(strtol(argv[2], NULL, 10));

	started = now_ns();
	server = connected(argv[3]);
	pid = start_child(heap, bytes, fds);
	command(server, set, sizeof(set) - 1, "+OK\r\n");
	took = now_ns() - started;

	command(server, del, sizeof(del) - 1, ":1\r\n");
	close(fds[0]);
	close(fds[1]);
	waitpid((pid_t)pid, NULL, __WALL);
	printf("%lld\n", (long long)took);
	return 0;
}
