/*
 * turnstile.pml: who waits for a lock that several may hold, and in which order they are served.
 *
 * waiting.pml proves how one waiter of a list is woken: a failed try and the wait behind it are one step here, and the
 * turnstile is a lock that is passed on in order. What is left are the units of a name and those who want some of them:
 * readers take one, a permit of weight w takes w, a writer takes all. README.md has the rules and the results.
 */

#ifndef NEEDS
#define NEEDS 1         /* who takes part, and what they need: see need() */
#endif
#ifndef UNITS
#define UNITS (NEEDS == 1 -> 4 : (NEEDS == 2 -> 3 : 2))
#endif
#ifndef CRASH
#define CRASH 0         /* a holder may be killed: its child releases */
#endif
#ifndef EXPIRE
#define EXPIRE 0        /* ... or killed with its child: its members end, and nobody tells */
#endif
#ifndef VANISH
#define VANISH 0        /* a waiter may vanish, and be woken; what it takes then ends by itself */
#endif
#ifndef KILL
#define KILL 0          /* a bit for each client that may be killed while the server blocks it: who has the turnstile keeps it */
#endif
#ifndef GIVEUP
#define GIVEUP 0        /* a bit for each client that may give up wherever it waits */
#endif
#ifndef STAY
#define STAY 0          /* the first client may hold what it has for ever */
#endif
#ifndef ROUNDS
#define ROUNDS 1        /* how often each acquires */
#endif
#ifndef LOOK
#define LOOK 1          /* who waits in the list looks for room */
#endif
#ifndef BARE
#define BARE 0          /* those who take all try at first without a question for the turnstile, by SET NX */
#endif
#ifndef HASTY
#define HASTY 0         /* a release is said again before who has just got the turnstile blocks */
#endif
#ifndef BREAK
#define BREAK 0
#endif
#define ASKS_TURNSTILE  (BREAK != 1)   /* a try without waiting finds the turnstile taken, and fails */
#define TAKES_TURNSTILE (BREAK != 2)   /* who may not fit when woken waits at the turnstile */
#define FOLLOWS_OTHERS  (BREAK != 3)   /* ... and everybody else if it is taken */
#define OPENS           (BREAK != 4)   /* who stops as the holder of the turnstile opens it; else SAYS_AGAIN would, later */
#define CHAINS          (BREAK != 5)   /* who got in wakes the next one in the list if there is more room */
#define COUNTS_WEIGHT   (BREAK != 6)   /* a weight of w counts w times */
#define COUNTS_READERS  (BREAK != 7)   /* a writer needs all units */
#define WAKES           (BREAK != 8)   /* a release that makes room wakes the first of the list */
#define PASSES_ON       (BREAK != 9)   /* who was woken and stops waiting wakes the next */
#define DROPS           (BREAK != 10)   /* members that are over are dropped */
#define HEAD_STAYS      (BREAK != 11)   /* who holds the turnstile keeps it while it does not fit */
#define SAYS_AGAIN      (BREAK != 12 && BREAK != 4)   /* who left nobody inside says it once more, which opens a turnstile without a holder */

#define CLIENTS 4
#define NOBODY  CLIENTS

/* 1: two readers, two writers. 2: permits of weight 1, 1 and 2, and a plain lock. 3: four permits of weight 1. */
#if NEEDS == 1
#define need(c) ((c) < 2 -> 1 : ((c) < 4 -> UNITS : 0))
#elif NEEDS == 2
#define need(c) ((c) < 2 -> 1 : ((c) == 2 -> 2 : UNITS))
#else
#define need(c) 1
#endif
#define all(c)       (need(c) == UNITS)
#define counted(c)   (all(c) && !COUNTS_READERS -> 1 : (COUNTS_WEIGHT || all(c) -> need(c) : 1))
/* Readers do not fit beside a writer, and a weight above 1 may not fit where a weight of 1 does. A writer that finds
 * anybody but another writer may be kept out by several. */
#define may_not_fit(c) ((NEEDS == 1 && !all(c)) || (need(c) > 1 && !all(c)) || (all(c) && !plain))

