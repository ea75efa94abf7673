import type { ExecutionErrorData } from '@atelier/contracts';
import type { ShownOutput } from '../cache/result-cache.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { Outcome } from '../execute/run-graph.ts';
import type { Graph } from '../graph.ts';
import { parseJson } from '../parse-prompt.ts';
import type { RunnerJob } from './runner-messages.ts';

export type JobWatch = ReturnType<typeof createJobWatch>;

/** Follows a job by its events, so that a job whose process dies still ends with its messages and the outputs it made. */
export function createJobWatch(job: RunnerJob, emit: (event: EngineEvent) => void) {
  const executed = new Set<string>();
  // No prototype, because node ids may be any text.
  const outputs = Object.create(null) as Record<string, ShownOutput['output']>;
  let current = { id: '', realId: '' };
  let tooLong: string | undefined;
  let ended = false;
  /** Emitted with the outcome, because the process may die before that. */
  let last: EngineEvent | undefined;

  function about() {
    const { [current.realId]: node } =
      typeof job.graph === 'string' ? (parseJson(job.graph) as Graph) : job.graph;
    const type = node?.class_type ?? '';
    return { prompt_id: job.jobId, node_id: current.realId, node_type: type, executed: [...executed] };
  }

  function partial(status: Outcome['status'], error?: ExecutionErrorData): Outcome {
    return { status, outputs, meta: {}, executed: [...executed], ...(error ? { error } : {}) };
  }

  function fail(exception_type: string, message: string): Outcome {
    const error: ExecutionErrorData = {
      ...about(),
      exception_message: `${message}\n`,
      exception_type,
      traceback: [],
      current_inputs: {},
      current_outputs: [],
      timestamp: Date.now(),
    };
    if (!ended) emit({ type: 'execution_error', data: error });
    ended = true;
    return partial('error', error);
  }

  return {
    event(event: EngineEvent): void {
      if (ended || last) return;
      if (event.type === 'node_progress') {
        const { node_id, real_node_id, state } = event.data;
        if (state === 'running') current = { id: node_id, realId: real_node_id };
        if (state === 'finished') executed.add(node_id);
      }
      if (event.type === 'executed' && event.data.output) outputs[event.data.node] = event.data.output;
      // `done` reports a job that ran too long.
      if (event.type === 'execution_interrupted' && tooLong !== undefined) return;
      if (isLast(event)) last = event;
      else emit(event);
    },
    done(outcome: Outcome): Outcome {
      if (outcome.status === 'interrupted' && tooLong !== undefined)
        return { ...outcome, ...fail('TimeoutError', tooLong) };
      if (last && !ended) emit(last);
      ended = true;
      return outcome;
    },
    interrupted(): Outcome {
      if (tooLong !== undefined) return fail('TimeoutError', tooLong);
      if (!ended) emit({ type: 'execution_interrupted', data: { ...about(), timestamp: Date.now() } });
      ended = true;
      return partial('interrupted');
    },
    /** The next end is a failure, because the job ran too long. */
    overTime(limitMs: number): void {
      tooLong = `The job ran longer than the maximum execution time of ${Math.round(limitMs / 1000)} seconds.`;
    },
    overMemory(limitBytes: number): Outcome {
      const limit = `${Math.round(limitBytes / 2 ** 20)} MB`;
      return fail('OOMError', `The job took more than its memory limit of ${limit}.`);
    },
    outOfHeap(): Outcome {
      const advice = 'Use smaller pictures, smaller batches or a smaller graph.';
      return fail('OOMError', `The job ran out of memory. ${advice}`);
    },
    died: (error: Error) => fail('PanicError', `The process of the job failed: ${error.message}`),
  };
}

/** An error without a time concerns one output, and the job goes on. */
function isLast(event: EngineEvent): boolean {
  if (event.type === 'execution_error') return event.data.timestamp !== undefined;
  return event.type === 'execution_success' || event.type === 'execution_interrupted';
}
