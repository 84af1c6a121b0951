#!/usr/bin/env bash
#
# chaos.sh: the checker of scripts/long/chaos.sh finds what it looks for, in histories made up for it, and nothing else.

set -euo pipefail
cd "$(dirname "$0")/../.."

history=$(mktemp)
trap 'rm -f "$history"' EXIT
failed=0

# The history, in JSON, of the shorter lines on stdin, each with a time in ms and who it is about:
#
#     enter NAME UNTIL FENCE [NEED]     it has acquired; without a fence: -
#     writes STORE NUMBER               it begins to; nobody says what became of that
#     leave UNTIL FILE REDIS            it wrote these numbers (refused: could not; -: did not), and releases; 0: not valid any more
#     line NAME, wants NAME NEED        it waits for a lock whose order is judged, for room
#     without, late US                  in vain; for so long it was not let run
#     denied                            the server said "not ours"
#
# and what the driver did.
history()
{
	awk '
		function say(at, who, type, f, more) {
			printf "{\"time\":%d,\"process\":\"%s\",\"type\":\"%s\",\"f\":\"%s\"%s}\n", at * 1000, who, type, f, more
		}
		function number(key, value) { return ",\"" key "\":" value }
		function text(key, value) { return ",\"" key "\":\"" value "\"" }
		function valid(until) { return until > 0 ? number("until", until * 1000) : "" }
		function fenced(fence) { return fence > 0 ? number("fence", fence) : "" }
		function ask(name, need, waits) { say($1, $2, "invoke", "acquire", text("name", name) number("need", need) number("waits", waits)) }
		function writes(store, value, how) {
			if (value == "-")
				return
			say($1, $2, "invoke", "write", text("name", name[$2]) text("store", store) fenced(fence[$2]) \
				(value == "refused" ? "" : number("value", value)))
			if (how == "")
				say($1, $2, value == "refused" ? "fail" : "ok", "write", "")
		}
		{ rest = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ ?/, "", rest); done = "" }
		$3 == "begin" { done = number("version", 1) number("lively", "true") number("ordered", $6 == "" ? "true" : "false") \
			number("rooms", $6 == "" ? "{}" : "{\"" $6 "\":" $7 "}") text("what", rest) }
		$3 == "worker" { say($1, $2, "info", "start", text("kind", $4)) }
		$3 == "line" { ask($4, 1, "true"); asks[$2] = 1 }
		$3 == "wants" { ask($4, $5, "true"); asks[$2] = 1 }
		$3 == "without" { say($1, $2, "fail", "acquire", "") }
		$3 == "late" { late[$2] = number("late", $4) }
		$3 == "enter" {
			if (!asks[$2])
				ask($4, $7 == "" ? 1 : $7, "false")
			say($1, $2, "ok", "acquire", valid($5) fenced($6) late[$2])
			name[$2] = $4; fence[$2] = $6; late[$2] = ""; asks[$2] = 0
		}
		$3 == "writes" { writes($4, $5, "unknown") }
		$3 == "leave" {
			writes("file", $5)
			writes("redis", $6)
			say($1, $2, "invoke", "release", valid($4))
		}
		$3 == "denied" { say($1, $2, "fail", "release", "") }
		$3 == "count" {
			say($1, $2, "ok", "read", text("name", $4) text("store", "file") number("value", $5))
			say($1, $2, "ok", "read", text("name", $4) text("store", "redis") number("value", $6))
		}
		$3 == "failover" || $3 == "switched" {
			say($1, $2, "info", "excuse", number("until", ($1 + ($3 == "failover" ? 7000 : 3000)) * 1000) text("what", rest))
		}
		$3 == "kill" || $3 == "stop" || $3 == "go" { done = text("whom", rest) }
		$3 == "fault" || $3 == "healed" || $3 == "left" { done = text("what", rest) }
		$3 == "wrong" { done = text("error", rest) }
		done != "" || $3 == "end" { say($1, $2, "info", $3, done) }'
}

# expect NAME WHAT: the history on stdin is wrong in this and in nothing else ("": in nothing).
expect()
{
	history >"$history"
	judge "$@"
}

judge()
{
	local found

	found=$(scripts/long/chaos.sh --check "$history" | sed -n 's/^FAILED  \([^:]*\):.*/\1/p' | paste -sd, || true)
	if [ "$found" != "$2" ]; then
		echo "$1: found \"$found\" instead of \"$2\""
		scripts/long/chaos.sh --check "$history" | sed 's/^/    /' || true
		failed=1
	fi
}

