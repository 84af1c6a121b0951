------------------------------- MODULE Locks -------------------------------
(***************************************************************************)
(* Who has a lock, at the level of requests and answers.                   *)
(*                                                                         *)
(* One lock. It has units: a plain lock has one, a lock with permits has   *)
(* as many as permits, a lock that readers share has more than there can   *)
(* be readers, and whoever is to be alone needs all. There are one or more *)
(* servers, of which most must agree. Requests arrive late, in any order,  *)
(* or never; so do answers. Each step below is one that a server, the      *)
(* network or a client can take. Instances.tla has all of them happen, in  *)
(* any order. Trace.tla has those happen that the simulator wrote down.    *)
(* README.md tells the rest. Each step is at a time of its own: who takes  *)
(* one says what now' is.                                                  *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences

VARIABLES
    now,     \* the time
    units,   \* of the lock; does not change
    keys,    \* what each server has: by token, [until, need, fence]
    flight,  \* requests sent, and not forgotten: by number, what Send() puts there
    heard,   \* by token and server: until when a yes that was read counts
    belief,  \* by object of a client: [token, until, need]
    excused, \* tokens whose holders cannot know that they lost the lock
    fence,   \* the last fence that a server gave out
    written, \* the protected number: the fence of who wrote it last
    wait     \* of one server: has it the waiters key, a wake token in its list, and who blocks, in order

vars == <<now, units, keys, flight, heard, belief, excused, fence, written, wait>>

Servers == DOMAIN keys
Never == 1000000000
Empty == [x \in {} |-> 0]

Put(f, x, v) == [y \in DOMAIN f \cup {x} |-> IF y = x THEN v ELSE f[y]]
Without(f, x) == [y \in DOMAIN f \ {x} |-> f[y]]
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b

\* How many units those of S need.
RECURSIVE Needs(_, _)
Needs(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x].need + Needs(f, S \ {x})

Most(S) == 2 * Cardinality(S) > Cardinality(Servers)

(***************************************************************************)
(* The servers.                                                            *)
(***************************************************************************)

\* Who has time left, at the end of a step. A server may take a moment to see that somebody has not.
Live(k) == {t \in DOMAIN k : k[t].until > now'}

Room(k, t, need) == need + Needs(k, Live(k) \ {t}) <= units

\* Between the two nothing changed but that time went by for some.
OnlyExpired(before, after, but, slack) ==
    /\ \A t \in DOMAIN before \ but : t \in DOMAIN after => after[t] = before[t]
    /\ \A t \in DOMAIN before \ (DOMAIN after \cup but) : before[t].until <= now' + slack
    /\ DOMAIN after \subseteq DOMAIN before \cup but

(***************************************************************************)
(* Requests. `op` is what the request does to the lock of its token:       *)
(*                                                                         *)
(*    takes     nobody had it by this token; who has it needs room         *)
(*    extends   has another end, or needs more units or less               *)
(*    asks      has it, and nothing changes                                *)
(*    ends                                                                 *)
(*                                                                         *)
(* `counts`: until when a yes counts, from when it was sent. `lasts`: how  *)
(* long the lock lasts at least from when it is executed, if that may be   *)
(* shorter than before: 0 if the request ends it, else Never.              *)
(***************************************************************************)

\* Who believes to have the lock, and is inside.
Inside == {h \in DOMAIN belief : belief[h].until > now /\ belief[h].token \notin excused}

\* Requests that, executed from now on, leave the lock less than that.
MayEnd(s, t, until) ==
    \E r \in DOMAIN flight : /\ flight[r].server = s
                             /\ flight[r].token = t
                             /\ ~flight[r].served
                             /\ now + flight[r].lasts < until

\* Until when the answers that were read count, as far as nothing was sent since that ends it.
Heard(t, s) == IF t \in DOMAIN heard THEN heard[t][s] ELSE 0

\* Most servers have said what is believed, and nothing under way, or sent since, ends it there.
Lasts == \A h \in Inside : Most({s \in Servers : /\ Heard(belief[h].token, s) >= belief[h].until
                                              /\ ~MayEnd(s, belief[h].token, belief[h].until)})

\* What is executed from now on, and lasts that long then, has the lock end then at the earliest. One that ends it: at once.
After(lasts) == IF lasts = 0 THEN 0 ELSE now' + lasts

\* Rule 2: before something is sent that ends a lock, or may shorten it, nobody believes any more what that makes untrue. Rule 3:
\* it may be executed behind all that is under way, and what is under way on another connection behind it: so the answers to
\* those count no longer than that. A token that several use, as does a job that runs twice, is at their risk.
Send(r, op, who, s, via, t, counts, lasts) ==
    LET beside == {q \in DOMAIN flight : flight[q].who = who /\ flight[q].server = s /\ flight[q].token = t}
        bounds == {counts} \cup {After(flight[q].lasts) : q \in {q \in beside : flight[q].via # via}}
    IN  /\ r \notin DOMAIN flight
        /\ flight' = Put([q \in DOMAIN flight |->
                             IF q \in beside THEN [flight[q] EXCEPT !.counts = Min(@, After(lasts))] ELSE flight[q]],
                         r, [op |-> op, who |-> who, server |-> s, via |-> via, token |-> t, lasts |-> lasts, served |-> FALSE,
                             counts |-> CHOOSE u \in bounds : \A v \in bounds : u <= v,
                             ahead |-> {q \in DOMAIN flight : flight[q].via = via /\ ~flight[q].served}])
        /\ heard' = IF t \in DOMAIN heard THEN [heard EXCEPT ![t][s] = Min(@, After(lasts))] ELSE heard
        /\ UNCHANGED <<units, keys, belief, excused, fence, written, wait>>
        /\ Lasts'

\* On a connection nothing overtakes anything.
Passed(r) == [q \in DOMAIN flight |-> [flight[q] EXCEPT !.ahead = @ \ {r}]]

\* What a server does, and what it has then. `read`: somebody will read the answer.
Serve(r, after, read, slack) ==
    LET q == flight[r]
        before == keys[q.server]
        t == q.token
    IN  /\ r \in DOMAIN flight
        /\ ~q.served
        /\ q.ahead = {}
        /\ CASE q.op = "takes" ->
                  /\ t \notin Live(before)
                  /\ t \in DOMAIN after
                  /\ after[t].until > now'
                  /\ after[t].until >= q.counts
                  /\ Room(after, t, after[t].need)
                  /\ after[t].fence # 0 => after[t].fence > fence
                  /\ OnlyExpired(before, after, {t}, slack)
                  /\ fence' = Max(fence, after[t].fence)
             [] q.op = "extends" ->
                  /\ t \in DOMAIN before
                  /\ t \in DOMAIN after
                  /\ after[t].until >= q.counts
                  /\ after[t].until >= IF q.lasts = Never THEN before[t].until ELSE now' + q.lasts
                  /\ after[t].need > before[t].need => Room(after, t, after[t].need)
                  /\ after[t].fence = before[t].fence
                  /\ OnlyExpired(before, after, {t}, slack)
                  /\ UNCHANGED fence
             [] q.op = "asks" ->
                  /\ t \in DOMAIN before
                  /\ before[t].until >= q.counts
                  /\ t \in DOMAIN after
                  /\ after[t] = before[t]
                  /\ OnlyExpired(before, after, {}, slack)
                  /\ UNCHANGED fence
             [] q.op = "ends" ->
                  /\ t \notin DOMAIN after
                  \* It may rest for a while: then it has a token that is nobody's, and as many units at most.
                  /\ Cardinality(DOMAIN after \ DOMAIN before) <= 1
                  /\ \A u \in DOMAIN after \ DOMAIN before : t \in DOMAIN before /\ after[u].need <= before[t].need
                  /\ OnlyExpired(before, after, {t} \cup (DOMAIN after \ DOMAIN before), slack)
                  /\ UNCHANGED fence
        /\ keys' = [keys EXCEPT ![q.server] = after]
        /\ flight' = IF read THEN [Passed(r) EXCEPT ![r].served = TRUE] ELSE Without(Passed(r), r)
        /\ UNCHANGED <<units, heard, belief, excused, written>>

\* A request that finds no lock of its token, and gets none.
Refuse(s, t, after, slack) ==
    /\ t \notin Live(after)
    /\ OnlyExpired(keys[s], after, {}, slack)
    /\ keys' = [keys EXCEPT ![s] = after]
    /\ UNCHANGED <<units, flight, heard, belief, excused, fence, written>>

\* Of what a server has not executed, because the connection broke before, or has, and nobody reads the answer.
Lose(r) ==
    /\ r \in DOMAIN flight
    /\ flight' = Without(Passed(r), r)
    /\ UNCHANGED <<units, keys, heard, belief, excused, fence, written, wait>>

Expire(s, after, slack) ==
    /\ OnlyExpired(keys[s], after, {}, slack)
    /\ keys' = [keys EXCEPT ![s] = after]
    /\ UNCHANGED <<units, flight, heard, belief, excused, fence, written, wait>>

\* Somebody locks who is not of ours, and who takes no more than there is.
Foreign(s, after, slack) ==
    LET new == DOMAIN after \ DOMAIN keys[s]
    IN  /\ \A t \in new : Room(after, t, after[t].need)
        /\ OnlyExpired(keys[s], after, new, slack)
        /\ keys' = [keys EXCEPT ![s] = after]
        /\ UNCHANGED <<units, flight, heard, belief, excused, fence, written, wait>>

\* Somebody deletes a lock of which he knows no token: its holders are told, at some time.
Force(s, after) ==
    /\ excused' = excused \cup {t \in DOMAIN keys[s] : t \notin DOMAIN after}
    /\ keys' = [keys EXCEPT ![s] = after]
    /\ UNCHANGED <<units, flight, heard, belief, fence, written, wait>>

(***************************************************************************)
(* Those who wait: a try that fails sets the waiters key, then its client  *)
(* blocks until there is a wake token. Each script that ends a lock leaves *)
(* one if somebody waits, and the first who blocks has it before anything  *)
(* else is executed.                                                       *)
(***************************************************************************)

Nobody == [key |-> FALSE, signal |-> FALSE, queue |-> <<>>]

Push(w) == IF w.key THEN [w EXCEPT !.signal = TRUE] ELSE w

\* May the server execute the next request?
Idle == ~(wait.signal /\ wait.queue # <<>>)

\* A script has ended the lock: it asks for the waiters key.
Tells(ends, w) == Idle /\ (ends /\ wait.key => w.signal) /\ w.queue = wait.queue /\ wait' = w

\* The rest of these leaves all else as it is.
Rest == UNCHANGED <<units, keys, flight, heard, belief, excused, fence, written>>

\* There is a wake token, or it waits for one.
Blocks(c) ==
    /\ Idle
    /\ ~wait.signal
    /\ wait' = [wait EXCEPT !.queue = Append(@, c)]
    /\ Rest

Pops(c) ==
    /\ wait.signal
    /\ IF wait.queue = <<>> THEN TRUE ELSE Head(wait.queue) = c
    /\ wait' = [wait EXCEPT !.signal = FALSE, !.queue = IF @ = <<>> THEN @ ELSE Tail(@)]
    /\ Rest

\* Its time is over, or its connection.
Stops(c) ==
    /\ \E i \in 1 .. Len(wait.queue) : wait.queue[i] = c
    /\ wait' = [wait EXCEPT !.queue = SelectSeq(@, LAMBDA d : d # c)]
    /\ Rest

(***************************************************************************)
(* The clients.                                                            *)
(***************************************************************************)

Read(r) ==
    LET q == flight[r]
    IN  /\ r \in DOMAIN flight
        /\ q.served
        /\ heard' = IF q.op = "ends" THEN heard
                    ELSE Put(heard, q.token,
                             [s \in Servers |-> IF s = q.server THEN Max(Heard(q.token, s), q.counts)
                                                ELSE Heard(q.token, s)])
        /\ flight' = Without(flight, r)
        /\ UNCHANGED <<units, keys, belief, excused, fence, written, wait>>

\* Rule 1: no more is believed than most servers have said, and nothing against which a request is under way. To believe less is no risk.
Believe(h, t, until, need) ==
    LET less == h \in DOMAIN belief /\ belief[h].token = t /\ until <= belief[h].until /\ need <= belief[h].need
    IN  /\ \/ until <= now'
           \/ less
           \/ t \in excused
           \/ Most({s \in Servers : Heard(t, s) >= until /\ ~MayEnd(s, t, until)})
        /\ belief' = IF until <= now' THEN Without(belief, h)
                     ELSE Put(belief, h, [token |-> t, until |-> until, need |-> need])
        /\ UNCHANGED <<units, keys, flight, heard, excused, fence, written, wait>>

\* The token will not be used again, by that client; another one may have it, too.
Retire(t) ==
    /\ heard' = IF \E h \in DOMAIN belief : belief[h].token = t THEN heard ELSE Without(heard, t)
    /\ UNCHANGED <<units, keys, flight, belief, excused, fence, written, wait>>

Excuse(t) ==
    /\ excused' = excused \cup {t}
    /\ UNCHANGED <<units, keys, flight, heard, belief, fence, written, wait>>

\* A client writes the protected number, perhaps late. The number takes no fence below its last one.
Write(f, done) ==
    /\ done = (f >= written)
    /\ written' = Max(written, f)
    /\ UNCHANGED <<units, keys, flight, heard, belief, excused, fence, wait>>

(***************************************************************************)
(* What holds in each state.                                               *)
(***************************************************************************)

\* Never two holders inside while their locks are valid, nor more than there are permits, nor a writer beside a reader.
AtMost == Needs(belief, Inside) <= units

Has(s, b) == b.token \in DOMAIN keys[s] /\ keys[s][b.token].until >= b.until /\ keys[s][b.token].need >= b.need

\* Whoever believes to have the lock has it, for as long.
True == \A h \in Inside : Most({s \in Servers : Has(s, belief[h])})

\* The protected number is written in the order in which the lock was taken.
Ordered == written <= fence

=============================================================================
