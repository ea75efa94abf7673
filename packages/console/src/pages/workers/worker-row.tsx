import type { Worker } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CirclePause, MoreHorizontal, ShieldAlert, Unplug } from 'lucide-react';
import { useState } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Meter } from '../../ui/meter.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useNow } from '../../ui/use-now.ts';
import { QuarantineDialog } from './quarantine-dialog.tsx';
import { useWorkerActions } from './use-worker-actions.ts';
import { WorkerModels } from './worker-models.tsx';

const STATES = {
  ready: { Icon: CircleCheck, color: 'text-done' },
  draining: { Icon: CirclePause, color: 'text-waiting' },
  quarantined: { Icon: ShieldAlert, color: 'text-failed' },
  away: { Icon: Unplug, color: 'text-cancelled' },
} as const satisfies Readonly<Record<Worker['state'], unknown>>;

const LONG_SILENCE_MS = 60_000;

export function WorkerRow({ worker }: { readonly worker: Worker }) {
  const { workers: texts } = useMessages();
  const { drain, release } = useWorkerActions(worker.id);
  const [isAsking, setAsking] = useState(false);
  const { Icon, color } =
    worker.problem === undefined ? STATES[worker.state] : { Icon: CircleAlert, color: 'text-failed' };
  const why = worker.problem ?? worker.reason;
  const isWorking = worker.state === 'ready';
  return (
    <li className="rounded-md border border-line bg-surface">
      <div className="relative flex flex-wrap items-start gap-x-6 gap-y-3 p-4">
        <div className="min-w-44 grow basis-56 max-sm:pr-24">
          <h2 className="truncate font-semibold">{worker.name}</h2>
          <p className={cx('flex items-center gap-1.5 text-13 font-medium', color)}>
            <Icon size={15} aria-hidden />
            {worker.problem === undefined ? texts.states[worker.state] : texts.problem}
          </p>
          {why !== undefined && <p className="mt-1 text-13 text-muted wrap-anywhere">{why}</p>}
          <p className="mt-1 text-12 text-muted">
            {worker.kind} {worker.version} · {texts.slotsOf(worker.slots)}
            {worker.jobs_today !== undefined && ` · ${texts.jobsToday(worker.jobs_today)}`}
            {worker.labels.length > 0 && ` · ${worker.labels.join(', ')}`}
          </p>
        </div>
        <Memory worker={worker} />
        <Running jobs={worker.jobs} />
        <div className="flex items-center gap-1 max-sm:absolute max-sm:top-3 max-sm:right-3">
          <WorkerModels worker={worker} />
          <Menu
            trigger={
              <IconButton
                label={texts.actionsOf(worker.name)}
                icon={<MoreHorizontal size={17} aria-hidden />}
              />
            }
            groups={[
              [
                { label: texts.drain, onSelect: () => drain.mutate(), disabled: !isWorking },
                { label: texts.release, onSelect: () => release.mutate(), disabled: isWorking },
              ],
              [
                {
                  label: texts.quarantine,
                  isDangerous: true,
                  disabled: worker.state === 'quarantined',
                  onSelect: () => setAsking(true),
                },
              ],
            ]}
          />
        </div>
      </div>
      <LastError errors={worker.errors} />
      <QuarantineDialog worker={worker} isOpen={isAsking} onClose={() => setAsking(false)} />
    </li>
  );
}

function Memory({ worker }: { readonly worker: Worker }) {
  const { workers: texts } = useMessages();
  const format = useFormat();
  const parts = [
    ...worker.gpus.map(({ name, memory_bytes, free_bytes }) => ({
      name,
      total: memory_bytes,
      free: free_bytes,
    })),
    ...(worker.ram ? [{ name: texts.ram, total: worker.ram.total_bytes, free: worker.ram.free_bytes }] : []),
  ];
  if (parts.length === 0) {
    return (
      <p className="basis-52 text-13 text-muted">
        {worker.memory_bytes > 0 ? texts.memoryOf(format.bytes(worker.memory_bytes)) : texts.noGpu}
      </p>
    );
  }
  return (
    <div className="flex min-w-44 basis-52 flex-col gap-2">
      {parts.map(({ name, total, free }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two cards of one kind have the same name.
        <div key={index} className="flex flex-col gap-1">
          <p className="truncate text-13">{name}</p>
          {free !== undefined && (
            <Meter fraction={1 - free / Math.max(1, total)} label={`${name}: ${texts.memory}`} />
          )}
          <p className="text-12 text-muted">
            {free === undefined ? format.bytes(total) : texts.freeOf(format.bytes(free), format.bytes(total))}
          </p>
        </div>
      ))}
    </div>
  );
}

function Running({ jobs }: { readonly jobs: Worker['jobs'] }) {
  const { workers: texts } = useMessages();
  return (
    <div className="min-w-40 basis-48 text-13">
      {jobs.length === 0 ? (
        <p className="text-muted">{texts.idle}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {jobs.map((job) => (
            <li key={job.job_id} className="truncate">
              <Link
                to="/jobs/$jobId"
                params={{ jobId: job.job_id }}
                className="font-mono text-12 text-accent hover:underline"
              >
                {job.job_id.slice(0, 8)}
              </Link>{' '}
              {job.node_type ?? texts.preparing}{' '}
              {job.heard_at !== undefined && <Silence since={Date.parse(job.heard_at)} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A node without progress for long may be loading a large model, or hanging. */
function Silence({ since }: { readonly since: number }) {
  const { workers: texts } = useMessages();
  const format = useFormat();
  const ms = useNow(20_000) - since;
  return ms < LONG_SILENCE_MS ? null : (
    <span className="text-waiting">{texts.silentFor(format.duration(ms))}</span>
  );
}

function LastError({ errors }: { readonly errors: Worker['errors'] }) {
  const { workers: texts } = useMessages();
  const [last] = errors;
  if (!last) return null;
  return (
    <details className="border-t border-line px-4 py-2 text-13">
      <summary className="truncate text-muted">
        {texts.lastError} <RelativeTime at={last.at} />: <span className="text-failed">{last.cause}</span>
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5">
        {errors.map((error) => (
          <li key={`${error.at} ${error.job_id}`} className="flex flex-wrap gap-x-3">
            <RelativeTime at={error.at} />
            <Link
              to="/jobs/$jobId"
              params={{ jobId: error.job_id }}
              className="font-mono text-12 leading-6 text-accent hover:underline"
            >
              {error.job_id.slice(0, 8)}
            </Link>
            <span className="min-w-0 wrap-anywhere">{error.message}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
