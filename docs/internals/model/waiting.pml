/*
 * waiting.pml: the waiting protocol of redislock, for spin 6.5.
 *
 * A server that executes one command or script at a time, a connection per client on which commands arrive in the
 * order in which they were written, and the clients: a holder with its renewal child, two waiters, a newcomer, a
 * holder that knows nothing of us, an operator. README.md says what is left out and why that is sound;
 * scripts/long/model.sh knows the configurations and what each has to show.
 *
 * Time. A command that sets a TTL opens a window when it is *written*; the window closes whenever it likes. A client
 * believes in its lock only while the window of a confirmed command is open, and the server lets a key expire only
 * after the window of the command that set its TTL has closed. That is the one assumption about clocks: a client's
 * validity ends not later than the server's TTL, because it starts earlier and lasts no longer.
 */

/* What a configuration switches on. */
#ifndef RENEW
#define RENEW 0         /* the holder's child renews once, on its own connection */
#endif
#ifndef CRASH
#define CRASH 0         /* the holder is killed and its child releases */
#endif
#ifndef KILLED
#define KILLED 0        /* the holder is killed with its child: only the TTL is left */
#endif
#ifndef FREEZE
#define FREEZE 0        /* a living client may be so slow that its key expires: 1 once in a run, 2 at any time */
#endif
#ifndef GIVEUP
#define GIVEUP 0        /* bits: 1 the first waiter may reach its limit or be interrupted, 2 the second */
#endif
#ifndef VANISH
#define VANISH 0        /* bits: 1 the first waiter may disappear, 2 the second; what it has sent still runs */
#endif
#ifndef DROP
#define DROP 0          /* the server may notice that a client is gone, and forget what it has not executed yet */
#endif
#ifndef NEWCOMER
#define NEWCOMER 0      /* how often somebody comes along who tries once and does not wait */
#endif
#ifndef FOREIGN
#define FOREIGN 0       /* how often a client takes the lock that deletes it without a signal */
#endif
#ifndef OPERATOR
#define OPERATOR 0      /* bits: 1 deletes the lock under its holder, 2 deletes the waiters key */
#endif
#ifndef LATE
#define LATE 0          /* a waiter's BLPOP may arrive so late that waiters key and wake token have expired by then */
#endif
#ifndef TWO_CONNS
#define TWO_CONNS 0     /* a waiter's extension travels on the connection of its renewal child */
#endif
#ifndef LOOK
#define LOOK 0          /* bits: 1 the first waiter looks at the key from a second connection, and wakes the next one when
						 * it is gone; 2 the second does. 3 is the protocol, less is where a server has no connection left */
#endif
#ifndef NATIVE
#define NATIVE 0        /* a release may be by a compare command: 1 of who has not waited, 2 of a waiter */
#endif
#ifndef PLACE
#define PLACE 0         /* nobody who was woken may find that another one was woken, too, and has the lock */
#endif
#ifndef SLICE
#define SLICE 2         /* BLPOP times out: 0 never, 1 only when nothing else can happen, 2 at any time */
#endif

/* The rules of the protocol. BREAK=n leaves out the n-th and shows what it is for. */
#ifndef BREAK
#define BREAK 0
#endif
#define SIGNAL_BY_KEY        (BREAK != 2)   /* a release asks for the waiters key, not whether somebody is blocked now */
#define TRY_SETS_KEY         (BREAK != 3)   /* the try that fails sets the waiters key */
#define PUT_BACK             (BREAK != 5)   /* who stops waiting without the lock passes the wake token on */
#define PAIR_IS_PROVISIONAL  (BREAK != 6)   /* the pair takes the lock for the provisional ttl, not for the ttl */
#define KEEPS_ON_WAITING     (BREAK != 7)   /* who popped in vain and goes on waiting puts nothing back */
#define RELEASE_BEHIND       (BREAK != 8)   /* who stops with a pair under way writes a release behind it */
#define CHILD_SIGNALS_LOSS   (BREAK != 9)   /* a renewal child that finds the lock gone pushes a wake token */
#define TRY_IS_PROVISIONAL   (BREAK != 10)  /* a waiter's try takes the lock for the provisional ttl, too */
#define PUT_BACK_IF_SILENT   (BREAK != 11)  /* rule 5 also holds when somebody has the lock who will not signal */
#define RELEASE_SIGNALS_LOSS (BREAK != 12)  /* a release that finds no key at all pushes a wake token */
#define EXPIRED_OWES         (BREAK != 13)  /* rule 5 also holds for a waiter whose provisional ttl ran out */
#define ASKS_AFTERWARDS      (BREAK != 15)  /* a compare command's release asks for the waiters key after the delete */
#define LOOKS_TWICE          (BREAK != 16)  /* a look wakes when the last one of the same waiter found the lock free, too */
#define LOOK_SETS_KEY        (BREAK != 17)  /* a look sets the waiters key that it does not find */

