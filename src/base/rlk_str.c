/*
 * rlk_str: copies that somebody owns.
 */
#include "base/rlk_str.h"

#include "base/rlk_wipe.h"

#include <stdlib.h>

bool rlk_str_store(char **field, rlk_str s)
{
	char *copy = NULL;

	if (s.data != NULL) {
		copy = malloc(s.len + 1);
		if (copy == NULL)
			return false;
		memcpy(copy, s.data, s.len);
		copy[s.len] = '\0';
	}
	if (*field != NULL)
		rlk_wipe(*field, strlen(*field));
	free(*field);
	*field = copy;
	return true;
}
