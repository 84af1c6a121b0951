/*
 * rlk_images: what of this process's memory its renewal child cannot do without.
 *
 * The child runs our code and the C library's. Their images, the dynamic
 * linker's and the kernel's, uninitialised data included, must be in its copy,
 * and so must the thread-local data of the thread that starts it.
 */
#ifndef RLK_IMAGES_H
#define RLK_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
