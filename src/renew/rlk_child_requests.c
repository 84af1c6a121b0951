/*
 * rlk_child_requests: see rlk_child_own.h.
 */
#include "renew/rlk_child_own.h"

#include "lock/rlk_keys.h"
#include "redis/rlk_dialect.h"
#include "lock/rlk_scripts.h"

static rlk_link *link_of(rlk_child *c, uint32_t index)
{
	return &c->links[rlk_child_topology_number(&c->topology, &c->area->slots[index], &c->views[index].way)];
}

/* The lock key and, for what may wake a waiter, the two keys that do. Returns how many. */
static size_t keys_for(rlk_child *c, uint32_t index, rlk_op_kind kind, rlk_str keys[3])
{
	const rlk_slot *slot = &c->area->slots[index];

	keys[0] = rlk_area_str(c->area, slot->key);
	keys[1] = rlk_area_str(c->area, slot->waiters);
	if (kind == RLK_OP_RENEW || keys[1].len == 0 || c->views[index].wakes_nobody)
		return 1;
	keys[2] = rlk_keys_signal(keys[1], c->signal);
	return 3;
}

bool rlk_child_request(rlk_child *c, uint32_t index, const rlk_slot *leader, rlk_op_kind kind, int64_t now_ms,
	int64_t number_ms)
{
	const rlk_slot *slot = &c->area->slots[index];
	rlk_link *link = link_of(c, index);
	rlk_op op = { index, c->views[index].tenancy, atomic_load(&leader->epoch), kind, rlk_dialect_of(&link->conn),
		number_ms, now_ms, 0, 0 };
	char number[RLK_RESP_INT_MAX];
	rlk_str keys[3], args[3];
	rlk_request request = { kind == RLK_OP_RENEW ? &rlk_script_renew : &rlk_script_release, keys, args,
		keys_for(c, index, kind, keys), 0, true };

	args[request.arg_count++] = rlk_area_str(c->area, slot->token);
	if (kind == RLK_OP_REST)
		args[request.arg_count++] = rlk_area_str(c->area, slot->resting);
	if (kind == RLK_OP_REST || kind == RLK_OP_RENEW)
		args[request.arg_count++] = rlk_resp_int(number_ms, number);
	return rlk_child_topology_ready(&c->topology, slot, &c->views[index].way, &op) &&
		rlk_link_queue(link, &op, &request);
}

bool rlk_child_request_replicas(rlk_child *c, const rlk_op *renewal, int64_t now_ms)
{
	const rlk_slot *slot = &c->area->slots[renewal->slot];
	char min[RLK_RESP_INT_MAX], timeout[RLK_RESP_INT_MAX];
	const rlk_str argv[] = { RLK_STR("WAIT"), rlk_resp_int(slot->replicas.min, min),
		rlk_resp_int(slot->replicas.timeout_ms, timeout) };
	const rlk_request request = { NULL, NULL, argv, 0, 3, false };
	rlk_op op = *renewal;

	op.kind = RLK_OP_REPLICATE;
	op.renewed_at_ms = renewal->sent_at_ms;
	op.sent_at_ms = now_ms;
	op.blocked_ms = slot->replicas.timeout_ms;
	return rlk_link_queue(link_of(c, renewal->slot), &op, &request);
}

/* Several locks may be told of one refusal. Where nothing is left there is a pause, and then scripts are tried again. */
static bool has_another_dialect(rlk_link *link, const rlk_reply *reply)
{
	rlk_conn *conn = &link->conn;

	if (!rlk_dialect_learn(conn, reply))
		return false;
	if (conn->dialect == RLK_DIALECT_NONE) {
		conn->refuses_scripts = false;
		conn->dialect = RLK_DIALECT_NEW;
	}
	link->dialect = rlk_dialect_of(conn);
	return conn->refuses_scripts;
}

bool rlk_child_request_again(rlk_child *c, const rlk_op *op, const rlk_reply *reply, int64_t now_ms,
	int64_t *again_at_ms)
{
	const rlk_slot *slot = &c->area->slots[op->slot];
	rlk_slot_view *view = &c->views[op->slot];
	rlk_redirect redirect;

	*again_at_ms = now_ms;
	if (reply == NULL)
		return true; /* the link has its own pauses */
	redirect = rlk_child_topology_redirect(&c->topology, slot, &view->way, reply, now_ms, again_at_ms);
	if (redirect == RLK_REDIRECT_SPLIT)
		view->wakes_nobody = true; /* without the other keys it is of one server */
	if (redirect != RLK_REDIRECT_NONE)
		return true;
	if (reply->type != RLK_REPLY_ERROR)
		return false;
	if (rlk_str_starts_with(reply->text, RLK_STR("NOSCRIPT")))
		return true; /* the script now goes by text */
	if (op->kind == RLK_OP_REPLICATE)
		return false;
	if (rlk_str_starts_with(reply->text, RLK_STR("NOPERM")) && op->kind != RLK_OP_RENEW && !view->wakes_nobody) {
		view->wakes_nobody = true;
		return true;
	}
	return has_another_dialect(link_of(c, op->slot), reply);
}

bool rlk_child_request_result(const rlk_op *op, const rlk_reply *reply, bool *done)
{
	bool by_command = op->dialect != RLK_DIALECT_NEW,
		 sets = by_command && (op->kind == RLK_OP_RENEW || op->kind == RLK_OP_REST);

	*done = sets ? reply->type == RLK_REPLY_STATUS && rlk_str_equal(reply->text, RLK_STR("OK")) : reply->integer == 1;
	if (by_command && reply->type == RLK_REPLY_ERROR)
		return rlk_dialect_finds_no_string(reply->text);
	return sets ? *done || reply->type == RLK_REPLY_NIL : reply->type == RLK_REPLY_INTEGER;
}
