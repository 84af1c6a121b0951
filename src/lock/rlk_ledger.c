/*
 * rlk_ledger: see the header.
 */
#include "lock/rlk_ledger.h"

/* How long a token without a ttl is spent. */
#define SPENT_WITHOUT_TTL_MS 10000

bool rlk_ledger_may_acquire(const rlk_ledger *ledger, rlk_error *err)
{
	int64_t left_ms = ledger->spent_until_ms - rlk_clock_now_ms();

	if (left_ms <= 0)
		return true;
	rlk_error_set(err, RLK_ERR_IO, 0,
		"the token is spent for %lld ms: a request with it was not answered, and may still be executed",
		(long long)left_ms);
	if (err != NULL)
		err->retryable = false;
	return false;
}

void rlk_ledger_spend(rlk_ledger *ledger, int64_t ttl_ms)
{
	int64_t until_ms = rlk_clock_add(rlk_clock_now_ms(), ttl_ms > 0 ? ttl_ms : SPENT_WITHOUT_TTL_MS);

	if (until_ms > ledger->spent_until_ms)
		ledger->spent_until_ms = until_ms;
}
