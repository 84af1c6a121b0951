/*
 * rlk_list: lists whose elements have a pointer `next`.
 *
 * A short list that is full drops its last element. Elements of long lists also have `link`, the address of the pointer
 * to them, and are removed in one step.
 */
#ifndef RLK_LIST_H
#define RLK_LIST_H

/* Moves `link`, the address of the first pointer of a list, behind `most` elements, or behind the last. Afterwards
 * *link is the first element too many; NULL: there is none. */
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
