package main

import (
	"fmt"
	"sort"
)

type line struct {
	time    int64
	text    string // of its type on, but for process and time
	process string
	crashes bool // what has no answer: its process is another one from then on
}

// printEdn prints operations as Jepsen does: of a name acquire and release, for Knossos' mutex; of a number transactions, for Elle.
// knossos.clj also reads the further keys.
func (h *history) printEdn(what string) {
	var lines []line
	op := func(process, f, asks, says, more string, call, end int64) {
		lines = append(lines, line{call, fmt.Sprintf(":type :invoke, :f %s, :value %s%s", f, asks, more), process, end == unknown})
		if end != unknown {
			lines = append(lines, line{end, fmt.Sprintf(":type :ok, :f %s, :value %s%s", f, says, more), process, false})
		}
	}
	for _, c := range h.claims[what] {
		more := fmt.Sprintf(", :room %d, :need %d, :fence %d", h.sizeOf(what), c.need, c.fence)
		op(c.process, ":acquire", "nil", "nil", more, c.asked, c.from)
		op(c.process, ":release", "nil", "nil", more, c.to, c.freed)
	}
	for _, w := range h.numbers[what] {
		before := "nil"
		if w.value > 1 {
			before = fmt.Sprint(w.value - 1)
		}
		if w.fence > 0 {
			op(w.process, ":txn", fmt.Sprintf("[[:r %q nil] [:w %q %d]]", what, what, w.value),
				fmt.Sprintf("[[:r %q %s] [:w %q %d]]", what, before, what, w.value),
				fmt.Sprintf(", :number %d, :fence %d", w.value, w.fence), w.asked, w.done)
		}
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].time < lines[j].time })
	numbers, next := map[string]int{}, 0
	for i, l := range lines {
		if _, seen := numbers[l.process]; !seen {
			numbers[l.process] = next
			next++
		}
		fmt.Printf("{%s, :process %d, :time %d, :index %d}\n", l.text, numbers[l.process], l.time*1000, i)
		if l.crashes {
			delete(numbers, l.process)
		}
	}
}
