----------------------------- MODULE Instances -----------------------------
(***************************************************************************)
(* All steps of Locks, in any order: clients that may send anything at any *)
(* time and believe what Locks lets them, a network that is late and loses *)
(* things, servers whose keys expire. `Break` leaves out a rule.           *)
(***************************************************************************)
EXTENDS Locks, TLC

CONSTANTS
    Units,    \* of the lock
    Ones, Twos, \* tokens that need one unit, or two; each belongs to one client, which may use it again
    Count,    \* of servers
    Slots,    \* of requests under way
    Conns,    \* connections of a client to a server
    Ttls, Last, \* times to live, and when the story ends
    Fences,   \* tokens that get a fence
    Break

Tokens == Ones \cup Twos
Wants(t) == IF t \in Ones THEN 1 ELSE 2
Same == Permutations(Ones \ Fences) \cup Permutations(Slots)

Init ==
    /\ now = 0
    /\ units = Units
    /\ keys = [s \in 1 .. Count |-> Empty]
    /\ flight = Empty
    /\ heard = Empty
    /\ belief = Empty
    /\ excused = {}
    /\ fence = 0
    /\ written = 0
    /\ wait = Nobody

\* What is over is forgotten.
Tick ==
    /\ now < Last
    /\ now' = now + 1
    /\ belief' = [h \in {h \in DOMAIN belief : belief[h].until > now + 1} |-> belief[h]]
    /\ heard' = [t \in {t \in DOMAIN heard : \E s \in Servers : heard[t][s] > now + 1} |-> heard[t]]
    /\ UNCHANGED <<units, keys, flight, excused, fence, written, wait>>

Free == CHOOSE r \in Slots : r \notin DOMAIN flight

\* What the request will do is told when it is sent. If it turns out otherwise it is one that is lost, or refused.
Sends(s, t) ==
    /\ DOMAIN flight # Slots
    /\ \E c \in Conns :
         \/ \E d \in Ttls : \/ Send(Free, "takes", t, s, <<c, s, t>>, t, now + d, Never)
                            \/ Send(Free, "extends", t, s, <<c, s, t>>, t, now + d, d)
                            \/ Send(Free, "extends", t, s, <<c, s, t>>, t, now + d, Never)
         \/ Send(Free, "asks", t, s, <<c, s, t>>, t, now + 1, Never)
         \/ Send(Free, "ends", t, s, <<c, s, t>>, t, 0, 0)

Entry(s, t, until) == [until |-> until, need |-> Wants(t),
                       fence |-> IF t \in DOMAIN keys[s] THEN keys[s][t].fence ELSE IF t \in Fences THEN fence + 1 ELSE 0]

Living(k) == [t \in {t \in DOMAIN k : k[t].until > now} |-> k[t]]

Serves(r) ==
    LET q == flight[r]
    IN  \/ q.op \in {"takes", "extends"} /\ \E d \in Ttls :
              Serve(r, Put(Living(keys[q.server]), q.token, Entry(q.server, q.token, now + d)), TRUE, 0)
        \/ q.op = "asks" /\ Serve(r, Living(keys[q.server]), TRUE, 0)
        \/ q.op = "ends" /\ Serve(r, Without(Living(keys[q.server]), q.token), TRUE, 0)

Believes(t) ==
    \/ \E s \in Servers : Heard(t, s) > now /\ Believe(t, t, Heard(t, s), Wants(t))
    \/ t \in DOMAIN belief /\ Believe(t, t, 0, 0)

\* Whoever had a fence once, however late.
Writes == \E f \in 1 .. fence : Write(f, f >= written)

(***************************************************************************)
(* What goes wrong without a rule.                                         *)
(***************************************************************************)

