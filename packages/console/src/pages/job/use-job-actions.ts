import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { readAgain } from '../../live/read-again.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { tell, tellError } from '../../ui/toasts.tsx';

/** As many as one request cancels. */
const CANCEL_AT_ONCE = 100;

async function cancelAll(ids: readonly string[]): Promise<number> {
  let cancelled = 0;
  for (let from = 0; from < ids.length; from += CANCEL_AT_ONCE) {
    cancelled += (await atelier.jobs.cancel(ids.slice(from, from + CANCEL_AT_ONCE))).length;
  }
  return cancelled;
}

/** Submits what a job ran, under the same name, with the same tags, for the same workers. */
async function submitAgain(id: string): Promise<string> {
  const { workflow, workflow_name, workflow_id, tags } = await atelier.jobs.get(id, { isExact: true });
  const { worker_labels: labels, ...extraData } = workflow.extra_data;
  const job = await atelier.jobs.submit(workflow.prompt, {
    workflowName: workflow_name,
    workflowId: workflow_id,
    tags,
    labels: Array.isArray(labels) ? labels.map(String) : undefined,
    extraData,
  });
  return job.id;
}

/** Cancels jobs and runs them again, and says what became of it. */
export function useJobActions() {
  const { jobs: texts } = useMessages();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const cancelling = useMutation({
    mutationFn: cancelAll,
    onSuccess: (count) => tell(texts.cancelled(count)),
    onError: tellError,
    onSettled: (_, __, ids) => {
      for (const id of ids) readAgain(id);
    },
  });
  const running = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const made: string[] = [];
      // One after the other, the oldest first, so that they stand in the queue as they did.
      for (const id of ids.toReversed()) made.push(await submitAgain(id));
      return made;
    },
    onSuccess: (made) => tell(texts.ranAgain(made.length)),
    onError: tellError,
    onSettled: () => readAgain(),
  });
  return {
    isCancelling: cancelling.isPending,
    isRunningAgain: running.isPending,
    /** Gives whether they were cancelled. */
    async cancel(ids: readonly string[]): Promise<boolean> {
      const question = {
        title: texts.cancelQuestion(ids.length),
        description: texts.cancelLoss(ids.length),
        action: texts.cancelMany(ids.length),
      };
      if (ids.length === 0 || !(await confirm(question))) return false;
      return await cancelling.mutateAsync(ids).then(
        () => true,
        () => false,
      );
    },
    runManyAgain: (ids: readonly string[]) => running.mutate(ids),
    /** Shows the new job. */
    runAgain: (id: string) =>
      running.mutate([id], {
        onSuccess: ([jobId]) => {
          if (jobId !== undefined) void navigate({ to: '/jobs/$jobId', params: { jobId } });
        },
      }),
  };
}
