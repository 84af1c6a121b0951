/*
 * rlk_images_posix: see the header.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr() */
#endif

#include "renew/rlk_images.h"

#ifdef __linux__

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <unistd.h>

typedef struct {
	rlk_images *images;
	bool ours, c_library; /* found so far */
} search;

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
	search *s = arg;
	rlk_images *images = s->images;
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
	images->image[images->count].start = start;
	images->image[images->count].end = end;
	images->count++;
	if (c_library)
		images->c_library = start;
	s->ours = s->ours || ours;
	s->c_library = s->c_library || c_library;
	return 0;
}

bool rlk_images_find(rlk_images *images)
{
	search s = { .images = images };

	images->count = 0;
	images->c_library = 0;
	dl_iterate_phdr(look_at_image, &s);
	return s.ours && s.c_library;
}

/* What the C library keeps for a thread lies around its errno and its descriptor; nobody tells how much it is. */
#define AROUND_THREAD ((uintptr_t)64 << 10)

bool rlk_images_need(const rlk_images *images, uintptr_t start, uintptr_t end, uintptr_t *need_start,
	uintptr_t *need_end)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t around[2] = { (uintptr_t)&errno & ~(page - 1), (uintptr_t)pthread_self() & ~(page - 1) };

	*need_start = end;
	for (size_t i = 0; i < images->count + 2; i++) {
		uintptr_t from = i < 2 ? around[i] - AROUND_THREAD : images->image[i - 2].start;
		uintptr_t to = i < 2 ? around[i] + AROUND_THREAD : images->image[i - 2].end;

		if (from < start)
			from = start;
		if (to > end)
			to = end;
		if (from < to && from < *need_start) {
			*need_start = from;
			*need_end = to;
		}
	}
	return *need_start < end;
}

#endif
