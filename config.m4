dnl config.m4 for the redislock extension.

PHP_ARG_ENABLE([redislock],
  [whether to enable redislock],
  [AS_HELP_STRING([--enable-redislock],
    [Enable distributed locks on Redis])])

PHP_ARG_WITH([hiredis],
  [for hiredis],
  [AS_HELP_STRING([--with-hiredis=DIR],
    [redislock: hiredis 0.14 or later below DIR (DIR/include/hiredis, DIR/lib); asked of pkg-config when no DIR is
    given. "static": the same, linked into the module, which then needs no libhiredis where it runs])],
  [yes],
  [no])

PHP_ARG_WITH([redislock-ssl],
  [for TLS in redislock],
  [AS_HELP_STRING([--with-redislock-ssl],
    [redislock: connections with TLS, by OpenSSL 1.1.1 or later as pkg-config knows it; the default is to have them
    where it is installed])],
  [auto],
  [no])

PHP_ARG_ENABLE([redislock-dev],
  [whether to build redislock for its developers],
  [AS_HELP_STRING([--enable-redislock-dev],
    [redislock: turn warnings into errors and keep the frame pointer])],
  [no],
  [no])

PHP_ARG_ENABLE([redislock-clone],
  [whether redislock starts its renewal child by clone],
  [AS_HELP_STRING([--disable-redislock-clone],
    [redislock: renew on Linux in the way of other systems, without clone and pidfd. For the tests of that])],
  [yes],
  [no])

