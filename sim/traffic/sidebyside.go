package traffic

// SideBySide is a Workload of several independent runs of one workload at the same time. Each run is a job: tasks 0 to
// n-1 belong to job 0, the next n to job 1, and no message goes from one job to another.
type SideBySide struct {
	jobs  []Workload
	tasks int             // of each job
	ids   []int64         // the ID that its job gave a message, by the ID that it has in the SideBySide
	emit  func(Message)   // of the call of Start or Delivered under way
	emits []func(Message) // of each job: renumbers tasks and ID of a message and passes it to emit
	ends  []int64         // of each job: the cycle of its last arrival so far
}

// NewSideBySide returns that many jobs, at least one, side by side. It calls fresh once for each; all the runs that
// fresh returns must have the same number of tasks.
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

// Jobs returns the number of jobs.
func (s *SideBySide) Jobs() int { return len(s.jobs) }

// Job returns a job by its number, from 0, to be played alone, with tasks from 0. It is a part of s, not a copy: play
// either s or its jobs, as a Workload can be played once.
func (s *SideBySide) Job(i int) Workload { return s.jobs[i] }

// JobOf returns the number of the job of a task, both from 0.
func (s *SideBySide) JobOf(task int32) int { return int(task) / s.tasks }

// NoteEnd notes the cycle in which a message of w arrived, for JobEnds; it does nothing if w is not a SideBySide.
// Simulators call it for every message in the order of arrival, as the last call for a job counts.
func NoteEnd(w Workload, m Message, cycle int64) {
	if s, ok := w.(*SideBySide); ok {
		s.ends[s.JobOf(m.Src)] = cycle
	}
}

// JobEnds returns, by job, the cycle in which its last message arrived, as noted by NoteEnd; 0 for a job without
// messages. It returns nil if w is not a SideBySide.
func JobEnds(w Workload) []int64 {
	if s, ok := w.(*SideBySide); ok {
		return s.ends
	}
	return nil
}

// Tasks implements Workload. It counts the tasks of all jobs.
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

// Times returns a job of the same name that runs j that many times side by side, at least once. Its runs are of type
// SideBySide, except for 1, which returns j itself.
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
