/*
 * rlk_copies_win32: there is no fork.
 */
#include "renew/rlk_copies.h"

void rlk_copies_watch(rlk_copies *copies)
{
	(void)copies;
}

bool rlk_copies_end(rlk_copies *copies)
{
	(void)copies;
	return false;
}

void rlk_copies_after_fork(rlk_copies *copies)
{
	(void)copies;
}