if test "$PHP_REDISLOCK" != "no"; then

  dnl One file per line: scripts/ci/check-sources.sh compares this list with config.w32 and the tree.
  REDISLOCK_SOURCES="
    redislock.c
    src/base/rlk_error.c
    src/base/rlk_os_posix.c
    src/base/rlk_str.c
    src/net/rlk_address.c
    src/net/rlk_address_posix.c
    src/net/rlk_conn.c
    src/net/rlk_conn_open.c
    src/net/rlk_drain.c
    src/net/rlk_expected.c
    src/net/rlk_pool.c
    src/net/rlk_reply.c
    src/net/rlk_resp.c
    src/net/rlk_server.c
    src/net/rlk_socket_posix.c
    src/net/rlk_tls_context.c
    src/net/rlk_tls_none.c
    src/net/rlk_tls_openssl.c
    src/redis/rlk_dialect.c
    src/redis/rlk_exchange.c
    src/redis/rlk_topology.c
    src/redis/rlk_topology_open.c
    src/redis/rlk_topology_rules.c
    src/lock/rlk_acquire.c
    src/lock/rlk_doubts.c
    src/lock/rlk_extend.c
    src/lock/rlk_holder.c
    src/lock/rlk_kind.c
    src/lock/rlk_ledger.c
    src/lock/rlk_lock.c
    src/lock/rlk_member.c
    src/lock/rlk_quorum.c
    src/lock/rlk_quorum_round.c
    src/lock/rlk_release.c
    src/lock/rlk_scripts.c
    src/lock/rlk_token.c
    src/lock/rlk_upgrade.c
    src/lock/rlk_use.c
    src/lock/rlk_votes.c
    src/lock/rlk_wait.c
    src/lock/rlk_wait_check.c
    src/lock/rlk_wait_queue.c
    src/renew/rlk_area.c
    src/renew/rlk_backend_posix.c
    src/renew/rlk_child_answers_posix.c
    src/renew/rlk_child_channel_posix.c
    src/renew/rlk_child_os_posix.c
    src/renew/rlk_child_posix.c
    src/renew/rlk_child_slots_posix.c
    src/renew/rlk_child_topology_posix.c
    src/renew/rlk_copy_clone_posix.c
    src/renew/rlk_copy_fork_posix.c
    src/renew/rlk_heap.c
    src/renew/rlk_process_posix.c
    src/renew/rlk_renewal.c
    src/renew/rlk_renewal_servers.c
    src/renew/rlk_renewal_worker.c
    src/renew/rlk_thread_posix.c
    src/hold/rlk_hold.c
    src/hold/rlk_hold_acquire.c
    src/hold/rlk_hold_ask.c
    src/hold/rlk_hold_end.c
    src/config/rlk_config.c
    src/config/rlk_config_servers.c
    src/config/rlk_layer.c
    src/config/rlk_layer_read.c
    src/config/rlk_option.c
    src/config/rlk_uri.c
    src/config/rlk_value.c
    src/php/redislock_cache.c
    src/php/redislock_class.c
    src/php/redislock_client.c
    src/php/redislock_config.c
    src/php/redislock_describe.c
    src/php/redislock_errors.c
    src/php/redislock_exec.c
    src/php/redislock_heap.c
    src/php/redislock_hold.c
    src/php/redislock_host.c
    src/php/redislock_interrupt.c
    src/php/redislock_methods.c
    src/php/redislock_object.c
    src/php/redislock_opcode_guard.c
    src/php/redislock_owner.c
    src/php/redislock_poller.c
    src/php/redislock_redlock.c
    src/php/redislock_request.c
    src/php/redislock_run.c
    src/php/redislock_stats.c
    src/php/redislock_thread.c
  "

  AC_MSG_CHECKING([for PHP 8.2 or later])
  redislock_php=""
  if test -n "$PHP_CONFIG"; then
    redislock_php=`$PHP_CONFIG --vernum 2>/dev/null`
  fi
  dnl Inside the PHP sources there is no php-config, but the number itself.
  if test -z "$redislock_php"; then
    redislock_php="$PHP_VERSION_ID"
  fi
  if test -z "$redislock_php" || test "$redislock_php" -lt 80200; then
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([redislock needs PHP 8.2 or later, this is version number ${redislock_php:-unknown}])
  fi
  AC_MSG_RESULT([yes])

  dnl The same hint wherever hiredis turns out to be missing.
  redislock_hint="Install it together with pkg-config (Debian, Ubuntu: apt install libhiredis-dev pkg-config; \
Fedora, RHEL: dnf install hiredis-devel pkgconf; Alpine: apk add hiredis-dev pkgconf; \
FreeBSD, Homebrew: hiredis pkgconf), or name its place with --with-hiredis=DIR"

  redislock_ldflags=""
  REDISLOCK_INCLUDE=""
  if test "$PHP_HIREDIS" = "no"; then
    AC_MSG_ERROR([redislock cannot be built without hiredis])
  elif test "$PHP_HIREDIS" = "yes" || test "$PHP_HIREDIS" = "static"; then
    PKG_CHECK_MODULES([HIREDIS], [hiredis >= 0.14], [
      if test "$PHP_HIREDIS" = "static"; then
        redislock_archive=`$PKG_CONFIG --variable=libdir hiredis`/libhiredis.a
        dnl Debian's hiredis.pc leaves out the folder of the architecture, which the compiler knows.
        if test ! -r "$redislock_archive"; then
          redislock_archive=`$CC -print-file-name=libhiredis.a`
        fi
        if test ! -r "$redislock_archive"; then
          AC_MSG_ERROR([libhiredis.a was not found, and --with-hiredis=static needs it])
        fi
        if test "$ext_shared" = "yes"; then
          REDISLOCK_SHARED_LIBADD="$redislock_archive"
        else
          LIBS="$redislock_archive $LIBS"
        fi
        dnl Its symbols stay inside: another extension may bring a libhiredis of its own.
        redislock_ldflags="-Wl,--exclude-libs,libhiredis.a"
      else
        PHP_EVAL_LIBLINE([$HIREDIS_LIBS], [REDISLOCK_SHARED_LIBADD])
      fi
    ], [
      AC_MSG_ERROR([hiredis 0.14 or later was not found. $redislock_hint])
    ])
    dnl We include <hiredis/hiredis.h>. The flags of hiredis.pc name the folder hiredis itself, whose net.h, read.h
    dnl and sds.h would then be found by anybody.
    REDISLOCK_INCLUDE=`$PKG_CONFIG --variable=includedir hiredis | $SED 's#/hiredis/*$##'`
  else
    REDISLOCK_INCLUDE="$PHP_HIREDIS/include"
    if test ! -r "$REDISLOCK_INCLUDE/hiredis/hiredis.h"; then
      AC_MSG_ERROR([$REDISLOCK_INCLUDE/hiredis/hiredis.h was not found. $redislock_hint])
    fi
    PHP_ADD_LIBRARY_WITH_PATH([hiredis], [$PHP_HIREDIS/$PHP_LIBDIR], [REDISLOCK_SHARED_LIBADD])
  fi
  if test -n "$REDISLOCK_INCLUDE"; then
    PHP_ADD_INCLUDE([$REDISLOCK_INCLUDE])
  fi

  dnl Asked of the header as well: a DIR has no pkg-config file to say what it holds.
  AC_MSG_CHECKING([whether the headers are those of hiredis 0.14 or later])
  redislock_cppflags="$CPPFLAGS"
  CPPFLAGS="$CPPFLAGS -I${REDISLOCK_INCLUDE:-/usr/include}"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
    #include <hiredis/hiredis.h>
    #if HIREDIS_MAJOR == 0 && HIREDIS_MINOR < 14
    # error too old
    #endif
  ]], [[]])], [
    AC_MSG_RESULT([yes])
  ], [
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([hiredis 0.14 or later was not found. $redislock_hint])
  ])
  CPPFLAGS="$redislock_cppflags"

  PHP_CHECK_LIBRARY([hiredis], [redisReaderCreateWithFunctions], [], [
    AC_MSG_ERROR([libhiredis cannot be linked. $redislock_hint])
  ], [$REDISLOCK_SHARED_LIBADD])

  REDISLOCK_CFLAGS="-I@ext_srcdir@/src -D_GNU_SOURCE -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_REDISLOCK_SSL" != "no"; then
    PKG_CHECK_MODULES([REDISLOCK_SSL], [libssl >= 1.1.1 libcrypto >= 1.1.1], [
      PHP_EVAL_LIBLINE([$REDISLOCK_SSL_LIBS], [REDISLOCK_SHARED_LIBADD])
      PHP_EVAL_INCLINE([$REDISLOCK_SSL_CFLAGS])
      REDISLOCK_CFLAGS="$REDISLOCK_CFLAGS -DHAVE_REDISLOCK_SSL=1"
    ], [
      if test "$PHP_REDISLOCK_SSL" != "auto"; then
        AC_MSG_ERROR([OpenSSL 1.1.1 or later was not found by pkg-config. Install it (Debian, Ubuntu: apt install \
libssl-dev; Fedora, RHEL: dnf install openssl-devel; Alpine: apk add openssl-dev), or build --without-redislock-ssl])
      fi
      AC_MSG_WARN([OpenSSL 1.1.1 or later was not found: redislock is built without TLS])
    ])
  fi

  dnl Part of libc on most systems by now.
  AC_CHECK_FUNC([pthread_create], [], [PHP_ADD_LIBRARY([pthread],, [REDISLOCK_SHARED_LIBADD])])

  AX_CHECK_COMPILE_FLAG([-std=gnu11], [REDISLOCK_CFLAGS="$REDISLOCK_CFLAGS -std=gnu11"])
  AX_CHECK_COMPILE_FLAG([-fvisibility=hidden], [REDISLOCK_CFLAGS="$REDISLOCK_CFLAGS -fvisibility=hidden"])
  if test "$PHP_REDISLOCK_CLONE" = "no"; then
    REDISLOCK_CFLAGS="$REDISLOCK_CFLAGS -DRLK_WITHOUT_CLONE=1"
  fi
  if test "$PHP_REDISLOCK_DEV" != "no"; then
    dnl PHP's method signatures come from macros, parameters unused or not.
    REDISLOCK_CFLAGS="$REDISLOCK_CFLAGS -Wall -Wextra -Wno-unused-parameter -Werror"
    REDISLOCK_CFLAGS="$REDISLOCK_CFLAGS -Werror=implicit-function-declaration -fno-omit-frame-pointer"
  fi

  dnl All symbols are bound at load: the renewal child must not resolve any, since it may lack the heap the linker's own
  dnl records are on. That goes for PHP itself where the extension is a part of it.
  case $host_alias in
  *darwin*) ;;
  *)
    redislock_ldflags="$redislock_ldflags -Wl,-z,now"
    if test "$ext_shared" = "yes"; then
      REDISLOCK_SHARED_LIBADD="$REDISLOCK_SHARED_LIBADD $redislock_ldflags"
    else
      EXTRA_LDFLAGS="$EXTRA_LDFLAGS $redislock_ldflags"
      EXTRA_LDFLAGS_PROGRAM="$EXTRA_LDFLAGS_PROGRAM $redislock_ldflags"
    fi
    ;;
  esac
  PHP_SUBST([REDISLOCK_SHARED_LIBADD])
  PHP_NEW_EXTENSION([redislock], [$REDISLOCK_SOURCES], [$ext_shared],, [$REDISLOCK_CFLAGS])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/base])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/net])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/redis])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/lock])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/config])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/renew])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/hold])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/php])

  dnl Not in a PHP that is built with redislock in it: "make test" there is all of PHP's.
  if test "$ext_srcdir" = "$abs_srcdir"; then
    PHP_ADD_MAKEFILE_FRAGMENT([$ext_srcdir/tests/Makefile.frag])
  fi

  dnl The developers' targets; a package carries neither the scripts nor this file, and PHP has targets of its own.
  if test "$ext_srcdir" = "$abs_srcdir" && test -r "$ext_srcdir/scripts/test.sh"; then
    PHP_ADD_MAKEFILE_FRAGMENT([$ext_srcdir/Makefile.frag])
  fi
fi