/* Clients, and their connections; five further on those of their renewal children. */
#define H  0            /* holder */
#define W1 1            /* waiters */
#define W2 2
#define N  3            /* newcomer */
#define F  4            /* foreign holder */
#define CLIENTS 5
#define CHILD   5
#define CONNS   8

mtype = { TRY, BLPOP, PAIR_SET, EXTEND, RELEASE, ABANDON, PUT, BARE_SET, FOREIGN_DEL, DELETE, EXISTS };
mtype = { YES, NO, NO_SIGNAL };

chan in[CONNS] = [3] of { mtype };

/* The server. */
byte owner;                     /* client + 1 whose token the lock key holds; 0: no key */
bool owner_extended;            /* the key's TTL is that of the extension, not that of the acquiring command */
bool waiters_key;               /* somebody waits or waited a little while ago */
bool wake_token;                /* the list of wake tokens, trimmed to one */
chan blocked_clients = [2] of { byte };
bool blocked[CLIENTS];          /* in BLPOP */
bool polls[CLIENTS];            /* its BLPOP has the short timeout for holders that do not signal */
bool expected[CLIENTS];         /* between the try that failed and the end of its BLPOP: waiters key and wake token still live */

/* The clients. */
mtype reply[CLIENTS];           /* of TRY, BARE_SET, the pair, or EXISTS */
mtype extend_reply[CLIENTS];
bool acquire_window[CLIENTS];   /* open: less than the TTL has passed since the acquiring command was written */
bool extend_window[CLIENTS];    /* likewise, since the extension was written */
bool owes[CLIENTS];             /* had the wake token or the lock, and has it no longer: must not stop without a signal */
bool knows[CLIENTS];            /* has read an answer that says it has the lock */
bool gone[CLIENTS];             /* vanished or killed */
bool ended[CLIENTS];            /* waits no longer, for whatever reason */
bool frozen;                    /* the one freeze of FREEZE=1 has happened */
bool by_turn;                   /* the owner was woken, and did not just come at the right moment */

/* The window of the command that gave the key its TTL. */
#define window_of(c)   (owner_extended -> extend_window[c] : acquire_window[c])

#define may_give_up(c) ((GIVEUP & (c)) != 0)
#define may_vanish(c)  ((VANISH & (c)) != 0)
#define may_look(c)    ((LOOK & (c)) != 0 && blocked[c] && !gone[c])
#define on_its_way(c)  (!blocked[c] && in[c]?[PAIR_SET])
#define signals(o)     ((o) != F + 1)
#define expects(c)     (expected[c] && !gone[c])
#define somebody_blocked (blocked[W1] || blocked[W2])
#define slice_over(c)  (SLICE == 2 || polls[c] || (SLICE == 1 && timeout))

/* COPY of the waiters key inside a script; the first blocked client is served before any other command. */
inline push()
{
	if
	:: somebody_blocked ->
		blocked_clients?h;
		blocked[h] = false;
		expected[h] = false;
		owes[h] = true;
		h = 0
	:: else -> wake_token = true
	fi
}

inline push_if_awaited()
{
	if
	:: waiters_key && (SIGNAL_BY_KEY || somebody_blocked) -> push()
	:: else
	fi
}

/* SET NX PX. `whole`: with the ttl instead of the provisional one. A waiter that has not heard of its luck must not have more
 * than the provisional ttl, for it may never hear. */
inline take(whole)
{
	if
	:: owner == 0 ->
		owner = c + 1;
		owner_extended = false;
		assert(!(whole) || c == N || c == F);
		reply[c] = YES
	:: else -> reply[c] = (signals(owner) -> NO : NO_SIGNAL)
	fi
}

