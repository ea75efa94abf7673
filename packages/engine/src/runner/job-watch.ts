import type { ExecutionErrorData } from '@atelier/contracts';
import type { ShownOutput } from '../cache/result-cache.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { Outcome } from '../execute/run-graph.ts';
import type { Graph } from '../graph.ts';
import { parseJson } from '../parse-prompt.ts';
import type { RunnerJob } from './runner-messages.ts';

/**
 * Follows a job by its events, so that it has a proper end even when its process has none: the messages a watcher would
 * have got, and the outputs that were made.
 */
export interface JobWatch {
  event(event: EngineEvent): void;
  done(outcome: Outcome): Outcome;
  interrupted(): Outcome;
  /** The next end is a failure for running too long. */
  overTime(limitMs: number): void;
  overMemory(limitBytes: number): Outcome;
  outOfHeap(): Outcome;
  died(error: Error): Outcome;
}

export function createJobWatch(job: RunnerJob, emit: (event: EngineEvent) => void): JobWatch {
  const executed = new Set<string>();
  // Without a prototype: node ids may be any text.
  const outputs = Object.create(null) as Record<string, ShownOutput['output']>;
  let current = { id: '', realId: '' };
  let tooLong: string | undefined;
  let ended = false;
  /** It is told with the outcome: the process may still end before that. */
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
    event(event) {
      if (ended || last) return;
      if (event.type === 'node_progress') {
        const { node_id, real_node_id, state } = event.data;
        if (state === 'running') current = { id: node_id, realId: real_node_id };
        if (state === 'finished') executed.add(node_id);
      }
      if (event.type === 'executed' && event.data.output) outputs[event.data.node] = event.data.output;
      // A job that was stopped for its time says so itself, in `done`.
      if (event.type === 'execution_interrupted' && tooLong !== undefined) return;
      if (isLast(event)) last = event;
      else emit(event);
    },
    done(outcome) {
      if (outcome.status === 'interrupted' && tooLong !== undefined)
        return { ...outcome, ...fail('TimeoutError', tooLong) };
      if (last && !ended) emit(last);
      ended = true;
      return outcome;
    },
    interrupted() {
      if (tooLong !== undefined) return fail('TimeoutError', tooLong);
      if (!ended) emit({ type: 'execution_interrupted', data: { ...about(), timestamp: Date.now() } });
      ended = true;
      return partial('interrupted');
    },
    overTime(limitMs) {
      tooLong = `The job ran longer than the maximum execution time of ${Math.round(limitMs / 1000)} seconds.`;
    },
    overMemory(limitBytes) {
      return fail(
        'OOMError',
        `The job took more than its memory limit of ${Math.round(limitBytes / 2 ** 20)} MB.`,
      );
    },
    outOfHeap: () =>
      fail(
        'OOMError',
        'The job ran out of memory. Use smaller pictures, smaller batches or a smaller graph.',
      ),
    died: (error) => fail('PanicError', `The process of the job failed: ${error.message}`),
  };
}

/** An error without a time is of one output, and the job goes on. */
function isLast(event: EngineEvent): boolean {
  if (event.type === 'execution_error') return event.data.timestamp !== undefined;
  return event.type === 'execution_success' || event.type === 'execution_interrupted';
}
