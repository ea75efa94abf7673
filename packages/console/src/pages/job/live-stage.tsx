import type { JobDetail } from '@atelier/sdk';
import { Clock, Image } from 'lucide-react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { useJobProgress } from '../../live/job-progress.ts';
import { Panel } from '../../ui/page.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { GraphNode } from './graph-nodes.ts';

/** The position in the queue, what the job is waiting for, and when it will start. */
export function WaitingStage({ job }: { readonly job: JobDetail }) {
  const { jobs: texts } = useMessages();
  const format = useFormat();
  const { queue_position: position, waiting_for: missing, estimated_start_in_ms: ms } = job;
  return (
    <Panel className="flex min-h-60 flex-col items-center justify-center gap-2 p-6 text-center">
      <Clock size={28} aria-hidden className="text-waiting" />
      {position !== undefined && <p className="text-16 font-medium">{texts.position(position)}</p>}
      <p className="max-w-lg text-muted wrap-anywhere">
        {missing === undefined ? texts.waitsForSlot : texts.waitsFor(missing)}
        {ms !== undefined && ` ${texts.startsIn(format.duration(ms))}`}
      </p>
    </Panel>
  );
}

interface RunningProps {
  readonly job: JobDetail;
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

/** The latest preview in place of the result, with the running node. */
export function RunningStage({ job, nodes }: RunningProps) {
  const { jobs: texts } = useMessages();
  const { progress, preview } = useJobProgress(job.id);
  const node = progress?.node;
  return (
    <Panel className="overflow-hidden">
      <div className="flex h-[min(62dvh,720px)] max-sm:h-[min(62dvh,100vw)] items-center justify-center bg-hover">
        {preview === undefined ? (
          <Image size={32} aria-hidden className="text-faint" />
        ) : (
          <img src={preview} alt={texts.preview} className="size-full object-contain" />
        )}
      </div>
      <ProgressBar fraction={progress?.fraction} label={texts.progress} />
      <div className="flex h-11 items-center justify-between gap-4 px-4 text-13">
        <span className="min-w-0 truncate font-medium">
          {node ? (nodes.get(node.id)?.title ?? texts.node(node.id)) : (progress?.message ?? texts.preparing)}
          {node && node.max > 1 && (
            <span className="ml-2 font-normal text-muted tabular-nums">
              {texts.step(node.value, node.max)}
            </span>
          )}
        </span>
        {progress && (
          <span className="shrink-0 text-muted tabular-nums">
            {texts.nodesDone(progress.nodesDone, progress.nodesTotal)}
          </span>
        )}
      </div>
    </Panel>
  );
}