byte used;              /* units that the server counts */
byte inside;            /* units that clients hold, whatever the server counts */
bool plain;             /* they are those of one plain lock */
byte turn = NOBODY;     /* who holds the turnstile */
chan turns = [CLIENTS] of { byte };
chan list = [CLIENTS] of { byte };
bool token;             /* a wake token that nobody was blocked for */
bool woken[CLIENTS];    /* has popped one, and not tried yet */
bool passed[CLIENTS];   /* holds the turnstile, and has not tried since */
bool blocked[CLIENTS];
bool at_turn[CLIENTS];
bool holds[CLIENTS];
bool overtaken;
bool crowded;
bool later[CLIENTS];    /* waits in the list, and came when the turnstile was taken */
bool gone[CLIENTS];
bool ended[CLIENTS];
bool said_once;         /* a release that left nobody inside, and woke the first of the list, if there was any */

#define listed (blocked[0] || blocked[1] || blocked[2] || blocked[3])
#define lined_up (at_turn[0] || at_turn[1] || at_turn[2] || at_turn[3])
#define was_later(c) (blocked[c] && later[c])
#define fits(c) (used + counted(c) <= UNITS)

/* The list and the turnstile are served in order. */
inline wake()
{
	if
	:: listed -> list?h; blocked[h] = false; woken[h] = true; h = 0
	:: else -> token = true
	fi
}

inline wake_if_awaited()
{
	if
	:: listed -> wake()
	:: else
	fi
}

inline open_turnstile()
{
	turn = NOBODY;
	if
	:: lined_up -> turns?h; at_turn[h] = false; turn = h; passed[h] = true; h = 0
	:: else
	fi
}

/* Nobody who holds the turnstile, and waits for room, is overtaken, but by those who were in the list before. */
inline enter(early)
{
	overtaken = !(early) && turn != NOBODY && turn != c && blocked[turn];
	assert(!overtaken);
	used = used + counted(c);
	inside = inside + need(c);
	plain = all(c);
	holds[c] = true;
	crowded = inside > UNITS;
	assert(!crowded);
	if
	:: turn == c -> open_turnstile()
	:: else
	fi;
	if
	:: CHAINS && used < UNITS -> wake_if_awaited()
	:: else
	fi
}

inline wait_in_list()
{
	if
	:: token -> token = false; woken[c] = true
	:: else -> blocked[c] = true; later[c] = turn != NOBODY && turn != c; list!c
	fi
}

/* The script of who will wait: try, else line up. */
inline join()
{
	if
	:: fits(c) && (turn == NOBODY || turn == c) -> enter(false)
	:: turn == c && !(fits(c)) -> wait_in_list()
	:: turn != c && !(fits(c) && turn == NOBODY) ->
		if
		:: (may_not_fit(c) && TAKES_TURNSTILE) || (turn != NOBODY && FOLLOWS_OTHERS) ->
			if
			:: turn == NOBODY -> turn = c; passed[c] = true
			:: else -> at_turn[c] = true; turns!c
			fi
		:: else -> wait_in_list()
		fi
	fi
}

inline give_back()
{
	used = used - counted(c);
	inside = inside - need(c);
	holds[c] = false;
	if
	:: WAKES -> wake_if_awaited()
	:: else
	fi
}

/* What is over disappears without a word; a server that does not drop it counts it for ever. */
inline run_out()
{
	if
	:: DROPS -> used = used - counted(c)
	:: else
	fi;
	inside = inside - need(c);
	holds[c] = false
}

