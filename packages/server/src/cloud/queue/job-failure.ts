import type { ExecutionErrorData } from '@atelier/contracts';

/** The `execution_error` of a job that failed outside of its nodes. */
export function jobFailure(
  jobId: string,
  failure: Pick<ExecutionErrorData, 'exception_type' | 'exception_message' | 'timestamp'> &
    Partial<ExecutionErrorData>,
): ExecutionErrorData {
  return {
    prompt_id: jobId,
    node_id: '',
    node_type: '',
    executed: [],
    traceback: [],
    current_inputs: {},
    current_outputs: [],
    ...failure,
  };
}
