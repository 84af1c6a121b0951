/*
 * rlk_pair: the pair of sockets between a process and its renewal worker. One byte is one message.
 */
#ifndef RLK_PAIR_H
#define RLK_PAIR_H

#include <stdbool.h>

/* fds[0] is ours, fds[1] the worker's. Close-on-exec. On failure both are -1, errno says why. */
bool rlk_pair_open(int fds[2]);

void rlk_pair_close(int fds[2]);

/* Never waits: a full socket means that the worker has messages to read already. -1 is ignored. */
void rlk_pair_tell(int fd, char message);

#endif
