------------------------------- MODULE Orders -------------------------------
(***************************************************************************)
(* The words that a process and its renewal child share, in memory whose   *)
(* orders are weak: five situations in which one of the two could act on   *)
(* what the other has just changed. Each is what rlk_renewal.c,            *)
(* rlk_area.c and rlk_child_*.c do, without all else.                      *)
(*                                                                         *)
(* Memory is that of C11 as far as it is needed here. All that was ever    *)
(* written to a word stays there, in order. A thread has a view: the       *)
(* oldest write of each word that it may still read. A read takes any      *)
(* write from there on. "rlx" moves the view of that word only. "rel" has  *)
(* a write carry the view of its thread, and "acq" a read take that over:  *)
(* "acqrel". "sc" does both, and reads nothing older than the last "sc"    *)
(* write.                                                                  *)
(* Changes that read and write at once read the last write.                *)
(***************************************************************************)
EXTENDS Integers, Sequences

CONSTANTS
    Test, \* the situation
    Have  \* "code": the orders of the code; "least": what would be enough; "weak": the next weaker ones

VARIABLES memory, views, last, at, got

vars == <<memory, views, last, at, got>>

W(x, v) == [op |-> "write", word |-> x, value |-> v]
R(x) == [op |-> "read", word |-> x]
\* Reads, and writes what it read and this.
Add(x, v) == [op |-> "add", word |-> x, value |-> v]

\* What the parent, "p", and the child, "c", do, and what must not come of it: got[t][i] is what t read in its i-th step.
Tests == [
    \* rlk_renewal_activate(): the times, then the state. The child renews what is active.
    activate |-> [p |-> <<W("valid", 5), W("state", 1)>>, c |-> <<R("state"), R("valid")>>],
    \* rlk_renewal_before_extend(): the ttl, then the epoch, which is in one word with the validity. The child asks with both, and a
    \* yes counts for the epoch's ttl.
    ttl |-> [p |-> <<W("ttl", 1), Add("valid", 1)>>, c |-> <<R("valid"), R("ttl")>>],
    \* rlk_slot_lose(): the reason, then the state. The parent reads the reason of what is lost.
    lose |-> [c |-> <<W("reason", 1), W("state", 1)>>, p |-> <<R("state"), R("reason")>>],
    \* rlk_slots_give_back(), which frees, and is_visited(), before its bytes are used again; the child says where it is, and then looks.
    visit |-> [p |-> <<W("state", 0), R("visited")>>, c |-> <<W("visited", 1), R("state")>>],
    \* rlk_renewal_activate() with wake_for(), and rlk_child_run(): the child says that it does not wake up by itself, and then looks at the slots.
    wake |-> [p |-> <<W("state", 1), R("wakes")>>, c |-> <<W("wakes", 1), R("state")>>]
]

Before(x) == IF Test = "visit" /\ x = "state" THEN 1 ELSE 0

Wrong ==
    LET p == got["p"]
        c == got["c"]
    IN  CASE Test = "activate" -> c[1] = 1 /\ c[2] = 0
          [] Test = "ttl" -> c[1] = 1 /\ c[2] = 0
          [] Test = "lose" -> p[1] = 1 /\ p[2] = 0
          \* The child reads what the parent writes over.
          [] Test = "visit" -> p[2] = 0 /\ c[2] = 1
          \* The parent does not wake the child, which has overlooked the lock.
          [] Test = "wake" -> p[2] = 0 /\ c[2] = 0

Words == {"valid", "state", "ttl", "reason", "visited", "wakes"}
Threads == {"p", "c"}
Start == [x \in Words |-> 1]
Join(a, b) == [x \in Words |-> IF a[x] > b[x] THEN a[x] ELSE b[x]]

\* The word by which one thread tells the other that all else is there. At a visit and a wake-up each tells, and looks whether the other one has.
Flag == IF Test = "ttl" THEN "valid" ELSE "state"

Order(x) ==
    CASE Have = "code" -> "sc"
      [] Have # "code" /\ Test \in {"visit", "wake"} -> IF Have = "least" THEN "sc" ELSE "acqrel"
      [] Have # "code" /\ Test \notin {"visit", "wake"} -> IF Have = "least" /\ x = Flag THEN "acqrel" ELSE "rlx"

Init ==
    /\ memory = [x \in Words |-> <<[value |-> Before(x), view |-> Start]>>]
    /\ views = [t \in Threads |-> Start]
    /\ last = Start
    /\ at = [t \in Threads |-> 1]
    /\ got = [t \in Threads |-> <<>>]

\* The thread has read the i-th write of the word.
Seen(t, x, i) ==
    LET view == [views[t] EXCEPT ![x] = i] IN IF Order(x) = "rlx" THEN view ELSE Join(view, memory[x][i].view)

Writes(t, x, v, seen) ==
    LET i == Len(memory[x]) + 1
        view == [seen EXCEPT ![x] = i]
    IN  /\ memory' = [memory EXCEPT ![x] = Append(@, [value |-> v, view |-> IF Order(x) = "rlx" THEN Start ELSE view])]
        /\ views' = [views EXCEPT ![t] = view]
        /\ last' = IF Order(x) = "sc" THEN [last EXCEPT ![x] = i] ELSE last

Step(t) ==
    LET program == Tests[Test][t]
        s == program[at[t]]
        x == s.word
        n == Len(memory[x])
        Gets(v) == got' = [got EXCEPT ![t] = Append(@, v)]
    IN  /\ at[t] <= Len(program)
        /\ at' = [at EXCEPT ![t] = @ + 1]
        /\ CASE s.op = "write" -> Writes(t, x, s.value, views[t]) /\ Gets(s.value)
             [] s.op = "read" ->
                  \E i \in views[t][x] .. n : /\ Order(x) = "sc" => i >= last[x]
                                              /\ views' = [views EXCEPT ![t] = Seen(t, x, i)]
                                              /\ Gets(memory[x][i].value)
                                              /\ UNCHANGED <<memory, last>>
             [] s.op = "add" -> Writes(t, x, memory[x][n].value + s.value, Seen(t, x, n)) /\ Gets(memory[x][n].value)

Next == \E t \in Threads : Step(t)

Never == (\A t \in Threads : at[t] > Len(Tests[Test][t])) => ~Wrong

=============================================================================
