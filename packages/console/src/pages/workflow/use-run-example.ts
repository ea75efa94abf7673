import { type ExampleWorkflow, WorkflowRefusedError } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { readStored, runWhenOpened, store } from './open-workflows.ts';

const RUNNING = ['run an example'];

/** Runs an example unchanged, and shows its progress. */
export function useRunExample() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const running = useMutation({
    mutationKey: RUNNING,
    mutationFn: async ({ name, title }: ExampleWorkflow) => {
      const workflow = await atelier.workflows.example(name);
      const { id } = await atelier.jobs.submit(workflow, {
        workflowName: title,
        extraData: { extra_pnginfo: { workflow } },
      });
      const jobIds = [id, ...(readStored(`example ${name}`)?.jobIds ?? [])];
      store(`example ${name}`, { name: title, json: undefined, jobIds });
    },
    onSuccess: async (_, { name }) => {
      await navigate({ to: '/workflows/open', search: { example: name } });
      await queryClient.invalidateQueries({ queryKey: ['jobs'] });
    },
    onError: async (error, { name }) => {
      if (!(error instanceof WorkflowRefusedError)) return showErrorToast(error);
      // Its page shows the input with the problem.
      runWhenOpened(`example ${name}`);
      await navigate({ to: '/workflows/open', search: { example: name } });
    },
  });
  return {
    run(example: ExampleWorkflow) {
      // The second click of a double click arrives before the button is disabled.
      if (queryClient.isMutating({ mutationKey: RUNNING }) === 0) running.mutate(example);
    },
    /** The example being submitted. */
    busy: running.isPending ? running.variables.name : undefined,
  };
}
