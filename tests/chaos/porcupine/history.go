package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
)

// event is a line of a history; docs/internals/histories.md has the form.
type event struct {
	Time    int64          `json:"time"`
	Process string         `json:"process"`
	Type    string         `json:"type"`
	F       string         `json:"f"`
	Name    string         `json:"name"`
	Need    int            `json:"need"`
	Until   int64          `json:"until"`
	Fence   int64          `json:"fence"`
	Store   string         `json:"store"`
	Value   *int64         `json:"value"`
	Whom    string         `json:"whom"`
	Version int            `json:"version"`
	Rooms   map[string]int `json:"rooms"`
}

const unknown = int64(-1)

// claim is what a process says about a lock: asked for, inside from and to, free again; unknown: nobody knows when.
type claim struct {
	process                string
	need                   int
	fence                  int64
	asked, from, to, freed int64
}

// write is one of a number; done: whether it was, or unknown.
type write struct {
	process      string
	value, fence int64
	asked, done  int64
	final        bool // not a write: the number was read at the end
}

type excuse struct {
	name     string
	from, to int64
}

type history struct {
	rooms   map[string]int
	claims  map[string][]*claim
	numbers map[string][]*write // by store/name; those with a fence
	excuses []excuse
}

// section is the lock that a process has, or asks for.
type section struct {
	name  string
	claim *claim
	until int64
}

type reader struct {
	history
	asked   map[string]event    // process: what it asked for last
	open    map[string]*section // process: what it relies on
	leaving map[string]*claim   // process: what it is about to release
	where   map[string]string   // process: the name it asked for last
	writing map[string]*write
}

func read(from io.Reader) (*history, error) {
	r := reader{history{map[string]int{}, map[string][]*claim{}, map[string][]*write{}, nil}, map[string]event{},
		map[string]*section{}, map[string]*claim{}, map[string]string{}, map[string]*write{}}
	var events []event
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d: %v", len(events)+1, err)
		}
		events = append(events, e)
	}
	if len(events) == 0 || events[0].F != "begin" || events[0].Version != 1 {
		return nil, fmt.Errorf("no history of version 1")
	}
	sort.SliceStable(events, func(i, j int) bool { return events[i].Time < events[j].Time })
	for _, e := range events {
		r.take(e)
	}
	for process := range r.open {
		r.leave(process, events[len(events)-1].Time, 0)
	}
	return &r.history, lines.Err()
}

func (r *reader) take(e event) {
	asked := r.asked[e.Process]
	switch {
	case e.Type == "invoke":
		if e.F == "acquire" {
			r.leave(e.Process, e.Time, 0)
			r.where[e.Process] = e.Name
		}
		r.asked[e.Process] = e
		switch e.F {
		case "release", "upgrade", "downgrade":
			r.leave(e.Process, e.Time, e.Until)
		case "extend":
			r.rely(e, e.Time)
		case "write":
			if e.Fence > 0 && e.Value != nil {
				w := &write{e.Process, *e.Value, e.Fence, e.Time, unknown, false}
				r.writing[e.Process] = w
				key := e.Store + "/" + e.Name
				r.numbers[key] = append(r.numbers[key], w)
			}
		}
	case e.F == "acquire" && e.Type == "ok", e.F == "upgrade" && e.Type == "ok", e.F == "downgrade" && e.Type == "ok":
		need := asked.Need
		if need == 0 {
			need = 1
		}
		r.enter(e, asked.Time, need, e.Fence)
	case e.F == "extend":
		r.rely(e, asked.Time)
	case e.F == "release" && e.Type == "ok" && r.leaving[e.Process] != nil:
		r.leaving[e.Process].freed = e.Time
	case e.F == "write" && r.writing[e.Process] != nil:
		w := r.writing[e.Process]
		delete(r.writing, e.Process)
		switch e.Type {
		case "ok":
			w.done = e.Time
		case "fail":
			w.fence = 0 // it was not written
		}
	case e.F == "read" && len(r.numbers[e.Store+"/"+e.Name]) > 0:
		key := e.Store + "/" + e.Name
		r.numbers[key] = append(r.numbers[key], &write{e.Process, *e.Value, 0, e.Time, e.Time, true})
	case e.F == "lost":
		r.leave(e.Process, e.Time, 0)
	case e.F == "kill":
		for process := range r.open {
			if process == e.Whom || strings.HasPrefix(process, e.Whom+".") {
				r.leave(process, e.Time, 0)
			}
		}
	case e.F == "begin":
		for name, size := range e.Rooms {
			r.rooms[name] = size
		}
	case e.F == "excuse":
		r.excuses = append(r.excuses, excuse{e.Name, e.Time, e.Until})
	}
}

func (r *reader) enter(e event, asked int64, need int, fence int64) {
	name := r.where[e.Process]
	if e.Until <= e.Time || r.excused(name, e.Time) {
		return
	}
	r.open[e.Process] = &section{name, &claim{e.Process, need, fence, asked, e.Time, 0, unknown}, e.Until}
}

// rely: it relies on the lock until then.
func (r *reader) rely(e event, asked int64) {
	s := r.open[e.Process]
	if s != nil && e.Time < s.until && e.Time < e.Until {
		s.until = e.Until
		return
	}
	need := 1
	if s != nil {
		need = s.claim.need
		r.leave(e.Process, e.Time, 0)
		r.leaving[e.Process] = nil
	}
	if e.Type != "invoke" {
		r.enter(e, asked, need, 0)
	}
}

// leave: it relies on the lock no more; until: what it knew then.
func (r *reader) leave(process string, at, until int64) {
	s := r.open[process]
	r.leaving[process] = nil
	if s == nil {
		return
	}
	delete(r.open, process)
	c := s.claim
	c.to = at
	if until > s.until {
		s.until = until
	}
	if s.until < at {
		c.to = s.until
	} else if until > 0 {
		r.leaving[process] = c
	}
	r.claims[s.name] = append(r.claims[s.name], c)
}

func (r *reader) excused(name string, at int64) bool {
	for _, x := range r.excuses {
		if x.from <= at && at <= x.to && (x.name == "" || x.name == name) {
			return true
		}
	}
	return false
}
