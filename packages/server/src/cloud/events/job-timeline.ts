import type { EngineEvent } from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';

const MAX_NODES = 2000;
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 1000;

/** The stored record of an attempt. Times are milliseconds after `begunAt`. */
export interface JobTimeline {
  readonly attempt: number;
  readonly begunAt: number;
  readonly worker?: string | undefined;
  readonly nodes: readonly NodeTime[];
  /** How many nodes exceeded the limit. */
  readonly nodesLeftOut: number;
  readonly log: readonly LogLine[];
  readonly linesLeftOut: number;
}

interface NodeTime {
  readonly id: string;
  /** The node of the submitted graph that shows it, when it comes from an expansion. */
  readonly shownAt?: string;
  startedMs: number;
  /** Missing while the node runs, or if the job ended while it ran. */
  endedMs?: number;
  isCached?: true;
}

interface LogLine {
  readonly ms: number;
  readonly node?: string;
  readonly text: string;
}

interface Parts {
  readonly clock: Clock;
  readonly attempt: number;
  readonly worker: string | undefined;
}

/** Records when each node ran and what it printed. Stored together with the end of the job, so it needs no extra statement. */
export function createJobTimeline({ clock, attempt, worker }: Parts) {
  const begunAt = clock();
  const nodes = new Map<string, NodeTime>();
  const log: LogLine[] = [];
  let nodesLeftOut = 0;
  let linesLeftOut = 0;
  const elapsed = (): number => Math.max(0, clock() - begunAt);

  function nodeOf(id: string, shownAt = id): NodeTime | undefined {
    const known = nodes.get(id);
    if (known) return known;
    if (nodes.size >= MAX_NODES) {
      nodesLeftOut += 1;
      return undefined;
    }
    const made: NodeTime = { id, ...(shownAt !== id && { shownAt }), startedMs: elapsed() };
    nodes.set(id, made);
    return made;
  }

  function write(text: string, node?: string): void {
    if (log.length >= MAX_LINES) {
      log.shift();
      linesLeftOut += 1;
    }
    const cut = text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;
    log.push({ ms: elapsed(), ...(node !== undefined && { node }), text: cut.trimEnd() });
  }

  function setCached(ids: readonly string[]): void {
    for (const id of ids) {
      const node = nodeOf(id);
      if (!node) continue;
      node.isCached = true;
      node.endedMs ??= node.startedMs;
    }
  }

  return {
    note(event: EngineEvent): void {
      if (event.type === 'text') write(event.data.text, event.data.node_id);
      else if (event.type === 'execution_cached') setCached(event.data.nodes);
      else if (event.type === 'execution_error') {
        const { node_id: node, exception_type: type, exception_message: message } = event.data;
        write(`${type}: ${message}`, node === '' ? undefined : node);
      } else if (event.type === 'node_progress') {
        const { node_id: id, display_node_id: shownAt, state } = event.data;
        if (state === 'pending') return;
        const node = nodeOf(id, shownAt);
        if (!node || node.isCached) return;
        // A node that expands into others runs again after they have.
        if (state === 'running') delete node.endedMs;
        else node.endedMs = elapsed();
      }
    },
    read: (): JobTimeline => ({
      attempt,
      begunAt,
      worker,
      nodes: [...nodes.values()],
      nodesLeftOut,
      log,
      linesLeftOut,
    }),
  };
}
