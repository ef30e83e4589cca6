package traffic

// SideBySide plays several runs of a workload at the same time, each as a job of its own: tasks 0 to n-1 are those of
// job 0, the next n those of job 1, and no message goes from one job to another.
type SideBySide struct {
	jobs  []Workload
	tasks int // of a job
	ids   []int64
	emit  func(Message) // of the call that is under way
	emits []func(Message)
	ends  []int64
}

// NewSideBySide returns a run of so many jobs, at least one, each of which is a run that fresh returns.
func NewSideBySide(fresh func() Workload, jobs int) *SideBySide {
	s := &SideBySide{ends: make([]int64, jobs)}
	for i := range jobs {
		s.jobs = append(s.jobs, fresh())
		s.tasks = s.jobs[0].Tasks()
		first := int32(i * s.tasks)
		s.emits = append(s.emits, func(m Message) {
			s.ids = append(s.ids, m.ID)
			m.ID, m.Src, m.Dst = int64(len(s.ids)-1), m.Src+first, m.Dst+first
			s.emit(m)
		})
	}
	return s
}

// Jobs is the number of jobs.
func (s *SideBySide) Jobs() int { return len(s.jobs) }

// Job returns a job by its number, from 0, with tasks from 0, to be played alone. A run of which jobs are played alone
// cannot be played itself.
func (s *SideBySide) Job(i int) Workload { return s.jobs[i] }

// JobOf is the job of a task, from 0.
func (s *SideBySide) JobOf(task int32) int { return int(task) / s.tasks }

// NoteEnd notes the cycle in which a message of a workload arrived, for JobEnds. Simulators call it for every message,
// in the order of time.
func NoteEnd(w Workload, m Message, cycle int64) {
	if s, ok := w.(*SideBySide); ok {
		s.ends[s.JobOf(m.Src)] = cycle
	}
}

// JobEnds returns the cycle in which the last message of every job arrived, as NoteEnd has noted; nil unless the
// workload is jobs side by side.
func JobEnds(w Workload) []int64 {
	if s, ok := w.(*SideBySide); ok {
		return s.ends
	}
	return nil
}

// Tasks implements Workload: those of all jobs.
func (s *SideBySide) Tasks() int { return len(s.jobs) * s.tasks }

// Start implements Workload.
func (s *SideBySide) Start(emit func(Message)) {
	s.emit = emit
	for i, job := range s.jobs {
		job.Start(s.emits[i])
	}
}

// Delivered implements Workload.
func (s *SideBySide) Delivered(m Message, emit func(Message)) {
	s.emit = emit
	i := s.JobOf(m.Src)
	first := int32(i * s.tasks)
	m.ID, m.Src, m.Dst = s.ids[m.ID], m.Src-first, m.Dst-first
	s.jobs[i].Delivered(m, s.emits[i])
}

// Times returns the job so many times side by side, as NewSideBySide does; the job itself for 1.
func (j Job) Times(jobs int) Job {
	if jobs == 1 {
		return j
	}
	fresh := j.New
	j.Tasks *= jobs
	j.Messages, j.AtOnce = j.Messages*int64(jobs), j.AtOnce*int64(jobs)
	j.New = func() Workload { return NewSideBySide(fresh, jobs) }
	return j
}
