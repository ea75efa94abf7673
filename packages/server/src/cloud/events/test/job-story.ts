import type { NodeProgress } from '@atelier/contracts';
import type { EngineEvent } from '@atelier/engine';

export function starts(jobId: string): EngineEvent {
  return { type: 'execution_start', data: { prompt_id: jobId, timestamp: 1 } };
}

export function caches(jobId: string): EngineEvent {
  return { type: 'execution_cached', data: { nodes: [], prompt_id: jobId, timestamp: 1 } };
}

export function executes(jobId: string, node: string): EngineEvent {
  return { type: 'executing', data: { node, display_node: node, prompt_id: jobId } };
}

export function shows(jobId: string, node: string, text: unknown = 'shown'): EngineEvent {
  return { type: 'executed', data: { node, display_node: node, output: { text: [text] }, prompt_id: jobId } };
}

export function succeeds(jobId: string): EngineEvent {
  return { type: 'execution_success', data: { prompt_id: jobId, timestamp: 2 } };
}

export function blocks(jobId: string): EngineEvent {
  return {
    type: 'execution_error',
    data: {
      prompt_id: jobId,
      node_id: '1',
      node_type: 'A',
      executed: [],
      exception_message: 'Execution Blocked: no\n',
      exception_type: 'ExecutionBlocked',
      traceback: [],
      current_inputs: {},
      current_outputs: [],
    },
  };
}

export function isAt(jobId: string, node_id: string, change: Partial<NodeProgress> = {}): EngineEvent {
  return {
    type: 'node_progress',
    data: {
      value: 0,
      max: 1,
      state: 'running',
      node_id,
      prompt_id: jobId,
      display_node_id: node_id,
      parent_node_id: null,
      real_node_id: node_id,
      ...change,
    },
  };
}

export function previews(jobId: string, node: string, bytes: Uint8Array<ArrayBuffer>): EngineEvent {
  return {
    type: 'progress',
    data: { value: 1, max: 2, prompt_id: jobId, node },
    preview: {
      data: {
        node_id: node,
        prompt_id: jobId,
        display_node_id: node,
        parent_node_id: null,
        real_node_id: node,
        image_type: 'image/png',
      },
      bytes,
    },
  };
}