proctype Client(byte c)
{
	byte h;
	byte rounds;
	bool lost_place;        /* once, since whoever came between was there before it: behind the turnstile never again */

again:
	lost_place = false;
	if
	:: atomic { rounds == ROUNDS -> ended[c] = true; goto over }
	:: atomic { rounds < ROUNDS -> rounds++ }
	fi;
	/* Everybody tries first. */
	if
	:: atomic { fits(c) && (turn == NOBODY || !ASKS_TURNSTILE) -> enter(false); goto inside_now }
	:: atomic { BARE && all(c) && used == 0 -> enter(true); goto inside_now }
	:: atomic { !(fits(c) && turn == NOBODY) -> join() }
	fi;

wait:
	if
	:: atomic { holds[c] -> goto inside_now }
	:: atomic { passed[c] -> passed[c] = false; join(); goto wait }
	:: atomic { woken[c] ->
		woken[c] = false;
		if
		:: fits(c) -> enter(true)
		:: !(fits(c)) && turn == c && !HEAD_STAYS ->
			overtaken = lined_up;
			assert(!overtaken);
			open_turnstile();
			join()
		:: !(fits(c)) && turn == c && HEAD_STAYS ->
			overtaken = was_later(0) || was_later(1) || was_later(2) || was_later(3);
			assert(!overtaken);
			join()
		:: !(fits(c)) && turn != c ->
			overtaken = lost_place && may_not_fit(c);
			assert(!overtaken);
			lost_place = may_not_fit(c);
			join()
		fi;
		goto wait }
	:: atomic { (GIVEUP & (1 << c)) != 0 && !holds[c] && (woken[c] || blocked[c] || passed[c] || at_turn[c]) ->
		if
		:: blocked[c] -> list??eval(c); blocked[c] = false
		:: at_turn[c] -> turns??eval(c); at_turn[c] = false
		:: woken[c] -> woken[c] = false;
			if
			:: PASSES_ON -> wake_if_awaited()
			:: else
			fi
		:: passed[c] -> passed[c] = false
		fi;
		if
		:: OPENS && turn == c -> open_turnstile()
		:: else
		fi;
		goto again }
	:: atomic { (KILL & (1 << c)) != 0 && (blocked[c] || at_turn[c]) ->
		if
		:: blocked[c] -> list??eval(c); blocked[c] = false
		:: at_turn[c] -> turns??eval(c); at_turn[c] = false
		fi;
		ended[c] = true;
		goto over }
	:: atomic { VANISH && c == 0 && (woken[c] || blocked[c] || passed[c]) ->
		gone[c] = true;
		ended[c] = true;
		goto vanished }
	fi;

inside_now:
	if
	:: atomic { give_back(); said_once = said_once || (SAYS_AGAIN && used == 0 && turn != NOBODY); goto again }
	:: atomic { STAY && c == 0 -> ended[c] = true; goto end_stays }
	:: atomic { CRASH && c < 2 -> give_back(); ended[c] = true; goto over }
	:: atomic { EXPIRE && c < 2 -> run_out(); ended[c] = true; goto over }
	fi;

	/* The server does not know yet. It wakes the waiter, lets it in, and forgets it when its ttl is over; and so the
	 * turnstile, which only a living holder prolongs. */
vanished:
	do
	:: atomic { woken[c] -> woken[c] = false;
		if
		:: fits(c) -> enter(true); run_out()
		:: else
		fi }
	:: atomic { holds[c] -> run_out() }
	:: atomic { turn == c -> passed[c] = false; open_turnstile() }
	:: atomic { blocked[c] -> list??eval(c); blocked[c] = false }
	:: atomic { !woken[c] && !holds[c] && turn != c && !blocked[c] -> break }
	od;
	goto over;
end_stays:
	false;
over:
	skip
}

/* Who is blocked, and alive, looks for room for itself, and wakes the first of the list, unless one who was woken is on
 * its way. */
#define finds_room(c) (blocked[c] && !gone[c] && fits(c))
#define on_its_way    (woken[0] || woken[1] || woken[2] || woken[3])

proctype Looker()
{
	byte h;
end:
	do
	:: atomic {
		!on_its_way && (finds_room(0) || finds_room(1) || finds_room(2) || finds_room(3)) ->
		wake() }
	od
}

/* The release is said again: who was woken by it has tried. Nobody blocks, although the lock is free: whoever has the turnstile
 * is dead. Who has had it for less than 10 ms may still be on its way to block, and is left alone. */
proctype Again()
{
	byte h;
end:
	do
	:: atomic {
		said_once && !on_its_way && (HASTY || turn == NOBODY || !passed[turn]) ->
		said_once = false;
		if
		:: used == 0 && turn != NOBODY && !listed -> open_turnstile()
		:: else
		fi }
	od
}

init {
	atomic {
		run Again();
#if LOOK
		run Looker();
#endif
		run Client(0); run Client(1); run Client(2); run Client(3)
	}
}
