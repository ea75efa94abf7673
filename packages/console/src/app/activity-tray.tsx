import type { Job } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { useActiveJobs } from '../live/active-jobs.ts';
import { useJobProgress } from '../live/job-progress.ts';
import { isActive, jobQuery } from '../live/job-query.ts';
import { recentlyEnded } from '../live/live-jobs.ts';
import { useJobActions } from '../pages/job/use-job-actions.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { JobState } from '../ui/job-state.tsx';
import { JobThumbnail } from '../ui/job-thumbnail.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';

const MAX_RUNNING = 3;
const MAX_ENDED = 2;
const STORAGE_KEY = 'atelier.tray';

/** Open by default where there is room, unless the user has decided otherwise. */
function startsOpen(): boolean {
  const stored = localStorage.getItem(STORAGE_KEY);
  return stored === null ? matchMedia('(min-width: 860px)').matches : stored === 'open';
}

/**
 * Running and recently ended jobs, on every page: picture, progress and a cancel button. On a phone it is a line above the page, so
 * that it never covers the content.
 */
export function ActivityTray() {
  const { shell } = useMessages();
  const { data: active = [] } = useActiveJobs();
  const ended = recentlyEnded.use();
  const [isOpen, setOpen] = useState(startsOpen);
  const jobs = active.filter(({ id }) => !ended.includes(id));
  if (jobs.length + ended.length === 0) return null;
  const running = jobs.filter(({ status }) => status === 'in_progress');
  const waiting = jobs.length - running.length;
  const summary = [
    running.length > 0 && shell.running(running.length),
    waiting > 0 && shell.waiting(waiting),
    jobs.length === 0 && shell.finished(ended.length),
  ].filter((part) => part !== false);
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, isOpen ? 'closed' : 'open');
    setOpen(!isOpen);
  };
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <aside
      aria-label={shell.activity}
      className="overflow-hidden border-b border-line bg-raised sm:fixed sm:right-4 sm:bottom-4 sm:z-30 sm:w-80 sm:rounded-lg sm:border sm:shadow-float"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex h-9 w-full items-center justify-between px-4 text-13 font-medium hover:bg-hover focus-visible:-outline-offset-2 sm:px-3"
      >
        {summary.join(', ')}
        <Chevron size={15} aria-hidden className="text-muted max-sm:rotate-180" />
      </button>
      {isOpen && (
        <ul>
          {ended.slice(0, MAX_ENDED).map((id) => (
            <EndedJob key={id} id={id} />
          ))}
          {running.slice(0, MAX_RUNNING).map((job) => (
            <RunningJob key={job.id} job={job} />
          ))}
        </ul>
      )}
    </aside>
  );
}

function RunningJob({ job }: { readonly job: Job }) {
  const { shell, jobs: texts } = useMessages();
  const { progress, preview } = useJobProgress(job.id);
  const { cancel, isCancelling } = useJobActions();
  return (
    <Entry
      job={job}
      preview={preview}
      action={
        <IconButton
          size="sm"
          label={shell.cancelJob}
          disabled={isCancelling}
          icon={<X size={15} aria-hidden />}
          onClick={() => void cancel([job.id])}
        />
      }
    >
      <ProgressBar fraction={progress?.fraction} label={texts.progress} />
    </Entry>
  );
}

function EndedJob({ id }: { readonly id: string }) {
  const { data: job } = useQuery(jobQuery(id));
  // The event of its end may arrive before the job itself is refetched.
  if (!job || isActive(job)) return null;
  return (
    <Entry job={job}>
      <JobState status={job.status} />
    </Entry>
  );
}

interface EntryProps {
  readonly job: Job;
  readonly preview?: string | undefined;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

function Entry({ job, preview, children, action }: EntryProps) {
  const { jobs: texts } = useMessages();
  return (
    <li className="flex items-center gap-3 border-t border-line px-4 py-2 sm:px-3">
      <div className="size-11 shrink-0 overflow-hidden rounded-sm">
        <JobThumbnail job={job} preview={preview} />
      </div>
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          className="truncate text-13 font-medium hover:underline"
        >
          {job.workflow_name ?? texts.untitled}
        </Link>
        {children}
      </div>
      {action}
    </li>
  );
}
