/*
 * rlk_heap: see the header. Only Linux has the system calls; elsewhere nothing is left out of a copy,
 * and the C library's handlers of fork() need the heap.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr() */
#endif

#include "renew/rlk_heap.h"

#include "renew/rlk_copy.h"

#ifdef RLK_HAS_CLONE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HAVE_SINGLE_THREADED
#endif
#endif
#endif

static void leave_out(rlk_heap_ranges *ranges, uintptr_t start, uintptr_t end)
{
	if (end <= start || end - start < RLK_HEAP_MAPPING_MIN || ranges->count == RLK_HEAP_RANGES_MAX)
		return;
	ranges->range[ranges->count++] = (rlk_heap_range){ start, end };
}

/* Joins neighbours: calls for hundreds of them would take longer than copying them. */
void rlk_heap_add(rlk_heap_ranges *ranges, uintptr_t start, uintptr_t end)
{
	size_t count = ranges->count;

	if (count > 0 && ranges->range[count - 1].start == end)
		ranges->range[count - 1].start = start;
	else if (count > 0 && ranges->range[count - 1].end == start)
		ranges->range[count - 1].end = end;
	else
		leave_out(ranges, start, end);
}

#ifdef RLK_HAS_CLONE

/* --- what the child needs --------------------------------------------------------------------- */

/* From the first loaded byte of an image to behind its last one. */
static void span_of(const struct dl_phdr_info *info, uintptr_t *start, uintptr_t *end)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	*start = UINTPTR_MAX;
	*end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;

		if (segment->p_type != PT_LOAD)
			continue;
		if (from < *start)
			*start = from & ~(page - 1);
		if (to > *end)
			*end = (to + page - 1) & ~(page - 1);
	}
}

static int look_at_image(struct dl_phdr_info *info, size_t size, void *arg)
{
	rlk_images *images = arg;
	uintptr_t start, end;
	bool ours, c_library, system;

	(void)size;
	span_of(info, &start, &end);
	ours = (uintptr_t)look_at_image >= start && (uintptr_t)look_at_image < end;
	c_library = (uintptr_t)getpid >= start && (uintptr_t)getpid < end;
	system = (getauxval(AT_BASE) >= start && getauxval(AT_BASE) < end) ||
		(getauxval(AT_SYSINFO_EHDR) >= start && getauxval(AT_SYSINFO_EHDR) < end);
	if ((!ours && !c_library && !system) || images->count == RLK_IMAGES_MAX)
		return 0;
	images->image[images->count++] = (rlk_heap_range){ start, end };
	if (c_library)
		images->c_library = start;
	images->has_ours = images->has_ours || ours;
	return 0;
}

bool rlk_images_find(rlk_images *images)
{
	*images = (rlk_images){ 0 };
	dl_iterate_phdr(look_at_image, images);
	return images->has_ours && images->c_library != 0;
}

/* The C library keeps the data of a thread around its errno and its descriptor. The size is not known. */
#define AROUND_THREAD ((uintptr_t)64 << 10)

/* The first part of a mapping that the child needs, in whole pages. false: there is none. */
static bool find_needed(const rlk_images *images, uintptr_t start, uintptr_t end, rlk_heap_range *need)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t around[2] = { (uintptr_t)&errno & ~(page - 1), (uintptr_t)pthread_self() & ~(page - 1) };

	*need = (rlk_heap_range){ end, end };
	for (size_t i = 0; i < images->count + 2; i++) {
		uintptr_t from = i < 2 ? around[i] - AROUND_THREAD : images->image[i - 2].start;
		uintptr_t to = i < 2 ? around[i] + AROUND_THREAD : images->image[i - 2].end;

		if (from < start)
			from = start;
		if (to > end)
			to = end;
		if (from < to && from < need->start)
			*need = (rlk_heap_range){ from, to };
	}
	return need->start < end;
}

/* --- what it can do without ------------------------------------------------------------------- */

/* Leaves out an anonymous mapping, except the part that the child needs: the kernel joins neighbouring mappings, so the
 * data of the child's thread may be in a mapping as large as the heap. */
static void consider(rlk_heap_ranges *ranges, const rlk_images *images, uintptr_t stack, uintptr_t start, uintptr_t end)
{
	rlk_heap_range need;

	if (stack >= start && stack < end)
		return;
	while (start < end && find_needed(images, start, end, &need)) {
		leave_out(ranges, start, need.start);
		start = need.end;
	}
	leave_out(ranges, start, end);
}

/* As in linux/fs.h of Linux 6.11. */
struct map_query {
	uint64_t size, flags, address;
	uint64_t start, end, vma_flags, page_size, offset, inode;
	uint32_t device_major, device_minor, name_size, build_id_size;
	uint64_t name, build_id;
};
#define QUERY _IOWR('f', 17, struct map_query)
#define QUERY_WRITABLE 0x02u
#define QUERY_SHARED 0x08u
#define QUERY_OR_NEXT 0x10u

/* The main stack holds the argument strings, to which the child writes its title. It may not be the stack in use: PHP runs
 * fibers on others. The kernel puts the random bytes of AT_RANDOM on it. */
static bool is_main_stack(const struct map_query *q)
{
	uintptr_t address = (uintptr_t)getauxval(AT_RANDOM);

	return address >= q->start && address < q->end;
}

