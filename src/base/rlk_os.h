/*
 * rlk_os: what every system offers under another name.
 */
#ifndef RLK_OS_H
#define RLK_OS_H

#include <stddef.h>

/* The id of this process, right in a forked copy too. Cheap enough to be asked before every step. */
long rlk_os_process_id(void);

/* The name of this machine, NUL-terminated and cut to size; "" when the system does not tell. */
void rlk_os_host_name(char *name, size_t size);

/* Zeroed memory that child processes share with us, not backed by anything until it is touched. NULL: there is none. */
void *rlk_os_map_shared(size_t size);

/* As above, but ours alone; for those who must not call malloc(). */
void *rlk_os_map_private(size_t size);

void rlk_os_unmap(void *memory, size_t size);

#endif
