package main

import (
	"fmt"
	"sort"

	"github.com/anishathalye/porcupine"
)

// An operation on a room.
type step struct {
	f     string // "acquire", "release"; "since": what is known of what was before
	units int
	fence int64 // 0: none
}

type room struct {
	taken int
	fence int64
}

// roomOf allows who takes units that are free, with a fence greater than the last.
func roomOf(size int) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return room{} },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			r, s := state.(room), input.(step)
			switch s.f {
			case "acquire":
				if r.taken+s.units > size || (s.fence > 0 && s.fence <= r.fence) {
					return false, r
				}
				r.taken += s.units
				if s.fence > 0 {
					r.fence = s.fence
				}
			case "release":
				r.taken -= s.units
			case "since":
				r.fence = s.fence
			}
			return true, r
		},
		DescribeOperation: func(input, output interface{}) string { return fmt.Sprintf("%+v", input) },
	}
}

// A part of a history has so many claims or more, unless it is the last.
const claimsOfPart = 500

// parts makes operations of claims, cut where nobody is inside, and no release is under way. Who waits is taken to acquire after the
// last one who left before it was inside: the later it acquires, the more is allowed, and of what may have happened less is left
// to be tried. Not so with fences of which several may be granted at a time: such a history is left as it is.
func parts(claims []*claim, size int) [][]porcupine.Operation {
	least, late := claimsOfPart, true
	for _, c := range claims {
		if c.fence > 0 && size > 1 {
			least, late = len(claims), false
		}
	}
	sort.SliceStable(claims, func(i, j int) bool { return claims[i].from < claims[j].from })
	left := make([]int64, len(claims))
	for i, c := range claims {
		left[i] = c.to
	}
	sort.Slice(left, func(i, j int) bool { return left[i] < left[j] })
	clients := map[string]int{}
	var all [][]porcupine.Operation
	var fence int64
	for began := int64(0); len(claims) > 0; {
		next, end := 0, began
		for ; next < len(claims) && (next < least || claims[next].from <= end); next++ {
			end = latest(end, claims[next].to, claims[next].freed)
		}
		ops := []porcupine.Operation{{Input: step{"since", 0, fence}, Call: began - 1, Return: began - 1}}
		for _, c := range claims[:next] {
			client, seen := clients[c.process]
			if !seen {
				client = len(clients) + 1
				clients[c.process] = client
			}
			asked, freed := latest(c.asked, began), c.freed
			if before := sort.Search(len(left), func(i int) bool { return left[i] >= c.from }); late && before > 0 {
				asked = latest(asked, left[before-1])
			}
			if freed == unknown {
				freed = end
			}
			ops = append(ops,
				porcupine.Operation{ClientId: client, Input: step{"acquire", c.need, c.fence}, Call: asked, Return: c.from},
				porcupine.Operation{ClientId: client, Input: step{"release", c.need, 0}, Call: c.to, Return: freed})
			fence = latest(fence, c.fence)
		}
		all = append(all, ops)
		claims, began = claims[next:], end
	}
	return all
}

func latest(times ...int64) int64 {
	last := times[0]
	for _, t := range times {
		if t > last {
			last = t
		}
	}
	return last
}

type number struct{ value, fence int64 }

// numbers allows who writes one more than there is, with a fence not below the last. Without an answer, perhaps it has not.
var numbers = (&porcupine.NondeterministicModel{
	Init: func() []interface{} { return []interface{}{number{}} },
	Step: func(state, input, output interface{}) []interface{} {
		n, w := state.(number), input.(*write)
		var all []interface{}
		if w.final {
			if w.value == n.value {
				all = append(all, n)
			}
			return all
		}
		if w.value == n.value+1 && w.fence >= n.fence {
			all = append(all, number{w.value, w.fence})
		}
		if w.done == unknown {
			all = append(all, n)
		}
		return all
	},
	DescribeOperation: func(input, output interface{}) string { return fmt.Sprintf("%+v", *input.(*write)) },
}).ToModel()

func operationsOf(writes []*write) []porcupine.Operation {
	var ops []porcupine.Operation
	var end int64
	for _, w := range writes {
		end = latest(end, w.asked, w.done)
	}
	for i, w := range writes {
		if w.fence == 0 && !w.final {
			continue
		}
		done := w.done
		if done == unknown {
			done = end + 1
		}
		ops = append(ops, porcupine.Operation{ClientId: i, Input: w, Call: w.asked, Return: done})
	}
	return ops
}
