import type { Job } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../atelier.ts';
import { useMessages } from '../i18n/i18n.tsx';
import { useActiveJobs } from '../live/active-jobs.ts';
import { useJobProgress } from '../live/job-progress.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { JobState } from '../ui/job-state.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { tellError } from '../ui/toasts.tsx';

/** As many as are followed at once; the others wait. */
const MAX_SHOWN = 3;

/** Running jobs, on every page: preview, progress and a button that cancels. */
export function ActivityTray() {
  const { shell } = useMessages();
  const { data: jobs = [] } = useActiveJobs();
  const [isOpen, setOpen] = useState(true);
  if (jobs.length === 0) return null;
  const running = jobs.filter(({ status }) => status === 'in_progress');
  const waiting = jobs.length - running.length;
  const summary = [
    running.length > 0 && shell.running(running.length),
    waiting > 0 && shell.waiting(waiting),
  ].filter(Boolean);
  return (
    <aside
      aria-label={shell.jobs}
      className="fixed right-3 bottom-17 z-30 w-72 max-w-[calc(100vw-24px)] overflow-hidden rounded-lg border border-line bg-raised shadow-float sm:right-4 sm:bottom-4"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex h-9 w-full items-center justify-between px-3 text-13 font-medium hover:bg-hover"
      >
        {summary.join(', ')}
        {isOpen ? <ChevronDown size={15} aria-hidden /> : <ChevronUp size={15} aria-hidden />}
      </button>
      {isOpen && running.slice(0, MAX_SHOWN).map((job) => <TrayJob key={job.id} job={job} />)}
    </aside>
  );
}

function TrayJob({ job }: { readonly job: Job }) {
  const { shell } = useMessages();
  const { progress, preview } = useJobProgress(job.id);
  const cancel = () => {
    atelier.jobs.cancel([job.id]).catch(tellError);
  };
  return (
    <div className="flex items-center gap-3 border-t border-line px-3 py-2">
      <div className="size-11 shrink-0 overflow-hidden rounded-sm bg-canvas">
        {preview !== undefined && <img src={preview} alt="" className="size-full object-cover" />}
      </div>
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <Link to="/jobs/$jobId" params={{ jobId: job.id }} className="truncate hover:underline">
          <JobState status={job.status} />
        </Link>
        <ProgressBar fraction={progress?.fraction} label={shell.running(1)} />
      </div>
      <IconButton size="sm" label={shell.cancelJob} icon={<X size={15} aria-hidden />} onClick={cancel} />
    </div>
  );
}
