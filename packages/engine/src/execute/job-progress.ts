import type { NodeProgress } from '@atelier/contracts';
import type { PreviewFrame } from '../declare/node-context.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { DynamicGraph } from './dynamic-graph.ts';

/** Up to this many steps, such as the pictures of a batch, every step is sent. */
const FEW_STEPS = 1000;
/** The least time and progress between two updates of a node with more steps, besides the first and the last. */
const MIN_MS = 100;
const MIN_PART = 0.005;
/** Previews are for nodes that run longer. */
const PREVIEW_AFTER_MS = 500;

export type JobProgress = ReturnType<typeof createJobProgress>;

interface Sent {
  readonly startedMs: number;
  sentMs: number;
  sentValue: number;
  previewMs: number;
  last: NodeProgress;
}

export function createJobProgress(jobId: string, graph: DynamicGraph, emit: (event: EngineEvent) => void) {
  const nodes = new Map<string, Sent>();

  function entry(id: string): Sent {
    const known = nodes.get(id);
    if (known) return known;
    const now = performance.now();
    const made: Sent = {
      startedMs: now,
      sentMs: Number.NEGATIVE_INFINITY,
      sentValue: Number.NEGATIVE_INFINITY,
      previewMs: now,
      last: {
        value: 0,
        max: 1,
        state: 'running',
        node_id: id,
        prompt_id: jobId,
        display_node_id: graph.displayId(id),
        parent_node_id: graph.parentId(id) ?? null,
        real_node_id: graph.realId(id),
      },
    };
    nodes.set(id, made);
    return made;
  }

  function send(at: Sent, change: Partial<NodeProgress>): void {
    at.last = { ...at.last, ...change };
    emit({ type: 'node_progress', data: at.last });
  }

  return {
    start(id: string): void {
      send(entry(id), { value: 0, max: 1, state: 'running' });
    },
    finish(id: string): void {
      const at = entry(id);
      send(at, { value: at.last.max, state: 'finished' });
    },
    update(id: string, value: number, max: number, preview?: PreviewFrame): void {
      const at = entry(id);
      const now = performance.now();
      const isStep = max <= FEW_STEPS && value !== at.sentValue;
      const due = isStep || (now - at.sentMs >= MIN_MS && Math.abs(value - at.sentValue) >= MIN_PART * max);
      const isLast = max > 0 && value >= max && at.sentValue < max;
      if (!due && !preview && !isLast) return;
      at.sentMs = now;
      at.sentValue = value;
      send(at, { value, max, state: 'running' });
      const data = { value, max, prompt_id: jobId, node: id };
      if (!preview) {
        emit({ type: 'progress', data });
        return;
      }
      at.previewMs = now;
      const { value: _value, max: _max, state: _state, ...about } = at.last;
      const { type: image_type, bytes, isOutput = false } = preview;
      emit({ type: 'progress', data, preview: { data: { ...about, image_type }, bytes, isOutput } });
    },
    wantsPreview(id: string): boolean {
      const at = entry(id);
      const now = performance.now();
      return now - at.startedMs >= PREVIEW_AFTER_MS && now - at.previewMs >= MIN_MS;
    },
  };
}
