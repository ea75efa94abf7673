import type { JobMessages, NodeProgress, PreviewData } from '@atelier/contracts';
import type { PreviewFrame } from './declare/node-context.ts';

type Message<T extends keyof JobMessages> = {
  readonly [K in T]: { readonly type: K; readonly data: JobMessages[K] };
}[T];

/**
 * What happens in a job, in order. Data is as on the wire, except that `node_progress` has one node: `progress_state` on the
 * wire has all nodes, and may be sent less often.
 */
export type EngineEvent =
  | Message<Exclude<keyof JobMessages, 'progress' | 'progress_state'>>
  | { readonly type: 'node_progress'; readonly data: NodeProgress }
  | {
      readonly type: 'progress';
      readonly data: JobMessages['progress'];
      readonly preview?: Pick<PreviewFrame, 'bytes' | 'isOutput'> & { readonly data: PreviewData };
    }
  | {
      readonly type: 'text';
      readonly data: { readonly prompt_id: string; readonly node_id: string; readonly text: string };
    };