bool rlk_heap_collect_query(const rlk_images *images, uintptr_t stack, rlk_heap_ranges *ranges)
{
	struct map_query q = { .size = sizeof(q), .flags = QUERY_OR_NEXT | QUERY_WRITABLE };
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	bool any = false;

	ranges->count = 0;
	while (fd >= 0 && ioctl(fd, QUERY, &q) == 0) {
		bool anonymous = q.inode == 0 && q.device_major == 0 && q.device_minor == 0;

		any = true;
		/* Memory is mapped from the top down, and the C library among the first. Above it are the other libraries of the
		 * start: dozens of mappings, each of which would cost a call. */
		if (images->c_library != 0 && q.start >= images->c_library)
			break;
		if (anonymous && (q.vma_flags & QUERY_SHARED) == 0 && !is_main_stack(&q))
			consider(ranges, images, stack, (uintptr_t)q.start, (uintptr_t)q.end);
		q.address = q.end;
	}
	if (fd >= 0)
		close(fd);
	return any;
}

/* Of a line of maps. The rest of the path does not matter. */
#define LINE_KEPT 128

/* Skips a field and the blanks behind it. */
static const char *skip_field(const char *p)
{
	while (*p != '\0' && *p != ' ')
		p++;
	while (*p == ' ')
		p++;
	return p;
}

/* "start-end perms offset device inode   path" */
static void consider_line(const char *line, const rlk_images *images, uintptr_t stack, rlk_heap_ranges *ranges)
{
	const char *perms, *inode, *path;
	uintptr_t start, end;
	char *p;

	start = (uintptr_t)strtoull(line, &p, 16);
	if (*p != '-')
		return;
	end = (uintptr_t)strtoull(p + 1, &p, 16);
	perms = skip_field(p);
	inode = skip_field(skip_field(skip_field(perms)));
	path = skip_field(inode);
	if (strncmp(perms, "rw-p", 4) != 0 || inode[0] != '0' || (inode[1] != ' ' && inode[1] != '\0'))
		return;
	/* PHP names its heap "[anon:zend_alloc]" if the kernel allows it. [heap] is malloc's, which the child never calls. Others,
	 * such as [stack], are copied. */
	if (*path != '\0' && strncmp(path, "[anon:", 6) != 0 && strcmp(path, "[heap]") != 0)
		return;
	consider(ranges, images, stack, start, end);
}

bool rlk_heap_collect_text(const char *maps_path, const rlk_images *images, uintptr_t stack, rlk_heap_ranges *ranges)
{
	char chunk[4096], line[LINE_KEPT];
	size_t used = 0;
	int fd = open(maps_path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	ranges->count = 0;
	if (fd < 0)
		return false;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (chunk[i] != '\n') {
				if (used < sizeof(line) - 1)
					line[used++] = chunk[i];
				continue;
			}
			line[used] = '\0';
			consider_line(line, images, stack, ranges);
			used = 0;
		}
	}
	close(fd);
	return n == 0;
}

/* The C library knows the threads that it has started, at no cost. Otherwise /proc/self/task has two links more than
 * there are threads. */
bool rlk_heap_has_one_thread(void)
{
	struct stat task;

#ifdef HAVE_SINGLE_THREADED
	if (__libc_single_threaded)
		return true;
#endif
	return stat("/proc/self/task", &task) == 0 && task.st_nlink == 3;
}

static bool is_large(void)
{
	char text[64];
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	unsigned long pages = 0, resident = 0;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return sscanf(text, "%lu %lu", &pages, &resident) == 2 &&
		resident * (uintptr_t)sysconf(_SC_PAGESIZE) >= RLK_HEAP_PROCESS_MIN;
}

/* The images that the child needs. Found once, since none of them moves. NULL: not all were found. */
static const rlk_images *known_images(void)
{
	static rlk_images images;
	static bool found;

	found = found || rlk_images_find(&images);
	return found ? &images : NULL;
}

static void collect_heap(rlk_heap_ranges *ranges)
{
	const rlk_images *images = known_images();
	int here;

	if (images != NULL && !rlk_heap_collect_query(images, (uintptr_t)&here, ranges) && is_large())
		rlk_heap_collect_text("/proc/self/maps", images, (uintptr_t)&here, ranges);
}

void rlk_heap_mark(const rlk_heap_ranges *ranges, bool leave_out)
{
	for (size_t i = 0; i < ranges->count; i++) {
		/* A mapping that cannot be marked is copied: slower, not wrong. */
		madvise((void *)ranges->range[i].start, ranges->range[i].end - ranges->range[i].start,
			leave_out ? MADV_DONTFORK : MADV_DOFORK);
	}
}

static void (*tell_of_host)(rlk_heap_ranges *);

void rlk_heap_set_host(void (*tell)(rlk_heap_ranges *ranges))
{
	tell_of_host = tell;
	known_images();
}

/* Address sanitizer keeps its shadow, which every instruction of the child reads, in such mappings. */
#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif

bool rlk_heap_collect(rlk_heap_ranges *ranges, bool with_heap)
{
	ranges->count = 0;
#ifdef UNDER_ASAN
	return false;
#endif
	if (!rlk_heap_has_one_thread())
		return false;
	if (!with_heap)
		collect_heap(ranges);
	else if (tell_of_host != NULL)
		tell_of_host(ranges);
	return ranges->count > 0;
}

#else
/* The number of threads is not known. Windows starts some of its own in every process. */

/* clang-format off */
bool rlk_heap_has_one_thread(void) { return false; }
bool rlk_heap_collect(rlk_heap_ranges *ranges, bool with_heap) { (void)with_heap, ranges->count = 0; return false; }
void rlk_heap_mark(const rlk_heap_ranges *ranges, bool leave_out) { (void)ranges, (void)leave_out; }
void rlk_heap_set_host(void (*tell)(rlk_heap_ranges *ranges)) { (void)tell; }
/* clang-format on */
#endif
