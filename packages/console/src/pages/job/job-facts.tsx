import type { JobDetail, JobTimeline } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { ShortId } from '../../ui/copy.tsx';
import { JobState } from '../../ui/job-state.tsx';
import { Elapsed, RelativeTime } from '../../ui/times.tsx';

interface Props {
  readonly job: JobDetail;
  readonly timeline: JobTimeline | undefined;
}

/** State, duration, user, worker and the rest, on one line if it fits. */
export function JobFacts({ job, timeline }: Props) {
  const { jobs: texts } = useMessages();
  const format = useFormat();
  const { email } = useMe();
  const { execution_start_time: start, execution_end_time: end } = job;
  const isRunning = job.status === 'in_progress';
  return (
    <dl aria-label={texts.details} className="mb-5 flex flex-wrap gap-x-8 gap-y-3">
      <Fact name={texts.state}>
        <JobState status={job.status} />
      </Fact>
      {start !== undefined && (isRunning || end !== undefined) && (
        <Fact name={texts.duration}>
          <Elapsed from={start} to={isRunning ? undefined : end} />
        </Fact>
      )}
      <Fact name={texts.submitted}>
        <RelativeTime at={job.create_time} />
      </Fact>
      {timeline && timeline.waiting_ms >= 1000 && job.status !== 'pending' && (
        <Fact name={texts.waited}>{format.duration(timeline.waiting_ms)}</Fact>
      )}
      <Fact name={texts.who}>{email}</Fact>
      {timeline?.worker !== undefined && <Fact name={texts.worker}>{timeline.worker}</Fact>}
      {timeline && timeline.attempt > 1 && <Fact name={texts.attempts}>{timeline.attempt}</Fact>}
      {job.tags && (
        <Fact name={texts.tags}>
          <span className="flex flex-wrap gap-1">
            {job.tags.map((tag) => (
              <Link
                key={tag}
                to="/jobs"
                search={{ tag }}
                className="max-w-48 truncate rounded-sm border border-line bg-surface px-1.5 text-12 hover:border-edge"
              >
                {tag}
              </Link>
            ))}
          </span>
        </Fact>
      )}
      <Fact name={texts.id}>
        <ShortId id={job.id} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-12 text-muted">{name}</dt>
      <dd className="flex min-h-5 min-w-0 items-center text-13 wrap-anywhere">{children}</dd>
    </div>
  );
}
