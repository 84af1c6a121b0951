/*
 * rlk_urgent_posix: see the header.
 */
#include "renew/rlk_urgent.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#ifndef SI_TKILL
#define SI_TKILL SI_USER
#endif

/* Signal handlers are per process, hence so is this. */
static struct {
	void (*_Atomic notify)(void);
	struct sigaction previous;
	bool installed;
} urgent;

static void on_sigurg(int sig, siginfo_t *info, void *context)
{
	int saved_errno = errno;
	void (*notify)(void) = atomic_load(&urgent.notify);

	/* A thread of ours that only ends the sleep of this one has left its note already. */
	if (notify != NULL && !(info->si_code == SI_TKILL && info->si_pid == getpid()))
		notify();
	/* Somebody else's SIGURG (urgent data on a socket) looks the same from here: pass everything on. */
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

bool rlk_urgent_is_taken(void)
{
	struct sigaction current;

	if (sigaction(SIGURG, NULL, &current) != 0 || is_ours(&current))
		return false;
	return (current.sa_flags & SA_SIGINFO) != 0 || (current.sa_handler != SIG_DFL && current.sa_handler != SIG_IGN);
}

bool rlk_urgent_install(void (*notify)(void))
{
	struct sigaction action;

	atomic_store(&urgent.notify, notify);
	if (urgent.installed)
		return true;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_sigurg;
	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigemptyset(&action.sa_mask);
	/* What was there is known before the handler can run. */
	if (sigaction(SIGURG, NULL, &urgent.previous) != 0)
		return false;
	urgent.installed = sigaction(SIGURG, &action, NULL) == 0;
	return urgent.installed;
}

void rlk_urgent_restore(void)
{
	struct sigaction current;

	/* Only if it is still ours: the application may have set a handler since. */
	if (urgent.installed && sigaction(SIGURG, NULL, &current) == 0 && is_ours(&current))
		sigaction(SIGURG, &urgent.previous, NULL);
	urgent.installed = false;
	atomic_store(&urgent.notify, NULL);
}
