import type { ExecutionErrorData, JobMessages, NodeProgress, PreviewData } from '@atelier/contracts';
import type { PreviewFrame } from './declare/node-context.ts';

type Message<T extends keyof JobMessages> = {
  readonly [K in T]: { readonly type: K; readonly data: JobMessages[K] };
}[T];

/**
 * What happens in a job, in order. Data is as it goes over the wire, except that `node_progress` tells only what changed:
 * the wire's `progress_state` is all of them so far, which readers may send less often.
 */
export type EngineEvent =
  | Message<
      | 'execution_start'
      | 'execution_cached'
      | 'executing'
      | 'executed'
      | 'execution_success'
      | 'execution_interrupted'
    >
  | { readonly type: 'execution_error'; readonly data: ExecutionErrorData }
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
