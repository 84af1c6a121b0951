/*
 * refuse [--fork | --end]: runs a program for which the system calls that a strict seccomp profile lacks fail with EPERM; with
 * --fork those that make processes. With --end close_range() ends the process.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_send_signal, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
	};
	if (argc > 1 && strcmp(argv[1], "--fork") == 0) {
		filter[1].k = filter[3].k = filter[4].k = SYS_clone;
		filter[2].k = SYS_clone3;
		argv++;
		argc--;
	}
	if (argc > 1 && strcmp(argv[1], "--end") == 0) {
		for (int i = 1; i <= 4; i++)
			filter[i].k = SYS_close_range;
		filter[6].k = SECCOMP_RET_KILL_PROCESS;
		argv++;
		argc--;
	}
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		perror("refuse");
		return 1;
	}
	execvp(argv[1], argv + 1);
	return 1;
}
