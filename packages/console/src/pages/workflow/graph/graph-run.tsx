import { Panel } from '@xyflow/react';
import { CircleX, Play, X } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useWorkflowModel } from '../workflow-model.ts';
import { EditorLink } from './editor-link.tsx';

/** Runs the current workflow, and shows progress and why it was rejected. */
export function GraphRun() {
  const { workflow: texts, graph } = useMessages();
  const { run, isSubmitting, failure, problems, nodeOf } = useWorkflowModel();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const missing = new Set(
    problems
      .filter(({ kind }) => kind === 'missing-type' || kind === 'missing-model')
      .map(({ nodeId }) => nodeId),
  );
  return (
    <Panel position="top-right" className="m-3! flex w-72 max-w-[calc(100%-24px)] flex-col items-end gap-2">
      <div className="flex gap-1 rounded-md border border-line bg-raised p-1 shadow-float">
        <EditorLink />
        <Button
          size="sm"
          look="primary"
          isBusy={isSubmitting}
          icon={<Play size={14} aria-hidden />}
          onClick={run}
        >
          {texts.run}
        </Button>
      </div>
      <RunState />
      {failure !== undefined && <Notice role="alert">{failure}</Notice>}
      {missing.size > 0 && (
        <Notice role="note">
          {graph.missingIn([...missing].map((id) => nodeOf(id)?.title ?? id).slice(0, 8))}
        </Notice>
      )}
    </Panel>
  );
}

function Notice({ role, children }: { readonly role: 'alert' | 'note'; readonly children: string }) {
  return (
    <div
      role={role}
      className="nopan flex w-full gap-2 rounded-md border border-failed bg-raised px-3 py-2 text-13 shadow-float"
    >
      <CircleX size={15} aria-hidden className="mt-0.5 shrink-0 text-failed" />
      <span className="line-clamp-6 min-w-0 wrap-anywhere select-text">{children}</span>
    </div>
  );
}

function RunState() {
  const { workflow: texts } = useMessages();
  const { live, currentJobId, jobIds, nodeOf, cancel } = useWorkflowModel();
  // An earlier run may be shown before one has been started here.
  if (currentJobId === undefined || jobIds.length === 0 || live.state === 'ended') return null;
  const node = live.nodeId === undefined ? undefined : live.nodes.get(live.nodeId);
  const title = live.nodeId === undefined ? undefined : (nodeOf(live.nodeId)?.title ?? live.nodeId);
  const isWaiting = live.state === 'waiting';
  return (
    <div className="w-full overflow-hidden rounded-md border border-line bg-raised shadow-float">
      <ProgressBar
        fraction={node?.state === 'running' && node.max > 1 ? node.value / node.max : undefined}
        label={texts.progress}
      />
      <div className="flex h-9 items-center gap-2 pr-1 pl-3 text-13">
        <p role="status" className="min-w-0 grow truncate">
          {isWaiting ? (live.message ?? texts.waiting) : (title ?? texts.starting)}
        </p>
        {node && node.max > 1 && (
          <span className="text-muted tabular-nums">{texts.step(node.value, node.max)}</span>
        )}
        <IconButton
          size="sm"
          label={texts.cancelRun}
          icon={<X size={14} aria-hidden />}
          onClick={() => cancel(currentJobId)}
        />
      </div>
    </div>
  );
}
