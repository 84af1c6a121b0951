# simulate.mk: builds the simulator for scripts/ci/simulate.sh, which sets OUT, CC, FLAGS and LIBS. Run from the top of
# the tree whose sources are to be simulated.

TESTS := tests/simulate
REPLACED := src/base/rlk_os_posix.c src/net/rlk_socket_posix.c src/net/rlk_address_posix.c \
	src/renew/rlk_process_posix.c src/renew/rlk_thread_posix.c src/renew/rlk_child_os_posix.c \
	src/renew/rlk_backend_posix.c
SOURCES := $(filter-out %_win32.c $(REPLACED), $(wildcard $(addsuffix /*.c, src/base src/net src/redis src/lock src/renew src/hold)))
WRAPPED := malloc calloc realloc free strdup getpeername \
	rlk_lock_set_token rlk_lock_extend rlk_lock_confirm rlk_lock_downgrade rlk_lock_release

objects := $(patsubst %.c, $(OUT)/%.o, $(SOURCES)) $(patsubst $(TESTS)/%.c, $(OUT)/simulate/%.o, $(wildcard $(TESTS)/*.c))
comma := ,

$(OUT)/simulate.exe: $(objects)
	$(CC) $(FLAGS) -o $@ $(objects) $(addprefix -Wl$(comma)--wrap=, $(WRAPPED)) $(LIBS)

$(OUT)/simulate/%.o: $(TESTS)/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -Isrc $(LUA) -MMD -MP -c -o $@ $<

$(OUT)/src/renew/%.o $(OUT)/src/hold/%.o: override FLAGS += -include $(TESTS)/races.h

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -Isrc -MMD -MP -c -o $@ $<

-include $(objects:.o=.d)
