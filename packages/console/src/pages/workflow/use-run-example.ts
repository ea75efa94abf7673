import { type ExampleWorkflow, WorkflowRefusedError } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { tellError } from '../../ui/toasts.tsx';
import { keep, readKept, startOnceOpen } from './open-workflows.ts';

const RUNNING = ['run an example'];

/** Runs an example as it is, and shows how its picture appears. */
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
      const jobIds = [id, ...(readKept(`example ${name}`)?.jobIds ?? [])];
      keep(`example ${name}`, { name: title, json: undefined, jobIds });
    },
    onSuccess: async (_, { name }) => {
      await navigate({ to: '/workflows/open', search: { example: name } });
      await queryClient.invalidateQueries({ queryKey: ['jobs'] });
    },
    onError: async (error, { name }) => {
      if (!(error instanceof WorkflowRefusedError)) return tellError(error);
      // Its page shows at which input something is missing.
      startOnceOpen(`example ${name}`);
      await navigate({ to: '/workflows/open', search: { example: name } });
    },
  });
  return {
    run(example: ExampleWorkflow) {
      // The second click of a double click comes before the button can be disabled.
      if (queryClient.isMutating({ mutationKey: RUNNING }) === 0) running.mutate(example);
    },
    /** The one that is being submitted. */
    busy: running.isPending ? running.variables.name : undefined,
  };
}
