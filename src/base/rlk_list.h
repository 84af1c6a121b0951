/*
 * rlk_list: lists whose elements have a pointer `next`. A short one that is full drops its last element. Of a long one whose
 * elements also have `link`, which points to what points to them, each leaves in one step.
 */
#ifndef RLK_LIST_H
#define RLK_LIST_H

/* Moves `link`, which points to the first pointer of a list, on to the one behind so many elements, or the last one. What that
 * points to is one too many; NULL: there is none. */
#define RLK_LIST_PASS(link, most) \
	for (int passed_ = 0; passed_ < (most) && *(link) != NULL; passed_++) \
	(link) = &(*(link))->next

/* Puts an element first. */
#define RLK_LIST_ADD(list, element) \
	do { \
		(element)->next = *(list); \
		(element)->link = (list); \
		if ((element)->next != NULL) \
			(element)->next->link = &(element)->next; \
		*(list) = (element); \
	} while (0)

#define RLK_LIST_REMOVE(element) \
	do { \
		*(element)->link = (element)->next; \
		if ((element)->next != NULL) \
			(element)->next->link = (element)->link; \
	} while (0)

#endif