/* Nothing of this client can happen any more that depends on these. */
inline forget()
{
	if
	:: c < 3 ->
		acquire_window[c] = false;
		extend_window[c] = false;
		extend_reply[c] = 0;
		reply[c] = 0;
		expected[c] = false;
		polls[c] = false;
		owes[c] = false;
		knows[c] = false
	:: else
	fi
}

/* One connection, as the server sees it. Each step is one command or script and nothing can come between; BLPOP's
 * end and the command behind it are two steps. */
proctype Conn(byte n; byte c)
{
	mtype m;
	byte h;
	bool overtaken;
end:
	do
	:: d_step {
		nempty(in[n]) && (n >= CHILD || !blocked[n]) ->
		in[n]?m;
		if
		:: m == TRY ->
			by_turn = (owner == 0 -> false : by_turn);
			take(!TRY_IS_PROVISIONAL);
			if
			:: reply[c] != YES ->
				expected[c] = true;
				if
				:: TRY_SETS_KEY -> waiters_key = true
				:: else
				fi
			:: else
			fi
		:: m == BLPOP ->
			if
			:: wake_token ->
				wake_token = false;
				expected[c] = false;
				owes[c] = true
			:: else ->
				blocked[c] = true;
				blocked_clients!c
			fi
		:: m == PAIR_SET ->
			overtaken = by_turn && owner != 0 && owes[c];
			assert(!overtaken);
			overtaken = false;
			by_turn = (owner == 0 -> PLACE && owes[c] : by_turn);
			take(!PAIR_IS_PROVISIONAL)
		:: m == BARE_SET -> take(true)
		:: m == EXTEND ->
			if
			:: owner == c + 1 ->
				owner_extended = true;
				assert(c == H || knows[c]);
				extend_reply[c] = YES
			:: else -> extend_reply[c] = NO
			fi
		:: m == RELEASE || m == ABANDON ->
			if
			:: owner == c + 1 ->
				owner = 0;
				owner_extended = false;
				push_if_awaited()
			:: else ->
				if
				:: m == ABANDON && PUT_BACK && (owner == 0 || (PUT_BACK_IF_SILENT && !signals(owner))) ->
					push_if_awaited()
				:: m == RELEASE && RELEASE_SIGNALS_LOSS && (owner == 0 || !signals(owner)) -> push_if_awaited()
				:: else
				fi
			fi;
			forget()
		:: m == PUT ->
			if
			:: owner == 0 || !signals(owner) || !KEEPS_ON_WAITING -> push_if_awaited()
			:: else
			fi
		:: m == FOREIGN_DEL ->
			if
			:: owner == c + 1 -> owner = 0
			:: else
			fi
#if NATIVE
		:: m == DELETE ->
			if
			:: owner == c + 1 ->
				owner = 0;
				owner_extended = false
			:: else
			fi
		:: m == EXISTS ->
			forget();
			reply[c] = (waiters_key -> YES : NO)
#endif
		fi;
		m = 0
	}
	:: atomic {
		n < CHILD && blocked[n] && slice_over(n) ->
		blocked_clients??eval(n);
		blocked[n] = false;
		expected[n] = false
	}
#if DROP
	:: atomic {
		n < CHILD && gone[n] && (blocked[n] || nempty(in[n])) ->
		if
		:: blocked[n] ->
			blocked_clients??eval(n);
			blocked[n] = false
		:: !blocked[n]
		fi;
		do
		:: nempty(in[n]) -> in[n]?m
		:: empty(in[n]) -> break
		od;
		m = 0;
		expected[n] = false
	}
#endif
	od
}

/* The passing of time for one client's windows and key. */
proctype Clock(byte c)
{
end:
	do
	:: atomic { acquire_window[c] -> acquire_window[c] = false }
	:: atomic { extend_window[c] && !acquire_window[c] -> extend_window[c] = false }
	:: atomic {
		owner == c + 1 && !window_of(c) && (gone[c] || FREEZE == 2 || (FREEZE == 1 && !frozen)) ->
		frozen = frozen || !gone[c];
		owner = 0;
		owner_extended = false
	}
	od
}

