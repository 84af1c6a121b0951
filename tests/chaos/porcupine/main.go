// Judges histories of locks with Porcupine, or prints what is in them for Knossos and Elle. See docs/internals/histories.md.
//
//	porcupine FILE...
//	porcupine -edn NAME FILE
//	porcupine -edn STORE/NAME FILE
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

func main() {
	edn := flag.String("edn", "", "print the operations of this `name`, or store/name")
	limit := flag.Duration("limit", 10*time.Minute, "for each name; what takes longer is not judged, which is a failure")
	flag.Parse()
	failed := false
	for _, file := range flag.Args() {
		h, err := open(file)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			os.Exit(2)
		}
		if *edn != "" {
			h.printEdn(*edn)
			continue
		}
		failed = !h.judge(file, *limit) || failed
	}
	if failed {
		os.Exit(1)
	}
}

func open(file string) (*history, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return read(in)
}

func (h *history) sizeOf(name string) int {
	if size, found := h.rooms[name]; found {
		return size
	}
	return 1
}

// judge says for each name what it found; true: nothing is wrong.
func (h *history) judge(file string, limit time.Duration) bool {
	right, operations, cuts, longest, begun := true, 0, 0, 0, time.Now()
	tell := func(what string, result porcupine.CheckResult, ops []porcupine.Operation) {
		operations += len(ops)
		cuts++
		if len(ops) > longest {
			longest = len(ops)
		}
		if result != porcupine.Ok {
			right = false
			fmt.Printf("FAILED  %s: %s: %s, from %d us on\n", file, what, result, ops[0].Call)
		}
	}
	var names, stores []string
	for name := range h.claims {
		names = append(names, name)
	}
	for store := range h.numbers {
		stores = append(stores, store)
	}
	sort.Strings(names)
	sort.Strings(stores)
	for _, name := range names {
		size := h.sizeOf(name)
		for _, ops := range parts(h.claims[name], size) {
			tell(fmt.Sprintf("room %s (%d)", name, size), porcupine.CheckOperationsTimeout(roomOf(size), ops, limit), ops)
		}
	}
	for _, store := range stores {
		ops := operationsOf(h.numbers[store])
		tell("number "+store, porcupine.CheckOperationsTimeout(numbers, ops, limit), ops)
	}
	if right {
		fmt.Printf("ok      %s: %d operations of %d names and %d numbers, in %d parts of %d at most, %.1f s\n", file, operations,
			len(names), len(stores), cuts, longest, time.Since(begun).Seconds())
	}
	return right
}
