import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { refreshQueries } from '../../live/refresh-queries.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';

/** How many jobs one request cancels. */
const CANCEL_BATCH_SIZE = 100;

async function cancelAll(ids: readonly string[]): Promise<number> {
  let cancelled = 0;
  for (let from = 0; from < ids.length; from += CANCEL_BATCH_SIZE) {
    cancelled += (await atelier.jobs.cancel(ids.slice(from, from + CANCEL_BATCH_SIZE))).length;
  }
  return cancelled;
}

/** Submits the workflow of a job again, with the same name, tags and labels. */
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

/** Cancels jobs or runs them again, and reports the result. */
export function useJobActions() {
  const { jobs: texts } = useMessages();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const cancelling = useMutation({
    mutationFn: cancelAll,
    onSuccess: (count) => showToast(texts.cancelled(count)),
    onError: showErrorToast,
    onSettled: (_, __, ids) => {
      for (const id of ids) refreshQueries(id);
    },
  });
  const running = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const made: string[] = [];
      // One after the other, the oldest first, to keep their order in the queue.
      for (const id of ids.toReversed()) made.push(await submitAgain(id));
      return made;
    },
    onSuccess: (made) => showToast(texts.ranAgain(made.length)),
    onError: showErrorToast,
    onSettled: () => refreshQueries(),
  });
  return {
    isCancelling: cancelling.isPending,
    isRunningAgain: running.isPending,
    /** Returns whether they were cancelled. */
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
