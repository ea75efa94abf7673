import { ChevronRight, CircleX } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import type { GraphNode } from './graph-nodes.ts';
import type { JobFailure } from './job-failure.ts';

interface Props {
  readonly failure: JobFailure;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly onNode: (id: string) => void;
}

/** The sentence first, then where, then what to try, then the traceback. */
export function FailurePanel({ failure, nodes, onNode }: Props) {
  const { jobs: texts } = useMessages();
  const { nodeId, traceback, advice } = failure;
  const nodeName =
    nodeId === undefined ? undefined : (nodes.get(nodeId)?.title ?? (failure.nodeType || nodeId));
  return (
    <div className="flex min-w-0 flex-col gap-4 rounded-md border border-failed/60 bg-surface p-4 sm:p-5">
      <div className="flex gap-3">
        <CircleX size={20} aria-hidden className="mt-0.5 shrink-0 text-failed" />
        <div className="min-w-0">
          <p role="alert" className="text-16 font-medium wrap-anywhere whitespace-pre-wrap">
            {failure.sentence}
          </p>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-13 text-muted">
            {nodeId !== undefined && (
              <>
                {texts.failedAt}
                <button
                  type="button"
                  onClick={() => onNode(nodeId)}
                  className="max-w-full truncate rounded-sm font-medium text-text underline underline-offset-2 hover:text-accent"
                >
                  {nodeName}
                </button>
              </>
            )}
            <span className="font-mono text-12 wrap-anywhere">{failure.type}</span>
          </p>
        </div>
      </div>
      <div>
        <h3 className="text-13 font-semibold">{texts.toTry}</h3>
        <p className="mt-1">{advice === 'node' ? texts.advice.node(nodeName ?? '') : texts.advice[advice]}</p>
      </div>
      {traceback !== '' && (
        <details className="group min-w-0">
          <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-13 font-medium text-muted hover:text-text">
            <ChevronRight size={15} aria-hidden className="transition-transform group-open:rotate-90" />
            {texts.traceback}
          </summary>
          <div className="mt-2">
            <CodeBlock code={traceback} label={texts.traceback} />
          </div>
        </details>
      )}
    </div>
  );
}
