import type { NodeProgress } from '@atelier/contracts';

import type { MessageEvent } from './user-event.ts';

/** The nodes of a job so far, as `progress_state` shows them. Caches the JSON of each node: large graphs are sent often and change little. */
export function createProgressState(jobId: string) {
  const nodes = new Map<string, { readonly node: NodeProgress; text?: string }>();

  return {
    size: () => nodes.size,
    set: (node: NodeProgress) => void nodes.set(node.node_id, { node }),
    message(): MessageEvent {
      const members: string[] = [];
      for (const [id, entry] of nodes) {
        entry.text ??= `${JSON.stringify(id)}:${JSON.stringify(entry.node)}`;
        members.push(entry.text);
      }
      const data = `{"prompt_id":${JSON.stringify(jobId)},"nodes":{${members.join(',')}}}`;
      return { kind: 'message', type: 'progress_state', jobId, data, replaceable: true };
    },
  };
}
