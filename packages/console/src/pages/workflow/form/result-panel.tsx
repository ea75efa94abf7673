import type { JobDetail, JobOutput } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { ImageIcon } from 'lucide-react';
import { useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { isActive as isActiveJob, jobQuery } from '../../../live/job-query.ts';
import { BeforeAfter } from '../../../ui/before-after.tsx';
import { cx } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { useWorkflowModel } from '../workflow-model.ts';
import { outputsQuery } from '../workflow-queries.ts';
import { FailedRun } from './failed-run.tsx';
import { MediaView, mediaKindOf, TextView } from './media-view.tsx';
import { OutputThumbnail } from './output-thumbnail.tsx';
import { ResultActions } from './result-actions.tsx';
import { RunProgress } from './run-progress.tsx';
import { RunStrip } from './run-strip.tsx';

/** A fixed size, so that nothing jumps when a picture arrives. */
const STAGE =
  'relative flex h-[clamp(260px,calc(100dvh-21rem),860px)] items-center justify-center overflow-hidden rounded-md border border-line bg-surface';

/** The latest result large, and earlier ones in a strip. */
export function ResultPanel() {
  const { workflow: texts } = useMessages();
  const { currentJobId, jobIds } = useWorkflowModel();
  const [chosenId, setCompared] = useState<string>();
  const comparedId = chosenId === currentJobId ? undefined : chosenId;
  const others = jobIds.filter((id) => id !== currentJobId);
  return (
    <section aria-label={texts.result} className="flex min-w-0 flex-col gap-3">
      {currentJobId === undefined ? (
        <EmptyStage />
      ) : (
        <Run
          key={currentJobId}
          jobId={currentJobId}
          comparedId={comparedId}
          others={others}
          onCompare={setCompared}
        />
      )}
      <RunStrip comparedId={comparedId} onCompare={setCompared} />
    </section>
  );
}

function EmptyStage() {
  const { workflow: texts } = useMessages();
  const { source } = useWorkflowModel();
  return (
    <div className={STAGE}>
      {source.picture !== undefined && (
        <img src={source.picture} alt="" className="size-full object-contain" />
      )}
      <p
        className={cx(
          'flex items-center gap-2 text-13 text-muted',
          source.picture !== undefined &&
            'absolute bottom-3 rounded-md border border-line bg-raised px-3 py-1.5',
        )}
      >
        <ImageIcon size={16} aria-hidden className="text-faint" />
        {source.picture === undefined ? texts.noResult : texts.exampleResult}
      </p>
    </div>
  );
}

interface RunProps {
  readonly jobId: string;
  readonly comparedId: string | undefined;
  readonly others: readonly string[];
  readonly onCompare: (jobId: string | undefined) => void;
}

function Run({ jobId, comparedId, others, onCompare }: RunProps) {
  const { workflow: texts } = useMessages();
  const { live } = useWorkflowModel();
  const { data: job } = useQuery(jobQuery(jobId));
  const { data: outputs = [] } = useQuery(outputsQuery(jobId));
  const [chosen, setChosen] = useState<string>();
  const isActive = job === undefined ? live.state !== 'ended' : isActiveJob(job) && live.state !== 'ended';
  const shown = outputs.find(({ id }) => id === chosen) ?? bestOf(outputs);
  const total = job ? Object.keys(job.workflow.prompt).length : 1;
  return (
    <>
      <div className={STAGE}>
        {comparedId !== undefined && shown && !isActive ? (
          <Compared output={shown} jobId={comparedId} />
        ) : (
          <Stage job={job} output={shown} isActive={isActive} />
        )}
        {isActive && job !== undefined && <RunProgress jobId={jobId} total={total} />}
      </div>
      {outputs.length > 1 && (
        <ul aria-label={texts.outputs} className="scroll-quiet flex gap-1.5 overflow-x-auto p-0.5">
          {outputs.map((output) => (
            <li key={output.id} className="shrink-0">
              <button
                type="button"
                aria-label={texts.showOutput(output.name)}
                aria-pressed={output === shown}
                onClick={() => setChosen(output.id)}
                className="block size-14 overflow-hidden rounded-md border border-line aria-pressed:border-accent aria-pressed:outline aria-pressed:outline-accent"
              >
                <OutputThumbnail id={output.id} type={output.type} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <ResultActions
        jobId={jobId}
        output={isActive ? undefined : shown}
        others={others}
        comparedId={comparedId}
        onCompare={onCompare}
      />
    </>
  );
}

interface StageProps {
  readonly job: JobDetail | undefined;
  readonly output: JobOutput | undefined;
  readonly isActive: boolean;
}

function Stage({ job, output, isActive }: StageProps) {
  const { workflow: texts } = useMessages();
  const { live } = useWorkflowModel();
  if (output && !(isActive && live.preview)) return <MediaView output={output} />;
  if (live.preview) {
    return (
      <img src={live.preview.url} alt="" className={cx('size-full object-contain', isActive && 'pb-11')} />
    );
  }
  if (isActive) return <Skeleton className="absolute inset-0 rounded-none" />;
  if (job?.status === 'failed') return <FailedRun job={job} />;
  if (job?.status === 'cancelled') return <p className="text-muted">{texts.cancelled}</p>;
  const text = job && textsOf(job);
  if (text !== undefined) return <TextView text={text} label={texts.text} />;
  return <p className="text-muted">{job ? texts.noFiles : ''}</p>;
}

function Compared({ output, jobId }: { readonly output: JobOutput; readonly jobId: string }) {
  const { workflow: texts } = useMessages();
  const { data: others = [] } = useQuery(outputsQuery(jobId));
  const other = others.find(({ type }) => mediaKindOf(type) === 'picture');
  if (!other) return <MediaView output={output} />;
  return (
    <BeforeAfter
      before={{ src: other.url, label: other.name }}
      after={{ src: output.url, label: texts.thisResult }}
      label={texts.compareLabel}
      maxHeight="clamp(260px, calc(100dvh - 21rem), 860px)"
    />
  );
}

/** Saved files come before previews. */
function bestOf(outputs: readonly JobOutput[]): JobOutput | undefined {
  return outputs.find(({ type }) => ['picture', 'video'].includes(mediaKindOf(type))) ?? outputs[0];
}

/** Nodes that show text put it into `text`. */
function textsOf({ outputs = {} }: JobDetail): string | undefined {
  const texts = Object.values(outputs).flatMap((output) => {
    const { text } = (output ?? {}) as { text?: unknown };
    return Array.isArray(text) ? text.map(String) : [];
  });
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}
