/*
 * rlk_heap: keeps the parent's heap out of the renewal child.
 *
 * A plain copy of a big process is dear: page tables are duplicated, and every
 * page that the parent writes afterwards is copied for a child that never reads
 * it. So large anonymous mappings are marked "not to be copied" just before the
 * child is started, and unmarked just after.
 *
 * The child runs our code and the C library's. Its copy needs their images, the
 * dynamic linker's and the kernel's, uninitialised data included, and the
 * thread-local data of the thread that starts it.
 */
#ifndef RLK_HEAP_H
#define RLK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A smaller mapping is not worth a system call. */
#define RLK_HEAP_MAPPING_MIN ((uintptr_t)256 << 10)
/* Where the kernel lists mappings only as text, a smaller process is cheaper to copy than to look at. */
#define RLK_HEAP_PROCESS_MIN ((uintptr_t)24 << 20)
#define RLK_HEAP_RANGES_MAX 1024

typedef struct {
	uintptr_t start, end;
} rlk_heap_range;

typedef struct {
	size_t count;
	rlk_heap_range range[RLK_HEAP_RANGES_MAX];
} rlk_heap_ranges;

/* Collects what to leave out of a copy of this process: its heap; with `with_heap` only the memory of the host. false: nothing
 * may be left out, since the system does not tell, or the process may have several threads: if another thread forked meanwhile,
 * its copy would miss the marked memory. */
bool rlk_heap_collect(rlk_heap_ranges *ranges, bool with_heap);

/* Calls madvise() with MADV_DONTFORK or MADV_DOFORK for all ranges. */
void rlk_heap_mark(const rlk_heap_ranges *ranges, bool leave_out);

/* The host of this code, an interpreter, tells its own memory by rlk_heap_add(). `tell` is called with all signals
 * blocked. Also finds the images the child needs, so that the first to start one does not wait for that. */
void rlk_heap_set_host(void (*tell)(rlk_heap_ranges *ranges));
void rlk_heap_add(rlk_heap_ranges *ranges, uintptr_t start, uintptr_t end);

/* Has this process one thread only, so that no other thread can hold a lock of a library? */
bool rlk_heap_has_one_thread(void);

/* --- inside ----------------------------------------------------------------------------------- */

#define RLK_IMAGES_MAX 8

typedef struct {
	size_t count;
	bool has_ours;       /* that of this code is among them */
	uintptr_t c_library; /* where the C library begins; 0: not found */
	rlk_heap_range image[RLK_IMAGES_MAX];
} rlk_images;

/* Finds the images that the child needs. false: not all were found, so nothing may be left out of the copy. */
bool rlk_images_find(rlk_images *images);

/* Collects the large private, writable, anonymous mappings, but not the one that holds `stack` nor those the child needs. Reads a
 * file in the format of /proc/self/maps; false: it cannot be read. */
bool rlk_heap_collect_text(const char *maps_path, const rlk_images *images, uintptr_t stack, rlk_heap_ranges *ranges);

/* The same by asking the kernel for each mapping (PROCMAP_QUERY, Linux 6.11). false: the kernel does not tell. */
bool rlk_heap_collect_query(const rlk_images *images, uintptr_t stack, rlk_heap_ranges *ranges);

#endif
