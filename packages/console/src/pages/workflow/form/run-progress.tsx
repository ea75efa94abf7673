import { X } from 'lucide-react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useWorkflowModel } from '../workflow-model.ts';

/** The progress of the shown job: the running node, its step and a thin bar. It overlays the result. */
export function RunProgress({ jobId, total }: { readonly jobId: string; readonly total: number }) {
  const { workflow: texts } = useMessages();
  const { live, nodeOf, cancel } = useWorkflowModel();
  const node = live.nodeId === undefined ? undefined : live.nodes.get(live.nodeId);
  const title = live.nodeId === undefined ? undefined : (nodeOf(live.nodeId)?.title ?? live.nodeId);
  const done = [...live.nodes.values()].filter(({ state }) => state !== 'running').length;
  const part = node?.state === 'running' && node.max > 0 ? node.value / node.max : 0;
  const isWaiting = live.state === 'waiting';
  const words = isWaiting ? (live.message ?? texts.waiting) : (title ?? texts.starting);
  return (
    <div className="absolute inset-x-0 bottom-0 border-t border-line bg-raised">
      <ProgressBar
        fraction={isWaiting ? undefined : Math.min(1, (done + part) / Math.max(total, done, 1))}
        label={texts.progress}
      />
      <div className="flex h-10 items-center gap-3 pr-1.5 pl-3 text-13">
        <p role="status" className="min-w-0 truncate font-medium">
          {words}
        </p>
        {node && node.max > 1 && (
          <span className="text-muted tabular-nums">{texts.step(node.value, node.max)}</span>
        )}
        <Button
          size="sm"
          look="quiet"
          className="ml-auto"
          icon={<X size={14} aria-hidden />}
          onClick={() => cancel(jobId)}
        >
          {texts.cancelRun}
        </Button>
      </div>
    </div>
  );
}