# A history around the lines on stdin: two processes, one name without a fence and one with.
story()
{
	echo "1 driver begin variant one"
	echo "1 w1 worker lease 101"
	echo "1 w2 worker lease 102"
	cat
	echo "900 driver count plain-a ${1:-2 2}"
	echo "901 driver end "
}

story <<'END' | expect "one after the other" ""
10 w1 enter plain-a 1000 -
20 w1 leave 1000 1 1
20 w2 enter plain-a 1000 -
30 w2 leave 1000 2 2
END
story <<'END' | expect "one goes on after its validity, and does nothing" ""
10 w1 enter plain-a 100 -
20 driver stop w1
120 w2 enter plain-a 1000 -
130 w2 leave 1000 1 1
140 w2 enter plain-a 1000 -
150 w2 leave 1000 2 2
160 w1 leave 0 - -
END
story <<'END' | expect "one enters before the signal comes" ""
10 driver kill w1
15 w1 enter plain-a 1000 -
20 w2 enter plain-a 1000 -
30 w2 leave 1000 1 1
40 w2 enter plain-a 1000 -
50 w2 leave 1000 2 2
END
story "3 2" <<'END' | expect "one is killed, and had counted in the file" ""
10 w1 enter plain-a 1000 -
14 w1 writes file 1
15 driver kill w1
20 w2 enter plain-a 1000 -
30 w2 leave 1000 2 1
40 w2 enter plain-a 1000 -
50 w2 leave 1000 3 2
END
story <<'END' | expect "two inside" "never two inside while both are valid"
10 w1 enter plain-a 1000 -
20 w2 enter plain-a 1000 -
30 w1 leave 1000 1 1
40 w2 leave 1000 2 2
END
story <<'END' | expect "one is killed after another one entered" "never two inside while both are valid"
10 w1 enter plain-a 1000 -
20 w2 enter plain-a 1000 -
25 driver kill w1
30 w2 leave 1000 1 1
40 w2 enter plain-a 1000 -
50 w2 leave 1000 2 2
END
story "1 1" <<'END' | expect "one number twice" "no update is lost"
10 w1 enter plain-a 1000 -
20 w1 leave 1000 1 1
30 w2 enter plain-a 1000 -
40 w2 leave 1000 1 1
END
story "3 2" <<'END' | expect "a number nobody wrote" "no update is lost"
10 w1 enter plain-a 1000 -
20 w1 leave 1000 1 1
30 w2 enter plain-a 1000 -
40 w2 leave 1000 2 2
END
story <<'END' | expect "one number twice, by one who overran and wrote" ""
10 w1 enter plain-a 100 -
120 w2 enter plain-a 1000 -
130 w2 leave 1000 1 1
135 w1 leave 0 1 1
140 w2 enter plain-a 1000 -
150 w2 leave 1000 2 2
END
story <<'END' | expect "fences that fall" "fences grow"
10 w1 enter fenced-a 1000 7
20 w1 leave 1000 1 1
30 w2 enter fenced-a 1000 6
40 w2 leave 1000 - -
50 w1 enter plain-a 1000 -
60 w1 leave 1000 1 1
70 w1 enter plain-a 1000 -
80 w1 leave 1000 2 2
END
story <<'END' | expect "a fence refused to who is valid" 'nobody is told "not ours" while valid'
10 w1 enter fenced-a 1000 7
20 w1 leave 1000 1 refused
50 w1 enter plain-a 1000 -
60 w1 leave 1000 1 1
70 w1 enter plain-a 1000 -
80 w1 leave 1000 2 2
END
{
	story <<'END'
10 w1 enter plain-a 1000 -
20 w1 leave 1000 1 1
20 w1 denied 
30 w2 enter plain-a 1000 -
40 w2 leave 1000 2 2
700 w2 wrong Error: somewhere
800 driver left key plain-a
END
} | expect "said by others" 'nobody is told "not ours" while valid,nothing is left behind,nothing else went wrong'
story <<'END' | expect "a standstill" "no standstill"
10 w1 enter plain-a 1000 -
20 w1 leave 1000 1 1
10020 w2 enter plain-a 11000 -
10030 w2 leave 11000 2 2
END
story <<'END' | sed '$d' | expect "no end" "the history is whole"
10 w1 enter plain-a 1000 -
20 w1 leave 1000 1 1
30 w2 enter plain-a 1000 -
40 w2 leave 1000 2 2
END
for at in 5 15; do
	story <<END | expect "two inside at 20 ms, failover at $at ms" ""
