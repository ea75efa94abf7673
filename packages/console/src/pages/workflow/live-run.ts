import type { JobEvent } from '@atelier/sdk';

/** The progress of a node of a job. */
export interface LiveNode {
  readonly state: 'running' | 'done' | 'cached' | 'failed';
  readonly value: number;
  readonly max: number;
  /** The error message of the server. */
  readonly error?: string;
  /** Its output, as in the outputs of the job. */
  readonly output: Readonly<Record<string, readonly unknown[]>> | undefined;
}

/** The progress of a job. */
export interface LiveRun {
  readonly state: 'waiting' | 'running' | 'ended';
  /** By node id, for nodes that have started. */
  readonly nodes: ReadonlyMap<string, LiveNode>;
  /** The running node. */
  readonly nodeId: string | undefined;
  /** The latest preview, as an address for `<img>`, and its node. */
  readonly preview: { readonly url: string; readonly nodeId: string } | undefined;
  /** The server's message while the job is waiting. */
  readonly message: string | undefined;
}

export const NOT_STARTED: LiveRun = {
  state: 'waiting',
  nodes: new Map(),
  nodeId: undefined,
  preview: undefined,
  message: undefined,
};

const NEW_NODE: LiveNode = { state: 'running', value: 0, max: 1, output: undefined };

/** The state after an event; the same object if nothing changed. The caller owns the pictures and must free them. */
export function runAfter(run: LiveRun, event: JobEvent): LiveRun {
  const { type, data } = event;
  switch (type) {
    case 'notification':
      return { ...run, message: data.value };
    case 'execution_start':
      return { ...NOT_STARTED, state: 'running', preview: run.preview };
    case 'execution_cached':
      return change(
        run,
        data.nodes.map((id) => [id, { state: 'cached' }]),
      );
    case 'executing':
      return change({ ...run, nodeId: data.display_node }, [[data.display_node, { state: 'running' }]]);
    case 'executed':
      return change(run, [[data.display_node, { output: data.output ?? undefined }]]);
    case 'execution_error':
      return change(run, [[data.node_id, { state: 'failed', error: data.exception_message }]]);
    case 'progress_state':
      return change(
        run,
        Object.values(data.nodes).flatMap((node): Change[] => {
          const { display_node_id: id, state, value, max } = node;
          if (state === 'running') return [[id, { state, value, max }]];
          if (state === 'error') return [[id, { state: 'failed' }]];
          const isCached = run.nodes.get(id)?.state === 'cached';
          return state === 'finished' && !isCached ? [[id, { state: 'done', value: max, max }]] : [];
        }),
      );
    case 'execution_interrupted':
    case 'execution_success':
    case 'picture':
    case 'preview':
    case 'progress':
      return run;
  }
}

/** Marks open nodes as done. Late subscribers do not learn when each node finished. */
export function endedRun(run: LiveRun): LiveRun {
  const open = [...run.nodes].filter(([, { state }]) => state === 'running');
  const nodes = change(
    run,
    open.map(([id, { max }]) => [id, { state: 'done', value: max }]),
  ).nodes;
  return { ...run, nodes, state: 'ended', nodeId: undefined };
}

type Change = readonly [id: string, Partial<LiveNode>];

function change(run: LiveRun, changes: readonly Change[]): LiveRun {
  if (changes.length === 0) return run;
  const nodes = new Map(run.nodes);
  for (const [id, part] of changes) nodes.set(id, { ...(nodes.get(id) ?? NEW_NODE), ...part });
  return { ...run, nodes };
}
