import type { Job } from '@atelier/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ban, Ellipsis, Pencil, RotateCw } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { useJobProgress } from '../../live/job-progress.ts';
import { isActive } from '../../live/job-query.ts';
import { ShortId } from '../../ui/copy.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { JobState } from '../../ui/job-state.tsx';
import { JobThumbnail } from '../../ui/job-thumbnail.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Checkbox } from '../../ui/switch.tsx';
import { Elapsed, RelativeTime } from '../../ui/times.tsx';
import { failureOf } from '../job/job-failure.ts';
import { useJobActions } from '../job/use-job-actions.ts';

interface Props {
  readonly job: Job;
  readonly isSelected: boolean;
  /** Whether this row has the focus: only then are its controls tab stops. */
  readonly isCurrent: boolean;
  readonly onToggle: () => void;
}

/** The cells of a job. */
export function JobRow({ job, isSelected, isCurrent, onToggle }: Props) {
  const { jobs: texts } = useMessages();
  const name = job.workflow_name ?? texts.untitled;
  const tabIndex = isCurrent ? 0 : -1;
  const isRunning = job.status === 'in_progress';
  const { progress, preview } = useJobProgress(isRunning ? job.id : undefined);
  const { execution_start_time: start, execution_end_time: end } = job;
  const duration = start !== undefined && (isRunning || end !== undefined) && (
    <Elapsed from={start} to={isRunning ? undefined : end} />
  );
  return (
    <>
      <div role="gridcell" className="relative z-1 flex items-center self-stretch pl-3">
        <Checkbox isOn={isSelected} onValue={onToggle} label={texts.select(name)} tabIndex={tabIndex} />
      </div>
      <div role="gridcell" className="size-12 overflow-hidden rounded-sm">
        <JobThumbnail job={job} preview={preview} />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-col gap-0.5">
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          tabIndex={tabIndex}
          title={name}
          // A click anywhere in the row opens the job.
          className="truncate font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        <div className="flex min-w-0 items-center gap-2 text-13 text-muted md:hidden">
          <JobState status={job.status} />
          <span aria-hidden>·</span>
          <RelativeTime at={job.create_time} />
        </div>
        <div className="hidden min-w-0 items-center gap-2 text-13 text-muted md:flex">
          <About job={job} />
        </div>
      </div>
      <div role="gridcell" className="hidden min-w-0 flex-col gap-1.5 pr-4 md:flex">
        <JobState status={job.status} />
        {isRunning && <ProgressBar fraction={progress?.fraction} label={texts.progress} />}
      </div>
      <div role="gridcell" className="hidden text-right text-13 text-muted tabular-nums md:block">
        {duration}
      </div>
      <div role="gridcell" className="hidden text-right text-13 text-muted md:block">
        <RelativeTime at={job.create_time} />
      </div>
      <div role="gridcell" className="relative z-1 flex justify-end pr-2">
        <RowMenu job={job} name={name} tabIndex={tabIndex} />
      </div>
    </>
  );
}

/** The reason of a failure, else tags; the id if there is room. */
function About({ job }: { readonly job: Job }) {
  const failure = failureOf(job);
  return (
    <>
      {failure && <span className="truncate">{failure.sentence}</span>}
      {!failure &&
        job.tags?.slice(0, 3).map((tag) => (
          <span key={tag} className="max-w-40 truncate rounded-sm border border-line px-1.5 text-12">
            {tag}
          </span>
        ))}
      {!failure && job.tags === undefined && (
        <span className="relative z-1 flex">
          <ShortId id={job.id} tabIndex={-1} />
        </span>
      )}
    </>
  );
}

function RowMenu({
  job,
  name,
  tabIndex,
}: {
  readonly job: Job;
  readonly name: string;
  readonly tabIndex: number;
}) {
  const { jobs: texts } = useMessages();
  const navigate = useNavigate();
  const { cancel, runAgain } = useJobActions();
  return (
    <Menu
      trigger={
        <IconButton
          label={texts.actionsOf(name)}
          icon={<Ellipsis size={16} aria-hidden />}
          tabIndex={tabIndex}
        />
      }
      groups={[
        [
          {
            label: texts.runAgain,
            icon: <RotateCw size={15} aria-hidden />,
            onSelect: () => runAgain(job.id),
          },
          {
            label: texts.runWithChanges,
            icon: <Pencil size={15} aria-hidden />,
            onSelect: () => void navigate({ to: '/workflows/open', search: { job: job.id } }),
          },
        ],
        isActive(job)
          ? [
              {
                label: texts.cancel,
                icon: <Ban size={15} aria-hidden />,
                isDangerous: true,
                onSelect: () => void cancel([job.id]),
              },
            ]
          : [],
      ]}
    />
  );
}
