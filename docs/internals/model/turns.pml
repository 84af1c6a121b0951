/*
 * turns.pml: the turn of a waiter for whom the server does not block, beside a queue that never ends, for spin 6.5.
 *
 * Two members of the queue come again and again, and each holds the lock until the other has lined up. A poller tries now and
 * then, and asks for a turn. Waking and the SET of who was woken are one step here: a newcomer who comes between each time
 * keeps anybody from being served, and that is not what turns are for.
 */

#ifndef VANISH
#define VANISH 0        /* the poller may disappear, whatever it has asked for */
#endif

/* The rules. BREAK=n leaves out the n-th of these. */
#ifndef BREAK
#define BREAK 0
#endif
#define TELLS       (BREAK != 18)   /* the wake token tells that somebody asks */
#define LEAVES      (BREAK != 19)   /* who was told leaves the lock to a turn, and wakes nobody */
#define RESERVED    (BREAK != 20)   /* only who asks may take that */
#define TURN_ENDS   (BREAK != 21)   /* it has a ttl */

#define FREE 0
#define W1   1
#define W2   2
#define P    3          /* the poller */
#define TURN 4          /* rlk1:turn:done */

byte owner = W1;
bool asked;             /* as the waiters key has it */
bool told[3];           /* by its wake token */
bool blocked[3];
chan line = [2] of { byte };
bool gone, done;

#define may_take(c) (owner == FREE || (owner == TURN && !RESERVED))

inline wake()
{
	if
	:: nempty(line) ->
		line?n;
		blocked[n] = false;
		told[n] = asked && TELLS;
		owner = n;
		n = 0
	:: empty(line)
	fi
}

proctype Member(byte c)
{
	byte n;

	if
	:: owner == c -> goto got
	:: owner != c
	fi;
try:
	atomic {
		if
		:: may_take(c) -> owner = c; goto got
		:: !may_take(c) -> blocked[c] = true; line!c
		fi
	};
	!blocked[c];
got:
	atomic {
		nempty(line) ->
		assert(owner == c);
		if
		:: told[c] && LEAVES -> owner = TURN
		:: !told[c] || !LEAVES -> owner = FREE; wake()
		fi;
		told[c] = false;
		goto try
	}
}

proctype Poller()
{
	byte n;
	do
	:: atomic { owner == FREE || owner == TURN -> owner = P; asked = false; break }
	:: atomic { owner != FREE && owner != TURN && !asked -> asked = true }
	:: VANISH -> gone = true; goto over
	od;
	atomic { assert(owner == P); owner = FREE; wake(); done = true };
over:
	skip
}

/* What was asked for, and left, ends when nobody asks again; nobody is woken. A look finds the lock free. */
proctype Clock()
{
	byte n;
end:
	do
	:: atomic { asked && (gone || done) -> asked = false }
	:: atomic { owner == TURN && (gone || done) && TURN_ENDS -> owner = FREE }
	:: atomic { owner == FREE && nempty(line) -> wake() }
	od
}

init {
	atomic { run Member(W1); run Member(W2); run Poller(); run Clock() }
}

#ifdef LIVE
#if VANISH
ltl goes_on { [] <> (owner == W2) }
#else
ltl served { <> done }
#endif
#endif
