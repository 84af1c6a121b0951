/*
 * slices.pml: what waiters that vanished cost the others, in seconds.
 *
 * waiting.pml knows order but not durations. Here it is the other way round: commands take no time, and time passes
 * in steps of one second. A holder has the lock; some waiters have just vanished without a FIN, so that their BLPOP
 * and the SET behind it still run; one waiter lives. `idle` counts the seconds in which that waiter waits although
 * nobody alive has the lock. All orders of the queue, all phases of the slices and all moments of the release are
 * tried. The living one looks in each second, and wakes the head of the queue if the key is gone; who looks blocks for
 * the whole timeout, others no longer than the key lives.
 */

#ifndef SLICE
#define SLICE 5         /* longest timeout of a BLPOP: 20 is longer than all that happens here, as a minute is */
#endif
#ifndef PROVISIONAL_TTL
#define PROVISIONAL_TTL 2 /* TTL of the SET behind the BLPOP */
#endif
#ifndef TTL
#define TTL 12
#endif
#ifndef ZOMBIES
#define ZOMBIES 1       /* waiters that vanished, up to 3 */
#endif
#ifndef BOUND
#define BOUND SLICE
#endif
#ifndef BREAK
#define BREAK 0
#endif
#define LOOKS       (BREAK != 14)
#define PAIR_TTL    (BREAK != 6 -> PROVISIONAL_TTL : TTL)
#define LEAST(a, b) ((a) < (b) -> (a) : (b))

#define HOLDER 5
#define ALIVE  1        /* the waiter that lives; 2, 3, 4 have vanished */

byte owner = HOLDER;
byte left = TTL;        /* of the key */
byte rest[5];           /* of the slice; 0: does not wait */
chan queue = [4] of { byte };
bool due[5];            /* its slice is over at this moment */
byte idle;
byte c;

/* The SET behind the BLPOP, and what follows. */
inline proceed()
{
	rest[c] = 0;
	if
	:: owner == 0 -> owner = c; left = PAIR_TTL
	:: owner != 0 && c == ALIVE ->
		rest[c] = (LOOKS -> SLICE : LEAST(left, SLICE));
		queue!c
	:: else
	fi
}

inline release()
{
	owner = 0;
	left = 0;
	queue?c;
	proceed()
}

inline tick()
{
	if
	:: owner != HOLDER -> idle++; assert(idle <= BOUND)
	:: else
	fi;
	if
	:: left > 0 ->
		left--;
		if
		:: left == 0 -> owner = 0
		:: else
		fi
	:: else
	fi;
	for (c : 1 .. 4) {
		if
		:: rest[c] > 0 -> rest[c]--; due[c] = (rest[c] == 0)
		:: else
		fi
	}
}

/* The clients whose slice is over at this very moment proceed in any order. */
inline slices_end()
{
	do
	:: due[1] -> c = 1; due[1] = false; queue??eval(c); proceed()
	:: due[2] -> c = 2; due[2] = false; queue??eval(c); proceed()
	:: due[3] -> c = 3; due[3] = false; queue??eval(c); proceed()
	:: due[4] -> c = 4; due[4] = false; queue??eval(c); proceed()
	:: !due[1] && !due[2] && !due[3] && !due[4] -> break
	od
}

/* A look, and if need be another one until somebody has the lock. */
inline look()
{
	do
	:: LOOKS && owner == 0 && len(queue) > 0 -> queue?c; proceed()
	:: !LOOKS || owner != 0 || len(queue) == 0 -> break
	od
}

inline join(who)
{
	select(c : 1 .. SLICE);
	rest[who] = c;
	queue!who
}

init {
	atomic {
		/* Everybody has joined the queue, in any order and with any part of a slice left. */
		do
		:: len(queue) == ZOMBIES + 1 -> break
		:: ZOMBIES >= 0 && rest[1] == 0 -> join(1)
		:: ZOMBIES >= 1 && rest[2] == 0 -> join(2)
		:: ZOMBIES >= 2 && rest[3] == 0 -> join(3)
		:: ZOMBIES >= 3 && rest[4] == 0 -> join(4)
		od;
		c = 0
	}
	do
	:: owner == ALIVE -> break
	:: atomic { owner == HOLDER -> release(); c = 0 }
	:: atomic { owner != ALIVE -> tick(); slices_end(); look(); c = 0 }
	od
}
