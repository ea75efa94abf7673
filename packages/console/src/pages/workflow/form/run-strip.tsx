import { useQuery } from '@tanstack/react-query';

import { useFormat, useMessages } from '../../../i18n/i18n.tsx';
import { JobState } from '../../../ui/job-state.tsx';
import { useWorkflowModel } from '../workflow-model.ts';
import { runsQuery } from '../workflow-queries.ts';
import { JobPicture } from './job-picture.tsx';

interface Props {
  /** The run to compare with; while set, the strip selects it. */
  readonly comparedId: string | undefined;
  readonly onCompare: (jobId: string) => void;
}

/** Earlier runs of this workflow, the newest first. */
export function RunStrip({ comparedId, onCompare }: Props) {
  const { workflow: texts } = useMessages();
  const format = useFormat();
  const { name, currentJobId, show } = useWorkflowModel();
  const { data: runs = [] } = useQuery(runsQuery(name));
  if (runs.length < 2) return null;
  return (
    <div className="min-w-0">
      <h2 className="mb-2 text-13 font-medium text-muted">
        {comparedId === undefined ? texts.earlier : texts.compareWith}
      </h2>
      <ul className="scroll-quiet flex gap-1.5 overflow-x-auto p-0.5 pb-2">
        {runs.map((job) => {
          return (
            <li key={job.id} className="shrink-0">
              <button
                type="button"
                aria-label={texts.showRun(format.relative(job.create_time))}
                aria-pressed={job.id === (comparedId ?? currentJobId)}
                onClick={() => (comparedId === undefined ? show : onCompare)(job.id)}
                className="relative flex size-20 items-center justify-center overflow-hidden rounded-md border border-line bg-surface hover:border-edge aria-pressed:border-accent aria-pressed:outline aria-pressed:outline-accent"
              >
                <JobPicture job={job} size={256}>
                  <JobState status={job.status} isIconOnly />
                </JobPicture>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