/* Expiry of the helper keys. Both live at least until the slice of the last waiter that was told to block is over,
 * unless that waiter dawdles (LATE). */
proctype Helpers()
{
end:
	do
	:: atomic { waiters_key && !expects(W1) && !expects(W2) -> waiters_key = false }
	:: atomic { wake_token && !expects(W1) && !expects(W2) -> wake_token = false }
#if LATE
	:: atomic { expected[W1] && !blocked[W1] -> expected[W1] = false }
	:: atomic { expected[W2] && !blocked[W2] -> expected[W2] = false }
#endif
	od
}

/* Two commands in one write: compare and delete, and a question for the waiters key. */
inline write_native_release(c)
{
	if
	:: ASKS_AFTERWARDS -> in[c]!DELETE; in[c]!EXISTS
	:: else -> in[c]!EXISTS; in[c]!DELETE
	fi
}

/* Somebody waits: the script wakes one. Nobody does: that is all. No answer in time: the script follows behind. */
inline finish_native_release(c)
{
	if
	:: atomic { reply[c] == YES -> reply[c] = 0; in[c]!RELEASE }
	:: atomic { reply[c] == NO -> reply[c] = 0 }
	:: in[c]!RELEASE
	fi
}

/* Has the lock when the story begins. Where the operator deletes it, the child does renew after that or before; else
 * it may as well be over before the first renewal is due, or while one is under way. */
proctype Holder()
{
	if
	:: RENEW -> atomic { extend_window[H] = true; in[CHILD + H]!EXTEND };
		if
		:: extend_reply[H] == YES
		:: atomic { extend_reply[H] == NO ->
			if
			:: CHILD_SIGNALS_LOSS -> in[CHILD + H]!PUT
			:: else
			fi;
			goto over }
#if OPERATOR == 0
		:: true
#endif
		fi
	:: !RENEW || OPERATOR == 0 -> skip
	fi;
	atomic {
		if
		:: in[H]!RELEASE; goto over
		:: NATIVE & 1 -> write_native_release(H)
		:: CRASH -> in[CHILD + H]!RELEASE; goto over
		:: KILLED -> gone[H] = true; goto over
		fi
	};
	if
	:: finish_native_release(H)
	:: CRASH -> in[CHILD + H]!RELEASE
	:: KILLED -> gone[H] = true
	fi;
over:
	skip
}

proctype Waiter(byte c)
{
try:
	atomic { acquire_window[c] = true; in[c]!TRY };
	if
	:: atomic { reply[c] == YES -> reply[c] = 0; knows[c] = true; goto got }
	:: atomic { reply[c] == NO -> reply[c] = 0; polls[c] = false }
	:: atomic { reply[c] == NO_SIGNAL -> reply[c] = 0; polls[c] = true }
	:: may_give_up(c) -> goto abandon
	:: may_vanish(c) -> goto vanish
	fi;

	/* The pair, in one write. */
	if
	:: atomic { acquire_window[c] = true; in[c]!BLPOP; in[c]!PAIR_SET }
	:: may_give_up(c) -> goto stop
	:: may_vanish(c) -> goto vanish
	fi;
	if
	:: atomic { reply[c] == YES -> reply[c] = 0; knows[c] = true; goto got }
	:: atomic { reply[c] == NO || reply[c] == NO_SIGNAL -> reply[c] = 0 }
	:: may_give_up(c) -> goto abandon
	:: may_vanish(c) -> goto vanish
	fi;
	if
	:: atomic { !KEEPS_ON_WAITING && owes[c] -> owes[c] = false; in[c]!PUT; goto try }
	:: KEEPS_ON_WAITING || !owes[c] -> goto try
	:: may_give_up(c) -> goto stop
	:: may_vanish(c) -> goto vanish
	fi;

got:
	if
	:: atomic { acquire_window[c] ->
		owes[c] = false;
		/* The extension is sent and not waited for; a short hold needs none. */
		if
		:: extend_window[c] = true; in[(TWO_CONNS -> CHILD + c : c)]!EXTEND
		:: true
		fi;
		goto held }
	:: atomic { extend_window[c] = true; in[c]!EXTEND }
	:: may_give_up(c) -> goto abandon
	:: may_vanish(c) -> goto vanish
	fi;
	if
	:: atomic { extend_reply[c] == YES ->
		extend_reply[c] = 0;
		owes[c] = false;
		goto held }
	:: atomic { extend_reply[c] == NO ->
		extend_reply[c] = 0;
		knows[c] = false;
		extend_window[c] = false;
		owes[c] = owes[c] || EXPIRED_OWES }
	:: may_give_up(c) -> goto abandon
	:: may_vanish(c) -> goto vanish
	fi;
	if
	:: goto try
	:: may_give_up(c) -> goto stop
	:: may_vanish(c) -> goto vanish
	fi;

held:
	if
	:: atomic { extend_reply[c] == YES -> extend_reply[c] = 0 }
	:: true
	fi;
	atomic { ended[c] = true;
		if
		:: in[c]!RELEASE; goto over
		:: NATIVE & 2 -> write_native_release(c)
		fi };
	if
	:: finish_native_release(c); goto over
	:: may_vanish(c) -> goto vanish
	fi;

	/* Nothing is under way. */
stop:
	atomic {
		expected[c] = false;
		ended[c] = true;
		if
		:: PUT_BACK && owes[c] -> in[c]!PUT
		:: else
		fi;
		goto over
	};

	/* Commands are under way whose answers nobody will read. */
abandon:
	atomic {
		ended[c] = true;
		if
		:: RELEASE_BEHIND -> in[c]!ABANDON
		:: else
		fi;
		goto over
	};

vanish:
	atomic { gone[c] = true; ended[c] = true };
over:
	skip
}

