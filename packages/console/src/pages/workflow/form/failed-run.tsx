import type { JobDetail } from '@atelier/sdk';
import { CircleX } from 'lucide-react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { useWorkflowModel } from '../workflow-model.ts';

/** Why a job failed: the message and its node. */
export function FailedRun({ job }: { readonly job: JobDetail }) {
  const { workflow: texts } = useMessages();
  const { nodeOf } = useWorkflowModel();
  const { exception_message: message, node_id: nodeId, node_type: nodeType } = job.execution_error ?? {};
  const node = typeof nodeId === 'string' ? (nodeOf(nodeId)?.title ?? String(nodeType)) : undefined;
  return (
    <div
      role="alert"
      className="scroll-quiet flex max-h-full max-w-xl flex-col items-center gap-3 overflow-y-auto p-6 text-center"
    >
      <CircleX size={24} aria-hidden className="text-failed" />
      <p className="font-medium text-failed">
        {texts.failed}
        {node !== undefined && `: ${node}`}
      </p>
      {typeof message === 'string' && <p className="whitespace-pre-wrap wrap-anywhere">{message}</p>}
      <ButtonLink to="/jobs/$jobId" params={{ jobId: job.id }}>
        {texts.openJob}
      </ButtonLink>
    </div>
  );
}
