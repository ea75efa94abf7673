import type { JobEvent } from './job-events.ts';

export interface JobProgress {
  /** From 0 to 1. */
  readonly fraction: number;
  readonly nodesDone: number;
  readonly nodesTotal: number;
  /** The node that is running now. */
  readonly node: { readonly id: string; readonly value: number; readonly max: number } | undefined;
  /** The server's message while the job is waiting. */
  readonly message: string | undefined;
  readonly attempt: number;
}

/** Tracks the progress of a job from its events. A new attempt starts at 0. */
export function createProgressTracker(nodesTotal = 1) {
  let done = new Set<string>();
  let node: JobProgress['node'];
  let message: string | undefined;
  let attempt = 1;
  let lastText = '';

  function note(event: JobEvent): boolean {
    const { type, data } = event;
    if (type === 'execution_start') {
      done = new Set();
      node = undefined;
      message = undefined;
    } else if (type === 'execution_cached') for (const id of data.nodes) done.add(id);
    else if (type === 'executing') node = { id: data.node, value: 0, max: 1 };
    else if (type === 'progress') node = { id: data.node, value: data.value, max: data.max };
    else if (type === 'notification') message = data.value;
    else if (type === 'progress_state') {
      for (const one of Object.values(data.nodes)) if (one.state === 'finished') done.add(one.real_node_id);
    } else return false;
    return true;
  }

  function present(nodesInJob = nodesTotal): JobProgress {
    const isCounted = node !== undefined && done.has(node.id);
    const part = node && !isCounted && node.max > 0 ? node.value / node.max : 0;
    const total = Math.max(nodesInJob, done.size, 1);
    const fraction = Math.min(1, (done.size + part) / total);
    return { fraction, nodesDone: done.size, nodesTotal: total, node, message, attempt };
  }

  function news(progress: JobProgress): JobProgress | undefined {
    const text = JSON.stringify(progress);
    if (text === lastText) return undefined;
    lastText = text;
    return progress;
  }

  return {
    /** The progress after this event; `undefined` if nothing has changed. */
    after(event: JobEvent): JobProgress | undefined {
      attempt = event.attempt;
      return note(event) ? news(present()) : undefined;
    },
    /** The current progress, for callers that learn the number of nodes later. */
    present,
    finished(): JobProgress | undefined {
      const total = Math.max(nodesTotal, done.size, 1);
      const whole = { fraction: 1, nodesDone: total, nodesTotal: total };
      return news({ ...whole, node: undefined, message: undefined, attempt });
    },
  };
}