$at driver failover kill master
10 w1 enter plain-a 1000 -
20 w2 enter plain-a 1000 -
30 w1 leave 1000 1 1
40 w2 leave 1000 2 2
END
done
story <<'END' | expect "two inside before the failover, and long after" "never two inside while both are valid"
10 w1 enter plain-a 1000 -
20 w2 enter plain-a 1000 -
30 w1 leave 1000 1 1
40 w2 leave 1000 2 2
50 driver failover kill master
7060 w1 enter plain-a 8000 -
7070 w2 enter plain-a 8000 -
7080 w1 leave 8000 3 3
7090 w2 leave 8000 4 4
END

for at in 12050 12070; do
	story "4 4" <<END | expect "two inside at 15060 ms, another master at $at ms" "$([ $at = 12070 ] || echo "never two inside while both are valid")"
10 w1 enter plain-a 1000 -
20 w1 leave 1000 1 1
30 driver failover kill master
5060 w2 enter plain-a 8000 -
5070 w2 leave 8000 2 2
10060 w1 enter plain-a 13000 -
10070 w1 leave 13000 3 3
$at driver switched sentinel 0 to 6379
15055 w1 enter plain-a 18000 -
15060 w2 enter plain-a 18000 -
15070 w1 leave 18000 4 4
15080 w2 leave 18000 4 4
END
done

# queue WHO... WHO...: the first line up 100 ms apart, from 10 ms on; then each of the second holds for 300 ms, or $3, in that
# order.
queue()
{
	local at=10 hold=${3:-300} who

	for who in $1; do
		echo "2 $who worker lease 101"
		echo "$at $who line plain-a"
		at=$((at + 100))
	done
	for who in $2; do
		echo "$at $who enter plain-a 90000 -"
		echo "$((at + hold)) $who leave 90000 - -"
		at=$((at + hold))
	done
}

queue "w1 w2 w3 w4" "w1 w2 w3 w4" | story "0 0" | expect "a queue" ""
queue "w1 w2 w3 w4" "w1 w3 w2 w4" | story "0 0" | expect "one jumps the queue" "waiters are served in order"
queue "w1 w2 w3 w4" "w1 w3 w2 w4" | sed 's/^110 w2/180 w2/' | story "0 0" | expect "one jumps who came 30 ms later" ""
{ queue "w1 w2 w3 w4" "w1 w3 w2 w4"; echo "900 w2 late 60000"; } | sort -ns | story "0 0" |
	expect "one jumps who may have come 40 ms later" ""
{ queue "w1 w2 w3 w4" "w1 w3 w2 w4"; echo "600 driver stop w2"; echo "900 driver go w2"; } | sort -ns | story "0 0" |
	expect "one is stopped while its turn comes" ""
{ queue "w1 w2 w3 w4" "w1 w3 w2 w4"; echo "600 driver stop w4"; } | sort -ns | story "0 0" |
	expect "another one is stopped" "waiters are served in order"
{ queue "w1 w2 w3 w4" "w1 w3 w2 w4"; echo "600 driver fault freeze the server"; } | sort -ns | story "0 0" |
	expect "one jumps when something was just done" ""
{ queue "w1 w2 w3 w4" "w1 w3 w2 w4" 5000; echo "5 driver fault kill w9"; } | sort -ns | story "0 0" |
	expect "one jumps long after something was done" "waiters are served in order"
# w1 holds until 600, and has released at 602. w4, which came at $1, is faster than w2, which goes to the end.
newcomer()
{
	sort -ns <<-END
	2 w3 worker lease 101
	2 w4 worker lease 101
	10 w1 line plain-a
	110 w2 line plain-a
	210 w3 line plain-a
	300 w1 enter plain-a 90000 -
	$1 w4 line plain-a
	600 w1 leave 90000 - -
	602 w1 line plain-a
	603 w4 enter plain-a 90000 -
	700 w4 leave 90000 - -
	702 w3 enter plain-a 90000 -
	800 w3 leave 90000 - -
	802 w2 enter plain-a 90000 -
	890 w2 leave 90000 - -
	END
}

