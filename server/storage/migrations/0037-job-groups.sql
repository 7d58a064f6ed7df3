-- The groups of jobs that wait, one after the other, and the oldest jobs of each. PostgreSQL has its own: see job-engine.ts.

create index jobs_by_group on jobs (kind, job_group, due_at, id) where failed_at is null;