\* A yes counts from when it is read.
ReadsLate(r) ==
    LET q == flight[r]
    IN  /\ q.served /\ q.op # "ends"
        /\ \E d \in Ttls : heard' = Put(heard, q.token, [s \in Servers |-> IF s = q.server THEN now + d
                                                                           ELSE Heard(q.token, s)])
        /\ flight' = Without(flight, r)
        /\ UNCHANGED <<units, keys, belief, excused, fence, written, wait>>

\* A release is sent as if it were no risk for what is believed, or has been heard.
SendsBlindly(s, t) ==
    /\ DOMAIN flight # Slots
    /\ flight' = Put(flight, Free, [op |-> "ends", who |-> t, server |-> s, via |-> <<0, s, t>>, token |-> t, counts |-> 0,
                                    lasts |-> 0, served |-> FALSE, ahead |-> {}])
    /\ UNCHANGED <<units, keys, heard, belief, excused, fence, written, wait>>

\* An extension does not compare.
ServesAnybody(r) ==
    LET q == flight[r]
    IN  /\ q.op = "extends" /\ ~q.served /\ DOMAIN Living(keys[q.server]) # {}
        /\ keys' = [keys EXCEPT ![q.server] = [t \in {q.token} |-> Entry(q.server, t, q.counts)]]
        /\ flight' = [flight EXCEPT ![r].served = TRUE]
        /\ UNCHANGED <<units, heard, belief, excused, fence, written, wait>>

\* The lock is given to whoever asks.
ServesTooMany(r) ==
    LET q == flight[r]
    IN  /\ q.op = "takes" /\ ~q.served /\ q.token \notin DOMAIN Living(keys[q.server])
        /\ keys' = [keys EXCEPT ![q.server] = Put(Living(@), q.token, Entry(q.server, q.token, q.counts + 1))]
        /\ flight' = [flight EXCEPT ![r].served = TRUE]
        /\ UNCHANGED <<units, heard, belief, excused, fence, written, wait>>

\* Half of the servers are enough.
BelievesHalf(t) ==
    \E s \in Servers : /\ Heard(t, s) > now
                       /\ 2 * Cardinality({z \in Servers : Heard(t, z) >= Heard(t, s)}) >= Count
                       /\ belief' = Put(belief, t, [token |-> t, until |-> Heard(t, s), need |-> Wants(t)])
                       /\ UNCHANGED <<units, keys, flight, heard, excused, fence, written, wait>>

Broken ==
    CASE Break = "none" -> FALSE
      [] Break = "counts from the reply" -> \E r \in DOMAIN flight : ReadsLate(r)
      [] Break = "believes while it releases" -> \E t \in Tokens, s \in Servers : SendsBlindly(s, t)
      \* Nobody believes anything when it is sent, but an older yes counts again.
      [] Break = "forgets what may still run" -> \E t \in Tokens \ DOMAIN belief, s \in Servers : SendsBlindly(s, t)
      [] Break = "does not compare" -> \E r \in DOMAIN flight : ServesAnybody(r)
      [] Break = "takes one too many" -> \E r \in DOMAIN flight : ServesTooMany(r)
      [] Break = "half is a majority" -> \E t \in Tokens : BelievesHalf(t)
      \* The number takes any fence.
      [] Break = "writes out of order" ->
            /\ written' \in 1 .. fence
            /\ UNCHANGED <<units, keys, flight, heard, belief, excused, fence, wait>>

Next ==
    \/ Tick
    \/ /\ now' = now
       /\ \/ \E s \in Servers, t \in Tokens : Sends(s, t)
          \/ \E r \in DOMAIN flight : (Serves(r) /\ UNCHANGED wait) \/ Read(r) \/ Lose(r)
          \/ \E s \in Servers : Living(keys[s]) # keys[s] /\ Expire(s, Living(keys[s]), 0)
          \/ \E t \in Tokens : Believes(t)
          \/ Writes
          \/ Broken

\* A story of so many fences: else there is no end of them.
Few == fence <= 3

\* No fence is written after a later one was.
InOrder == [][written' >= written]_vars

Spec == Init /\ [][Next]_vars

=============================================================================
