import type { Job } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { useActiveJobs } from '../../live/active-jobs.ts';
import { useJobProgress } from '../../live/job-progress.ts';
import { JobState } from '../../ui/job-state.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Elapsed } from '../../ui/times.tsx';

const MAX_SHOWN = 6;

/** Waiting and running jobs; renders nothing if there are none. */
export function RunningNow() {
  const { home } = useMessages();
  const { data: jobs = [] } = useActiveJobs();
  if (jobs.length === 0) return null;
  return (
    <Section title={home.now}>
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {jobs.slice(0, MAX_SHOWN).map((job) => (
          <li key={job.id} className="min-w-0">
            <RunningJob job={job} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RunningJob({ job }: { readonly job: Job }) {
  const { workflow: texts } = useMessages();
  const isRunning = job.status === 'in_progress';
  const { progress, preview } = useJobProgress(isRunning ? job.id : undefined);
  return (
    <Panel className="relative flex items-center gap-3 p-2 hover:bg-hover">
      <div className="flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-sm bg-hover">
        {preview === undefined ? (
          <JobState status={job.status} isIconOnly />
        ) : (
          <img src={preview} alt="" className="size-full object-cover" />
        )}
      </div>
      <div className="min-w-0 grow pr-1">
        <div className="flex items-baseline gap-2">
          <Link
            to="/jobs/$jobId"
            params={{ jobId: job.id }}
            className="min-w-0 grow truncate text-13 font-medium before:absolute before:inset-0"
          >
            {job.workflow_name ?? texts.untitled}
          </Link>
          <span className="shrink-0 text-12 text-muted">
            <Elapsed from={job.execution_start_time ?? job.create_time} />
          </span>
        </div>
        <div className="mt-2">
          <ProgressBar fraction={progress?.fraction} label={texts.progress} />
        </div>
      </div>
    </Panel>
  );
}
