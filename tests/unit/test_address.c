/*
 * test_address: addresses in numbers, and the slots of keys.
 */
#include "unit.h"
#include "net/rlk_address.h"
#include "redis/rlk_topology_rules.h"

static void addresses_in_numbers(void)
{
	rlk_address a, b;
	rlk_addresses addresses;

	CHECK(rlk_address_parse(RLK_STR("127.0.0.1"), 6379, &a));
	CHECK(rlk_address_parse(RLK_STR("::ffff:1.2.3.4"), 1, &b) && b.family == 6);
	CHECK(!rlk_address_parse(RLK_STR("localhost"), 1, &b) && b.family == 0);
	CHECK(!rlk_address_parse(RLK_STR(""), 1, &b));
	CHECK(rlk_address_parse(RLK_STR("::1"), 65535, &b) && !rlk_address_equal(&a, &b));
	rlk_address_to_list(&a, &addresses);
	b = rlk_address_from_list(&addresses, 0);
	CHECK(rlk_address_equal(&a, &b));
	rlk_address_parse(RLK_STR("fe80::7"), 80, &a);
	rlk_address_to_list(&a, &addresses);
	b = rlk_address_from_list(&addresses, 0);
	CHECK(rlk_address_equal(&a, &b));
}

static void ports(void)
{
	CHECK_INT(rlk_address_parse_port(RLK_STR("6379")), 6379);
	CHECK_INT(rlk_address_parse_port(RLK_STR("65535")), 65535);
	CHECK_INT(rlk_address_parse_port(RLK_STR("65536")), 0);
	CHECK_INT(rlk_address_parse_port(RLK_STR("99999999999999999999")), 0);
	CHECK_INT(rlk_address_parse_port(RLK_STR("")), 0);
	CHECK_INT(rlk_address_parse_port(RLK_STR("80x")), 0);
}

/* From CLUSTER KEYSLOT of a server. */
static void slots(void)
{
	CHECK_INT(rlk_hash_slot(RLK_STR("123456789")), 0x31c3 % 16384);
	CHECK_INT(rlk_hash_slot(RLK_STR("foo")), 12182);
	CHECK_INT(rlk_hash_slot(RLK_STR("")), 0);
	CHECK_INT(rlk_hash_slot(RLK_STR("{user1000}.following")), rlk_hash_slot(RLK_STR("user1000")));
	CHECK_INT(rlk_hash_slot(RLK_STR("foo{}{bar}")), 8363);
	CHECK_INT(rlk_hash_slot(RLK_STR("foo{{bar}}zap")), rlk_hash_slot(RLK_STR("{bar")));
	CHECK_INT(rlk_hash_slot(RLK_STR("foo{bar}{zap}")), rlk_hash_slot(RLK_STR("bar")));
}

int main(void)
{
	RUN(addresses_in_numbers);
	RUN(ports);
	RUN(slots);
	return unit_done();
}
