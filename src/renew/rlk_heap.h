/*
 * rlk_heap: keeps the parent's heap out of the renewal child.
 *
 * A plain copy of a big process is dear: page tables are duplicated, and every
 * page the parent writes afterwards is copied for the child that never reads
 * it. The large anonymous mappings are therefore marked "not to be copied"
 * just before the child is started, and unmarked just after.
 *
 * The child runs our code and the C library's. Their images, the dynamic
 * linker's and the kernel's, uninitialised data included, must be in its copy,
 * and so must the thread-local data of the thread that starts it.
 */
#ifndef RLK_HEAP_H
#define RLK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smaller mappings are not worth a system call. */
#define RLK_HEAP_MAPPING_MIN ((uintptr_t)256 << 10)
/* Where looking means reading text, a process smaller than this is cheaper to copy than to look at. */
#define RLK_HEAP_PROCESS_MIN ((uintptr_t)24 << 20)
#define RLK_HEAP_RANGES_MAX 1024

typedef struct {
	size_t count;
	struct {
		uintptr_t start, end;
	} range[RLK_HEAP_RANGES_MAX];
} rlk_heap_ranges;

/* Collects what may be left out of a copy of this process: its heap. false: nothing, since the process has
 * several threads (another one's fork would miss what is marked), or the system does not tell. */
bool rlk_heap_collect(rlk_heap_ranges *ranges);

/* What the host of this code, an interpreter, can tell is its own memory and nobody else's, for a copy that needs all but
 * that. `tell` adds it by rlk_heap_add(), and is called with all signals blocked. */
void rlk_heap_set_host(void (*tell)(rlk_heap_ranges *ranges));
void rlk_heap_add(rlk_heap_ranges *ranges, uintptr_t start, uintptr_t end);

/* Collects that. false: nothing. */
bool rlk_heap_collect_of_host(rlk_heap_ranges *ranges);

/* Has this process one thread only, so that no lock of a library can be in the hands of another one? */
bool rlk_heap_has_one_thread(void);

/* --- inside ----------------------------------------------------------------------------------- */

#define RLK_IMAGES_MAX 8

typedef struct {
	size_t count;
	uintptr_t c_library; /* where the C library begins */
	struct {
		uintptr_t start, end;
	} image[RLK_IMAGES_MAX];
} rlk_images;

/* Finds them. false: not all, so nothing may be left out of a copy. */
bool rlk_images_find(rlk_images *images);

/* The first part of a mapping that the child needs, whole pages of it. false: there is none. */
bool rlk_images_need(const rlk_images *images, uintptr_t start, uintptr_t end, uintptr_t *need_start,
	uintptr_t *need_end);

/* The work of the above on a file in the format of /proc/self/maps: the large private, writable, anonymous mappings, but for the one
 * that holds `stack` and those that hold what the child needs. false: the file cannot be read. */
bool rlk_heap_collect_text(const char *maps_path, const rlk_images *images, uintptr_t stack, rlk_heap_ranges *ranges);

/* The same asked of the kernel mapping by mapping (PROCMAP_QUERY, Linux 6.11), without any text. */
bool rlk_heap_collect_query(const rlk_images *images, uintptr_t stack, rlk_heap_ranges *ranges);

/* madvise(MADV_DONTFORK) or (MADV_DOFORK) for all of them. */
void rlk_heap_mark(const rlk_heap_ranges *ranges, bool leave_out);

#endif
