/*
 * redislock_heap: finds the memory of Zend's memory manager.
 *
 * The engine does not export it. The memory is in chunks of 2 MB, at multiples of 2 MB, which begin with the address of
 * their heap and are linked in a circle. Larger blocks are in a list, which is trusted only if it and the chunks add up
 * to what the engine says that it uses. Memory that is not found is copied to the child, which is slower but right.
 * Memory of others, reported by mistake, would be missing in the child.
 */
#include "php/redislock_thread.h"

#include "renew/rlk_heap.h"

#define CHUNK_BYTES ((uintptr_t)2 << 20)
#define PAGE_BYTES ((uintptr_t)4096)
/* More than any heap has: ends the walk along something that is no list. */
#define BLOCKS_MAX ((size_t)1 << 20)
/* The engine's struct of a heap has the list of huge blocks within these first words. */
#define HEAP_WORDS 128

/* How a chunk begins in all versions of PHP with a zend_mm_get_heap(). */
typedef struct chunk {
	const void *heap;
	struct chunk *next, *prev;
} chunk;

/* An entry of the list of huge blocks, itself in a chunk. */
typedef struct huge_block {
	void *start;
	size_t size;
	struct huge_block *next;
} huge_block;

static chunk *chunk_of(const void *address)
{
	return (chunk *)((uintptr_t)address & ~(CHUNK_BYTES - 1));
}

static bool is_aligned(const void *start)
{
	return start != NULL && ((uintptr_t)start & (CHUNK_BYTES - 1)) == 0;
}

/* Adds the chunks of the circle. Returns their size, 0 if it is no circle. */
static size_t add_chunks(rlk_heap_ranges *ranges, const void *heap, chunk *first)
{
	size_t count = 0;
	chunk *c = first;

	do {
		if (!is_aligned(c) || c->heap != heap || !is_aligned(c->next) || c->next->prev != c || ++count == BLOCKS_MAX)
			return 0;
		rlk_heap_add(ranges, (uintptr_t)c, (uintptr_t)c + CHUNK_BYTES);
		c = c->next;
	} while (c != first);
	return count * CHUNK_BYTES;
}

/* The word in front of the pointer to the first chunk. No other word of a heap equals that pointer. */
static const huge_block *find_huge_blocks(const void *heap, const chunk *first)
{
	const uintptr_t *words = heap;

	for (size_t i = 1; i < HEAP_WORDS; i++) {
		if (words[i] == (uintptr_t)first)
			return (const huge_block *)words[i - 1];
	}
	return NULL;
}

/* The size of all blocks of the list, 0 if it is empty or no list. */
static size_t size_of_huge_blocks(const huge_block *first, const void *heap)
{
	size_t all = 0, count = 0;

	for (const huge_block *block = first; block != NULL; block = block->next) {
		if (((uintptr_t)block & (sizeof(void *) - 1)) != 0 || !is_aligned(block->start) ||
			(block->size & (PAGE_BYTES - 1)) != 0 || ++count == BLOCKS_MAX || chunk_of(block)->heap != heap)
			return 0;
		all += block->size;
	}
	return all;
}

static void add_ranges(rlk_heap_ranges *ranges)
{
	const void *heap = is_zend_mm() ? zend_mm_get_heap() : NULL;
	chunk *first = chunk_of(heap);
	const huge_block *huge;
	size_t chunks;

	/* Another layout is that of a custom heap. */
	if (heap == NULL || (uintptr_t)heap - (uintptr_t)first >= PAGE_BYTES || first->heap != heap)
		return;
	chunks = add_chunks(ranges, heap, first);
	huge = find_huge_blocks(heap, first);
	if (chunks == 0)
		ranges->count = 0;
	if (chunks == 0 || chunks + size_of_huge_blocks(huge, heap) != zend_memory_usage(true))
		return;
	for (; huge != NULL; huge = huge->next)
		rlk_heap_add(ranges, (uintptr_t)huge->start, (uintptr_t)huge->start + huge->size);
}

void redislock_heap_startup(void)
{
	rlk_heap_set_host(add_ranges);
}
