import type { NodeProgress } from '@atelier/contracts';

import type { MessageEvent } from './user-event.ts';

/** All nodes of a job so far, as `progress_state` tells them. Keeps the text of each: a graph of 5 000 is sent often, and little of it has changed in between. */
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
