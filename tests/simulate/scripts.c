/*
 * scripts: the Lua scripts that ship, run by Lua 5.1 as a server runs them. One state for all worlds, since scripts leave
 * nothing behind; each is compiled once.
 */
#include "sim.h"

#include "lock/rlk_scripts.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>
#include <stdlib.h>

static lua_State *lua;
static int compiled[RLK_SCRIPTS_COUNT];
static sim_server *running; /* the script's */

static void push_answer(lua_State *L, const sim_answer *a)
{
	switch (a->type) {
		case SIM_INTEGER:
			lua_pushnumber(L, (lua_Number)a->integer);
			break;
		case SIM_BULK:
			lua_pushlstring(L, a->text.data, a->text.len);
			break;
		case SIM_STATUS:
		case SIM_ERROR:
			lua_newtable(L);
			lua_pushlstring(L, a->text.data, a->text.len);
			lua_setfield(L, -2, a->type == SIM_STATUS ? "ok" : "err");
			break;
		case SIM_ARRAY:
			lua_newtable(L);
			for (int i = 0; i < a->count; i++) {
				push_answer(L, &a->items[i]);
				lua_rawseti(L, -2, i + 1);
			}
			break;
		default:
			lua_pushboolean(L, false);
	}
}

static int call(lua_State *L, bool raises)
{
	rlk_str argv[16];
	int argc = lua_gettop(L);
	sim_answer a;

	if (argc > 16)
		return luaL_error(L, "too many arguments");
	for (int i = 0; i < argc; i++)
		argv[i].data = lua_tolstring(L, i + 1, &argv[i].len);
	a = sim_execute(running, argv, argc);
	push_answer(L, &a);
	if (!raises || a.type != SIM_ERROR)
		return 1;
	if (running->kind == SIM_OLD) {
		/* Before Redis 7 the error stands at the end of another. */
		lua_pushfstring(L, "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -%s", a.text.data);
		lua_setfield(L, -2, "err");
	}
	return lua_error(L);
}

static int redis_call(lua_State *L)
{
	return call(L, true);
}

static int redis_pcall(lua_State *L)
{
	return call(L, false);
}

static int redis_error_reply(lua_State *L)
{
	lua_newtable(L);
	lua_pushvalue(L, 1);
	lua_setfield(L, -2, "err");
	return 1;
}

static void open_lua(void)
{
	static const luaL_Reg functions[] = { { "call", redis_call }, { "pcall", redis_pcall },
		{ "error_reply", redis_error_reply }, { NULL, NULL } };

	lua = luaL_newstate();
	luaL_openlibs(lua);
	luaL_register(lua, "redis", functions);
	lua_settop(lua, 0);
	for (int i = 0; i < RLK_SCRIPTS_COUNT; i++) {
		const rlk_script *script = rlk_scripts_all[i];

		if (luaL_loadbuffer(lua, script->text.data, script->text.len, script->name) != 0)
			abort();
		compiled[i] = luaL_ref(lua, LUA_REGISTRYINDEX);
	}
}

static sim_answer take_text(sim_reply_type type, int at)
{
	rlk_str text;

	text.data = lua_tolstring(lua, at, &text.len);
	return (sim_answer){ .type = type, .text = sim_keep(text) };
}

static sim_answer take_answer(int at)
{
	sim_answer a = { .type = SIM_NIL };

	switch (lua_type(lua, at)) {
		case LUA_TNUMBER:
			return (sim_answer){ .type = SIM_INTEGER, .integer = (int64_t)lua_tonumber(lua, at) };
		case LUA_TSTRING:
			return take_text(SIM_BULK, at);
		case LUA_TBOOLEAN:
			return lua_toboolean(lua, at) ? (sim_answer){ .type = SIM_INTEGER, .integer = 1 } : a;
		case LUA_TTABLE:
			for (int i = 0; i < 2; i++) {
				lua_getfield(lua, at, i == 0 ? "err" : "ok");
				if (lua_isstring(lua, -1))
					return take_text(i == 0 ? SIM_ERROR : SIM_STATUS, -1);
				lua_pop(lua, 1);
			}
			a = (sim_answer){ .type = SIM_ARRAY, .items = sim_alloc(8 * sizeof(a)) };
			for (; a.count < 8; a.count++) {
				lua_rawgeti(lua, at, a.count + 1);
				if (lua_isnil(lua, -1))
					break;
				a.items[a.count] = take_answer(lua_gettop(lua));
			}
			return a;
		default:
			return a;
	}
}

static void set_table(const char *name, const rlk_str *values, int count)
{
	lua_createtable(lua, count, 0);
	for (int i = 0; i < count; i++) {
		lua_pushlstring(lua, values[i].data, values[i].len);
		lua_rawseti(lua, -2, i + 1);
	}
	lua_setglobal(lua, name);
}

static int find(sim_server *server, const rlk_str *argv)
{
	bool by_text = argv[0].len == 4;

	for (int i = 0; i < RLK_SCRIPTS_COUNT; i++) {
		if (by_text && rlk_str_equal(argv[1], rlk_scripts_all[i]->text)) {
			server->cached |= 1u << i;
			return i;
		}
		if (!by_text && rlk_str_equal(argv[1], rlk_scripts_all[i]->sha1))
			return (server->cached & 1u << i) != 0 ? i : -1;
	}
	return -1;
}

sim_answer sim_eval(sim_server *server, const rlk_str *argv, int argc)
{
	int keys = argc > 2 ? atoi(argv[2].data) : 0, number;
	const rlk_script *script;
	bool apart; /* somebody is at the turnstile of a set */
	sim_answer a;

	if (lua == NULL)
		open_lua();
	number = find(server, argv);
	if (number < 0)
		return (sim_answer){ .type = SIM_ERROR, .text = RLK_STR("NOSCRIPT No matching script. Please use EVAL.") };
	script = rlk_scripts_all[number];
	if (!server->allows_checks && (script == &rlk_script_check || script == &rlk_script_set_check))
		return (sim_answer){ .type = SIM_ERROR, .text = RLK_STR("NOPERM No permissions to run the script") };
	running = server;
	apart = script == &rlk_script_set_try && keys > 1 && sim_server_find(server, argv[4]) != NULL;
	set_table("KEYS", argv + 3, keys);
	set_table("ARGV", argv + 3 + keys, argc - 3 - keys);
	lua_rawgeti(lua, LUA_REGISTRYINDEX, compiled[number]);
	if (lua_pcall(lua, 0, 1, 0) != 0 && lua_type(lua, 1) == LUA_TSTRING)
		sim_fail("%s.lua: %s", script->name, lua_tostring(lua, 1));
	a = take_answer(1);
	lua_settop(lua, 0);
	if (apart && a.integer > 0)
		sim_fail("who does not wait has name%c before one who does", argv[3].data[4]);
	/* The token of others than us, or no key; a ttl that was cut short. */
	if (server->pushed &&
		(script == &rlk_script_extend || script == &rlk_script_set_extend ||
			(script == &rlk_script_release && keys == 3 && (a.integer == 0 || argc == 3 + keys))))
		sim_note_woken_in_vain(argv[3]);
	if (a.integer > 0 && (script == &rlk_script_set_release || script == &rlk_script_set_downgrade))
		sim_note_left(argv[3]);
	return a;
}
