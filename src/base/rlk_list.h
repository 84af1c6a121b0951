/*
 * rlk_list: lists whose elements have a pointer `next`. A short one that is full drops its last element.
 */
#ifndef RLK_LIST_H
#define RLK_LIST_H

/* Moves `link`, which points to the first pointer of a list, on to the one behind so many elements, or the last one. What that
 * points to is one too many; NULL: there is none. */
#define RLK_LIST_PASS(link, most) \
	for (int passed_ = 0; passed_ < (most) && *(link) != NULL; passed_++) \
	(link) = &(*(link))->next

#endif
