------------------------------ MODULE Waiting ------------------------------
(***************************************************************************)
(* Nobody who waits is forgotten: a holder, two clients that wait, perhaps *)
(* one that comes by and does not. Requests and answers, as Locks has      *)
(* them, and who does what when: each client has one request under way.    *)
(***************************************************************************)
EXTENDS Locks

CONSTANTS
    Crash,   \* the holder may be killed; then its lock expires
    Vanish,  \* a client that waits may be gone, without a word
    GiveUp,  \* one may stop waiting
    Passer,  \* somebody comes by
    Looks,   \* those who block look whether the lock is free
    Break    \* the rule that is left out

VARIABLE at \* what each client does

Waiters == {"a", "b"}
Clients == Waiters \cup {"h", "p"}
all == <<vars, at>>

Holds(c) == c \in DOMAIN keys[1]
Taken == DOMAIN keys[1] # {}
Go(c, where) == at' = [at EXCEPT ![c] = where]
Same(what) == UNCHANGED <<now, units, flight, heard, belief, excused, fence, written>> /\ UNCHANGED what

Init ==
    /\ now = 0 /\ units = 1 /\ flight = Empty /\ heard = Empty /\ belief = Empty /\ excused = {} /\ fence = 0
    /\ written = 0 /\ wait = Nobody
    /\ keys = [s \in {1} |-> [t \in {"h"} |-> [until |-> Never, need |-> 1, fence |-> 0]]]
    /\ at = [c \in Clients |-> IF c = "h" THEN "has" ELSE IF c = "p" /\ ~Passer THEN "done" ELSE "tries"]

Take(c) == keys' = [keys EXCEPT ![1] = [t \in {c} |-> [until |-> Never, need |-> 1, fence |-> 0]]]

(***************************************************************************)
(* The server executes what has arrived.                                   *)
(***************************************************************************)

\* A try. If it fails, the same script sets the waiters key: a release cannot come between.
Try(c) ==
    /\ at[c] = "tries" /\ Idle
    /\ IF Taken
       THEN /\ Go(c, IF c = "p" THEN "done" ELSE "failed")
            /\ Tells(FALSE, [wait EXCEPT !.key = @ \/ (c # "p" /\ Break # "a try tells nobody")])
            /\ Same(keys)
       ELSE Take(c) /\ Go(c, "has") /\ Same(wait)

\* BLPOP arrives, and behind it a SET.
Block(c) ==
    /\ at[c] = "failed" /\ Idle
    /\ Go(c, "blocks")
    /\ IF wait.signal THEN Pops(c) ELSE Blocks(c)
    /\ now' = now

\* It has a wake token. Others are served before the SET behind it is.
Woken(c) ==
    /\ at[c] = "blocks" /\ wait.signal /\ wait.queue # <<>> /\ Head(wait.queue) = c
    /\ Pops(c) /\ UNCHANGED at
    /\ now' = now

InQueue(c) == \E i \in 1 .. Len(wait.queue) : wait.queue[i] = c

Set(c) ==
    /\ at[c] = "blocks" /\ ~InQueue(c) /\ Idle
    /\ IF Taken THEN Go(c, "tries") /\ Same(<<keys, wait>>) ELSE Take(c) /\ Go(c, "has") /\ Same(wait)

\* The release of who has the lock. A crash leaves it to its end.
Release(c) ==
    /\ at[c] = "has" /\ Idle
    /\ keys' = [keys EXCEPT ![1] = Empty]
    /\ IF Break = "a release wakes nobody" THEN UNCHANGED wait ELSE Tells(TRUE, Push(wait))
    /\ Go(c, "done")
    /\ Same(<<>>)

\* Who stops waiting sends a release: it wakes the next if there is no holder who will. What it had sent runs before.
Stop(c) ==
    /\ GiveUp /\ c = "a" /\ at[c] \in {"blocks", "tries", "failed"} /\ Idle /\ (InQueue(c) => ~wait.signal)
    /\ keys' = IF Holds(c) THEN [keys EXCEPT ![1] = Empty] ELSE keys
    /\ LET left == [wait EXCEPT !.queue = SelectSeq(@, LAMBDA d : d # c)]
       IN  wait' = IF (Taken /\ ~Holds(c)) \/ Break = "who gives up wakes nobody" THEN left ELSE Push(left)
    /\ Go(c, "done")
    /\ Same(<<>>)

(***************************************************************************)
(* What goes wrong.                                                        *)
(***************************************************************************)

Die == Crash /\ at["h"] = "has" /\ Go("h", "dead") /\ Same(<<keys, wait>>)

\* What is under way of it still runs: it may be woken, and have the lock, for the short time that is said there.
Disappear == Vanish /\ at["a"] = "blocks" /\ Go("a", IF InQueue("a") THEN "gone" ELSE "woken") /\ Same(<<keys, wait>>)

\* The server serves who is gone like others.
Gone ==
    /\ at["a"] = "gone"
    /\ \/ wait.signal /\ wait.queue # <<>> /\ Head(wait.queue) = "a" /\ Pops("a") /\ Go("a", "woken") /\ now' = now
       \/ ~wait.signal /\ InQueue("a") /\ Stops("a") /\ Go("a", "done") /\ now' = now

GoneSets ==
    /\ at["a"] = "woken" /\ Idle
    /\ IF Taken THEN Same(<<keys, wait>>) /\ Go("a", "done") ELSE Take("a") /\ Go("a", "dead") /\ Same(wait)

Over == \E c \in Clients : /\ at[c] = "dead" /\ Go(c, "done") /\ keys' = [keys EXCEPT ![1] = Empty] /\ Same(wait)

\* Twice in a row it finds the lock free: whoever was woken before has it by then.
Look ==
    /\ Looks /\ ~Taken /\ Idle /\ ~wait.signal
    /\ \E c \in Waiters : at[c] = "blocks" /\ InQueue(c)
    /\ \A c \in Clients : at[c] \in {"blocks", "woken"} => InQueue(c)
    /\ wait' = Push([wait EXCEPT !.key = TRUE])
    /\ Same(<<keys, at>>)

Step(c) == Try(c) \/ Block(c) \/ Woken(c) \/ Set(c) \/ Release(c)

Next == (\E c \in Clients : Step(c)) \/ Stop("a") \/ Die \/ Disappear \/ Gone \/ GoneSets \/ Over \/ Look

\* All that runs goes on; nobody has to be killed, to vanish, or to give up.
Spec == Init /\ [][Next]_all /\ \A c \in Clients : WF_all(Step(c)) /\ WF_all(Gone \/ GoneSets \/ Over) /\ WF_all(Look)

OneHolder == Cardinality(DOMAIN keys[1]) <= 1

Served == <>[](\A c \in Waiters : at[c] = "done")

=============================================================================