newcomer 601 | story "0 0" | expect "a newcomer in the moment of a release, one in four" "newcomers are rarely faster than who is woken"
newcomer 500 | story "0 0" | expect "a newcomer 100 ms before a release" "waiters are served in order"
{
	newcomer 601
	for ((at = 1000; at < 11000; at += 200)); do
		printf '%d w9 line plain-a\n%d w9 enter plain-a 90000 -\n%d w9 leave 90000 - -\n' $at $((at + 10)) $((at + 100))
	done
} | story "0 0" | expect "a newcomer in the moment of a release, one in fifty" ""
{
	echo "10 w1 line plain-a"
	for at in 2 3 4 5 6 7 8 9; do
		echo "${at}00 w2 line plain-a"
		echo "${at}01 w2 enter plain-a 90000 -"
		echo "${at}50 w2 leave 90000 - -"
	done
	echo "999 w1 enter plain-a 90000 -"
	echo "1100 w1 leave 90000 - -"
} | story "0 0" | expect "one starves" "waiters are served in order,waiting is fair"
# A history around the lines on stdin: four processes, and a room for three.
room()
{
	echo "1 driver begin variant holders permits-a 3"
	for who in w1 w2 w3 w4; do
		echo "1 $who worker lease 101"
	done
	cat
	echo "99999 driver end "
}

# Three are inside from 10, 20 and 30 ms on, the third with the weight $1, until 40, 50 and 60.
three()
{
	echo "10 w1 enter permits-a 30000 - 1"
	echo "20 w2 enter permits-a 30000 - 1"
	echo "30 w3 enter permits-a 30000 - ${1:-1}"
	echo "40 w1 leave 30000 - -"
	echo "50 w2 leave 30000 - -"
	echo "60 w3 leave 30000 - -"
}

three | room | expect "three inside" ""
{ three; echo "35 w4 enter permits-a 30000 - 1"; echo "45 w4 leave 30000 - -"; } | sort -ns | room |
	expect "four inside" "never two inside while both are valid"
three 2 | room | expect "three inside, one of weight 2" "never two inside while both are valid"
{ three; echo "40 w4 enter permits-a 30000 - 1"; echo "45 w4 leave 30000 - -"; } | sort -ns | room |
	expect "one after the other in a room" ""
{ three; echo "55 w4 enter permits-a 30000 - 3"; echo "70 w4 leave 30000 - -"; } | sort -ns | room |
	expect "a writer beside a reader" "never two inside while both are valid"
{ three; echo "60 w4 enter permits-a 30000 - 3"; echo "70 w4 leave 30000 - -"; } | sort -ns | room | expect "a writer after all readers" ""
{ three; echo "90 driver left permits of permits-a, held by nobody"; } | room | expect "a permit is lost" "nothing is left behind"

# One is inside, and another one waits for a weight of $1 from 1 s on and gets it after 5.
idle()
{
	echo "900 w1 enter permits-a 30000 - 1"
	echo "1000 w2 wants permits-a $1"
	echo "5000 w2 ${2:-enter permits-a 30000 - $1}"
	echo "6000 w1 leave 30000 - -"
}

idle 2 | room | expect "one would fit and waits" "no room stands idle while somebody waits"
idle 2 without | room | expect "one would fit and waits in vain" "no room stands idle while somebody waits"
idle 3 without | room | expect "one does not fit" ""
{ idle 2; echo "1500 w3 wants permits-a 3"; echo "5500 w3 without"; } | sort -ns | room | expect "one would fit behind one who does not" ""
{ idle 2; echo "2500 driver fault kill w1"; } | sort -ns | room | expect "something was done to the room" ""
{ idle 2; echo "1500 driver fault kill w1"; } | sort -ns | room |
	expect "something was done long before" "no room stands idle while somebody waits"
{ idle 2; echo "1500 driver fault freeze the server"; echo "2500 driver healed freeze the server"; } | sort -ns | room |
	expect "the server stood still" ""
{
	idle 2
	echo "500 driver fault freeze the server"
	echo "600 driver healed freeze the server"
	echo "4800 driver fault freeze the server"
	echo "4900 driver healed freeze the server"
} | sort -ns | room | expect "the server stood still before and after" "no room stands idle while somebody waits"
{ idle 2; echo "1500 driver fault kill with child w1"; } | sort -ns | room | expect "one was killed with its child" ""
{ idle 2; echo "2500 driver fault kill w9"; } | sort -ns | room |
	expect "something was done to another room" "no room stands idle while somebody waits"
{ idle 2; echo "2500 driver stop w2"; } | sort -ns | room | expect "who waits is stopped" ""

# Which Porcupine judges, too: scripts/long/porcupine.sh.
for kept in tests/chaos/histories/*.jsonl; do
	case "$kept" in
		*/fine-*) expected= ;;
		*/lost-fence.jsonl) expected="fences grow" ;;
		*/writer-out-of-order.jsonl) expected="writes are in the order of their fences" ;;
		*/lost-update.jsonl) expected="no update is lost" ;;
		*) expected="never two inside while both are valid" ;;
	esac
	cp "$kept" "$history"
	judge "$kept" "$expected"
done
exit $failed
