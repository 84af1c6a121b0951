/*
 * rlk_backend_posix: what both kinds of worker need of the system.
 */
#include "renew/rlk_backend.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

void rlk_pair_tell(int fd, char message)
{
	if (fd >= 0)
		(void)!send(fd, &message, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* --- SIGURG ------------------------------------------------------------------------------------ */

#ifndef SI_TKILL
#define SI_TKILL SI_USER
#endif

/* One per process, like signal handlers. */
static struct {
	void (*_Atomic notify)(void);
	struct sigaction previous;
	bool installed;
} urgent;

static void on_sigurg(int sig, siginfo_t *info, void *context)
{
	int saved_errno = errno;
	void (*notify)(void) = atomic_load(&urgent.notify);

	/* Not if a thread of this process only ends our sleep: it has called notify itself. */
	if (notify != NULL && !(info->si_code == SI_TKILL && info->si_pid == getpid()))
		notify();
	/* Urgent data on somebody's socket looks the same from here, so everything is passed on. */
	if ((urgent.previous.sa_flags & SA_SIGINFO) != 0)
		urgent.previous.sa_sigaction(sig, info, context);
	else if (urgent.previous.sa_handler != SIG_DFL && urgent.previous.sa_handler != SIG_IGN)
		urgent.previous.sa_handler(sig);
	errno = saved_errno;
}

static bool is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == on_sigurg;
}

static bool is_handler(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) != 0 || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

bool rlk_sigurg_is_taken(void)
{
	struct sigaction current;

	return sigaction(SIGURG, NULL, &current) == 0 && !is_ours(&current) && is_handler(&current);
}

bool rlk_sigurg_install(void (*notify)(void))
{
	struct sigaction action = { .sa_sigaction = on_sigurg, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK }, current;

	atomic_store(&urgent.notify, notify);
	if (sigaction(SIGURG, NULL, &current) != 0)
		return false;
	/* Whoever has replaced ours may call it as the one before, and would be called by it. */
	if (is_ours(&current) || (urgent.installed && is_handler(&current)))
		return true;
	sigemptyset(&action.sa_mask);
	urgent.previous = current; /* the handler, which may run at once, needs it */
	urgent.installed = sigaction(SIGURG, &action, NULL) == 0;
	return urgent.installed;
}

void rlk_sigurg_keep(void)
{
	if (urgent.installed)
		rlk_sigurg_install(atomic_load(&urgent.notify));
}

void rlk_sigurg_restore(void)
{
	struct sigaction current;

	/* Only if it is still ours: the application may have set a handler since. */
	if (urgent.installed && sigaction(SIGURG, NULL, &current) == 0 && is_ours(&current))
		sigaction(SIGURG, &urgent.previous, NULL);
	urgent.installed = false;
	atomic_store(&urgent.notify, NULL);
}