/* The looks of those who block. Each is one script: it sets the waiters key, and wakes the next if the lock has been free for
 * so long that whoever was woken before has it by now. */
proctype Looker()
{
	byte h;
end:
	do
	:: d_step {
		owner == 0 && (may_look(W1) || may_look(W2)) && (waiters_key || LOOK_SETS_KEY) &&
			!(LOOKS_TWICE && (on_its_way(W1) || on_its_way(W2))) ->
		waiters_key = true;
		push()
	}
	od
}

/* Tries without waiting: a newcomer of ours, or a client that deletes its key and tells nobody. It compares before it
 * deletes, since one that does not would break anybody's lock. */
proctype Newcomer(byte c; byte times)
{
next:
	do
	:: times == 0 -> break
	:: times > 0 ->
		atomic { times--; acquire_window[c] = true; in[c]!BARE_SET };
		if
		:: atomic { reply[c] == NO || reply[c] == NO_SIGNAL -> reply[c] = 0 }
		:: atomic { reply[c] == YES ->
			reply[c] = 0 };
			atomic {
				if
				:: c == F -> in[c]!FOREIGN_DEL; goto next
				:: c == N -> in[c]!RELEASE; goto next
				:: c == N && (NATIVE & 1) -> write_native_release(c)
				fi };
			finish_native_release(c)
		fi
	od
}

proctype Operator()
{
#if OPERATOR & 1
	if
	:: atomic { owner != 0 -> owner = 0; owner_extended = false }
	:: true
	fi;
#endif
#if OPERATOR & 2
	if
	:: atomic { waiters_key -> waiters_key = false }
	:: true
	fi;
#endif
	skip
}

init {
	atomic {
		owner = H + 1;
		acquire_window[H] = true;
		run Conn(H, H); run Conn(W1, W1); run Conn(W2, W2);
		run Clock(H); run Clock(W1); run Clock(W2);
		run Helpers();
#if RENEW || CRASH
		run Conn(CHILD + H, H);
#endif
#if TWO_CONNS
		run Conn(CHILD + W1, W1); run Conn(CHILD + W2, W2);
#endif
#if NEWCOMER
		run Conn(N, N); run Clock(N); run Newcomer(N, NEWCOMER);
#endif
#if FOREIGN
		run Conn(F, F); run Clock(F); run Newcomer(F, FOREIGN);
#endif
#if OPERATOR
		run Operator();
#endif
#if LOOK
		run Looker();
#endif
		run Holder(); run Waiter(W1); run Waiter(W2)
	}
}

#ifdef LIVE
ltl served { <> (ended[W1] && ended[W2]) }
#endif
