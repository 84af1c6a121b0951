------------------------------- MODULE Trace -------------------------------
(***************************************************************************)
(* Histories of the simulator, of which each step must be one of Locks.    *)
(* The file that TRACES names has a JSON object a line; trace.c tells      *)
(* what is in them. A history that is none of Locks ends in a deadlock,    *)
(* where `line` is the line before the step that is none.                  *)
(***************************************************************************)
EXTENDS Locks, Json, IOUtils

VARIABLE line

Log == ndJsonDeserialize(IOEnv.TRACES)

\* The clock of a server counts milliseconds.
Slack == 2000

Begin(i) ==
    /\ line = i
    /\ now = 0
    /\ units = Log[i].units
    /\ keys = [s \in 0 .. Log[i].servers - 1 |-> Empty]
    /\ flight = Empty
    /\ heard = Empty
    /\ belief = Empty
    /\ excused = {}
    /\ fence = 0
    /\ written = 0
    /\ wait = Nobody

TraceInit == \E i \in {i \in 1 .. Len(Log) : Log[i].e = "begin"} : Begin(i)

\* A lock with waiters of whom the trace tells; of others it has no "key".
Waits(e, ends) ==
    IF "key" \in DOMAIN e THEN Tells(ends, [wait EXCEPT !.key = e.key, !.signal = e.signal]) ELSE UNCHANGED wait

Step(e) ==
    /\ now' = e.now
    /\ \/ e.e = "send" /\ Send(e.r, e.op, e.w, e.s, e.c, e.t, e.u, e.lasts)
       \/ e.e = "serve" /\ Serve(e.r, e.keys, e.read, Slack) /\ Waits(e, flight[e.r].op = "ends" /\ e.script)
       \/ e.e = "refuse" /\ Refuse(e.s, e.t, e.keys, Slack) /\ Waits(e, FALSE)
       \/ e.e = "waits" /\ Waits(e, FALSE) /\ Rest
       \/ e.e = "blocks" /\ Blocks(e.c)
       \/ e.e = "pops" /\ Pops(e.c)
       \/ e.e = "stops" /\ Stops(e.c)
       \/ e.e = "read" /\ Read(e.r)
       \/ e.e = "believe" /\ Believe(e.h, e.t, e.u, e.n)
       \/ e.e = "other" /\ IF OnlyExpired(keys[e.s], e.keys, {}, Slack) THEN Expire(e.s, e.keys, Slack)
                           ELSE IF e.forced THEN Force(e.s, e.keys) ELSE e.foreign /\ Foreign(e.s, e.keys, Slack)
       \/ e.e = "retire" /\ Retire(e.t)
       \/ e.e = "excuse" /\ Excuse(e.t)
       \/ e.e = "write" /\ Write(e.f, e.done)

AtEnd == IF line = Len(Log) THEN TRUE ELSE Log[line + 1].e = "begin"

TraceNext == IF AtEnd THEN UNCHANGED <<vars, line>> ELSE line' = line + 1 /\ Step(Log[line + 1])

\* For traces in which something was planted: none is followed to its end.
Holds == AtMost /\ True /\ Lasts /\ Ordered
Refused == ~AtEnd

=============================================================================
