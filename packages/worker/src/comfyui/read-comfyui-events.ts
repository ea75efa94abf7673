import type { NodeProgress } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { MAX_PREVIEW_BYTES } from '@atelier/contracts/worker-protocol';
import type { EngineEvent, Outcome } from '@atelier/engine/runner';

import { AttemptLost } from '../executor.ts';
import { type ComfyMessage, SOCKET_LOST } from './comfyui-socket.ts';
import type { ComfyFrame } from './decode-frame.ts';
import { type Fields, fieldsOf, numberOf, textOf, textOrNull, textsOf } from './read-fields.ts';
import { type HistoryEntry, readFailure, toOutput } from './read-history.ts';
import { pictureType, shrinkPreview } from './shrink-preview.ts';
import { createPreviewThinner, type RawPreview } from './thin-previews.ts';

type Output = Outcome['outputs'][string];
type Picture = Extract<EngineEvent, { type: 'progress' }>['preview'];

interface Parts {
  readonly jobId: string;
  readonly promptId: string;
  readonly emit: (event: EngineEvent) => void;
  /** The type of a node of the graph; empty for other nodes. */
  readonly typeOf: (nodeId: string) => string;
  /** Nodes whose pictures can be results. */
  readonly outputNodes: ReadonlySet<string>;
  /** Called when ComfyUI says that a node has shown this, before `collect`. */
  readonly onShown: (output: Output, nodeId: string) => void;
  /** Stores the files of an output and names them as the user sees them. */
  readonly collect: (output: Output) => Promise<Output>;
  /** Removes from a text what only the worker knows. */
  readonly clean: (text: string) => string;
}

/** How a job ended, and its last event, which is not emitted. */
export interface Ended {
  readonly outcome: Outcome;
  readonly final: EngineEvent;
}

const STATES = new Set(['pending', 'running', 'finished', 'error']);
/** Progress is dropped while this many events wait, for example behind a large file. */
const MAX_WAITING = 1000;
const MAX_WAITING_PICTURES = 100;
const JPEG_START = 0xff;

export type EventReader = ReturnType<typeof createEventReader>;

/** Turns the messages of ComfyUI about one prompt into events of its job, in order. The end, and what the socket missed, come from history. */
export function createEventReader(parts: Parts) {
  const { jobId, promptId, emit, typeOf, outputNodes, onShown, collect, clean } = parts;
  const outputs = new Map<string, Promise<Output>>();
  const seen = new Set<'execution_start' | 'execution_cached'>();
  const shown = new Set<string>();
  const progress = new Map<string, NodeProgress>();
  const steps = new Map<string, { readonly value: number; readonly max: number }>();
  const previews = createPreviewThinner();
  /** Output nodes whose results arrived by socket. */
  const pictured = new Set<string>();
  /** Results by node, each until its progress message arrives. */
  const results = new Map<string, Picture>();
  let tooLarge: { readonly node: string; readonly bytes: number } | undefined;
  let isDeaf = false;
  const about = { prompt_id: jobId };
  let currentNode = '';
  let heardAt = performance.now();
  let hasEnded = false;
  let hasBegun = false;
  let waiting = 0;
  let waitingPictures = 0;
  let queue = Promise.resolve();

  /** Keeps the order of the messages, though files and pictures take time. `finish` fails again with a failure. */
  function then(work: () => void | Promise<void>): void {
    waiting += 1;
    queue = queue
      .then(work)
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
  }

  /** A node shows the same output in its message and in history. */
  function collectOnce(nodeId: string, output: unknown): Promise<Output> {
    return outputs.getOrInsertComputed(nodeId, () => {
      const made = collect(toOutput(output));
      made.catch(() => {});
      return made;
    });
  }

  function start(timestamp: number): void {
    if (seen.has('execution_start')) return;
    seen.add('execution_start');
    emit({ type: 'execution_start', data: { ...about, timestamp } });
  }

  function cached(nodes: readonly string[], timestamp: number): void {
    if (seen.has('execution_cached')) return;
    seen.add('execution_cached');
    emit({ type: 'execution_cached', data: { nodes, ...about, timestamp } });
  }

  function changed(nodes: unknown): void {
    for (const [id, node] of Object.entries(fieldsOf(nodes))) {
      const given = fieldsOf(node);
      const state = textOf(given['state']) as NodeProgress['state'];
      if (!STATES.has(state)) continue;
      const [value, max] = [numberOf(given['value'], 0), numberOf(given['max'], 1)];
      const before = progress.get(id);
      if (value === before?.value && max === before.max && state === before.state) continue;
      const data: NodeProgress = { ...nodeOf(given, id), value, max, state };
      progress.set(id, data);
      emit({ type: 'node_progress', data });
    }
  }

  const nodeOf = (given: Fields, id: string) => ({
    ...about,
    node_id: id,
    display_node_id: textOf(given['display_node_id'], id),
    parent_node_id: textOrNull(given['parent_node_id']),
    real_node_id: textOf(given['real_node_id'], id),
  });

  function tellStep(node: string, preview: Picture): void {
    const data = { ...(steps.get(node) ?? { value: 0, max: 1 }), ...about, node };
    emit({ type: 'progress', data, ...(preview && { preview }) });
  }

  async function shrink(preview: RawPreview | undefined): Promise<Picture> {
    const small = preview && (await shrinkPreview(preview.bytes));
    if (!small) return undefined;
    const data = { ...preview.about, image_type: small.image_type };
    return { data, bytes: small.bytes, isOutput: false };
  }

  async function showLastPreview(): Promise<void> {
    const preview = await shrink(previews.atEnd());
    if (preview) tellStep(preview.data.node_id, preview);
  }

  async function step(data: ComfyMessage['data'], node: string, result: Picture): Promise<void> {
    const at = { value: numberOf(data['value'], 0), max: numberOf(data['max'], 1) };
    steps.set(node, at);
    tellStep(node, result ?? (await shrink(previews.withProgress(node, at.value >= at.max))));
  }

  function takeResult(node: string): Picture {
    const result = results.get(node);
    results.delete(node);
    return result;
  }

  /** Emits results that no progress message came for, such as those of nodes that send frames themselves. */
  function tellResults(nodes: Iterable<string> = results.keys()): void {
    for (const node of nodes) {
      const result = takeResult(node);
      if (result) then(() => tellStep(node, result));
    }
  }

  async function executed(data: ComfyMessage['data']): Promise<void> {
    const node = textOf(data['node']);
    const output = isObject(data['output']) ? await collectOnce(node, data['output']) : null;
    shown.add(node);
    const display_node = textOf(data['display_node'], node);
    emit({ type: 'executed', data: { node, display_node, output, ...about } });
  }

  function message({ type, data }: ComfyMessage): void {
    switch (type) {
      case 'execution_start':
        then(() => start(numberOf(data['timestamp'], Date.now())));
        break;
      case 'execution_cached':
        then(() => cached(textsOf(data['nodes']), numberOf(data['timestamp'], Date.now())));
        break;
      case 'executing': {
        const { node } = data;
        if (typeof node !== 'string') break;
        currentNode = node;
        tellResults();
        then(async () => {
          await showLastPreview();
          emit({
            type: 'executing',
            data: { node, display_node: textOf(data['display_node'], node), ...about },
          });
        });
        break;
      }
      case 'progress': {
        const node = textOf(data['node'], currentNode);
        const result = takeResult(node);
        if (result || waiting < MAX_WAITING) then(async () => await step(data, node, result));
        break;
      }
      case 'progress_state':
        if (waiting < MAX_WAITING) then(() => changed(data['nodes']));
        break;
      case 'executed':
        tellResults();
        onShown(toOutput(data['output']), textOf(data['node']));
        then(async () => await executed(data));
        break;
      case 'execution_error':
        // Without a timestamp the job goes on, because an output was blocked.
        if (data['timestamp'] === undefined)
          then(() => emit({ type: 'execution_error', data: readFailure(data, { jobId, clean }) }));
        break;
      default:
        break;
    }
  }

  /** The start comes first, even if the socket was opened too late for it. */
  function noteHeard(said?: ComfyMessage): void {
    heardAt = performance.now();
    if (!hasBegun && said?.type !== 'execution_start') then(() => start(Date.now()));
    hasBegun = true;
  }

  function frame(given: ComfyFrame): void {
    if (given.kind === 'text') {
      const { nodeId, text } = given;
      then(() => emit({ type: 'text', data: { ...about, node_id: nodeId, text } }));
      return;
    }
    const node = textOf(given.about?.['node_id'], currentNode);
    if (node === '') return;
    const preview: RawPreview = { about: nodeOf(given.about ?? {}, node), bytes: given.bytes };
    // Pictures of progress bars have metadata, and previews are JPEGs. SaveImageWebsocket sends PNGs through a progress bar; nodes
    // of packs send any format without metadata.
    const isPreview = given.about && given.bytes[0] === JPEG_START;
    if (outputNodes.has(preview.about.real_node_id) && !isPreview) {
      pictured.add(preview.about.real_node_id);
      // The server accepts no larger picture.
      if (given.bytes.length > MAX_PREVIEW_BYTES) {
        tooLarge ??= { node, bytes: given.bytes.length };
        return;
      }
      tellResults([node]);
      const image_type = pictureType(given.bytes);
      results.set(node, { data: { ...preview.about, image_type }, bytes: given.bytes, isOutput: true });
      if (!given.about) tellResults([node]);
      return;
    }
    if (waitingPictures >= MAX_WAITING_PICTURES) return;
    waitingPictures += 1;
    then(() => {
      waitingPictures -= 1;
      previews.add(preview);
    });
  }

  return {
    /** When the last message about this prompt arrived. */
    heardAt: (): number => heardAt,
    /** Whether the current node has reported steps. */
    hasSteps: (): boolean => steps.has(currentNode),
    hear(said: ComfyMessage | ComfyFrame): void {
      if (hasEnded) return;
      if (said === SOCKET_LOST) isDeaf = true;
      else if ('kind' in said) {
        const of = said.kind === 'picture' ? said.about?.['prompt_id'] : undefined;
        if (of !== undefined && of !== promptId) return;
        noteHeard();
        frame(said);
      } else if (said.data['prompt_id'] === promptId) {
        noteHeard(said);
        message(said);
      }
    },
    /** Emits the rest of a prompt that has ended. Rejects when one of its files is not available. */
    async finish(entry: HistoryEntry): Promise<Ended> {
      await close();
      if (tooLarge) return await stop('error', asFailure(tooLarge));
      if (isDeaf && entry.end.status === 'success') assertNothingMissed(entry);
      await showLastPreview();
      start(entry.startedAt ?? entry.end.timestamp);
      cached(entry.cached?.nodes ?? [], entry.cached?.timestamp ?? entry.end.timestamp);
      for (const [node, given] of entry.outputs) {
        const output = await collectOnce(node, given);
        if (shown.has(node)) continue;
        const display_node = entry.meta[node]?.display_node ?? node;
        emit({ type: 'executed', data: { node, display_node, output, ...about } });
      }
      return await end(entry);
    },
    stop,
  };

  async function close(): Promise<void> {
    hasEnded = true;
    tellResults();
    await queue;
  }

  /** Ends the job without an entry in history, and keeps what was shown so far. */
  async function stop(
    status: 'error' | 'interrupted',
    why: Readonly<Record<string, unknown>>,
  ): Promise<Ended> {
    await close();
    const timestamp = Date.now();
    start(timestamp);
    for (const id of outputs.keys()) if (!shown.has(id)) outputs.delete(id);
    const made = new Map([...outputs.keys()].map((id) => [id, {}]));
    const data = { node_id: currentNode, ...why };
    return await end({
      outputs: made,
      meta: {},
      startedAt: timestamp,
      cached: undefined,
      end: { status, data, timestamp },
    });
  }

  /** A node such as `SaveImageWebsocket` sends its result only by socket. */
  function assertNothingMissed({ outputs: shownAtEnd }: HistoryEntry): void {
    const missed = [...outputNodes].find((id) => !shownAtEnd.has(id) && !pictured.has(id));
    if (missed === undefined) return;
    throw new AttemptLost('crash', `The connection was lost: node ${missed} may have sent a picture.`);
  }

  async function end({ end: { status, data, timestamp }, meta, outputs: all }: HistoryEntry): Promise<Ended> {
    const collected: [string, Output][] = [];
    for (const [id] of all) collected.push([id, (await outputs.get(id)) ?? {}]);
    const finished = [...progress.values()].filter(({ state }) => state === 'finished');
    const executedNodes = data['executed']
      ? textsOf(data['executed'])
      : finished.map(({ node_id }) => node_id);
    const outcome = { status, outputs: Object.fromEntries(collected), meta, executed: executedNodes };
    if (status === 'success')
      return { outcome, final: { type: 'execution_success', data: { ...about, timestamp } } };
    const failure = readFailure(data, { jobId, clean });
    const error = { ...failure, node_type: failure.node_type || typeOf(failure.node_id), timestamp };
    if (status === 'error')
      return { outcome: { ...outcome, error }, final: { type: 'execution_error', data: error } };
    const { node_id, node_type } = error;
    const interrupted = { ...about, node_id, node_type, executed: executedNodes, timestamp };
    return { outcome, final: { type: 'execution_interrupted', data: interrupted } };
  }
}

function asFailure({ node, bytes }: { readonly node: string; readonly bytes: number }) {
  const mb = (size: number): number => Math.ceil(size / 2 ** 20);
  return {
    node_id: node,
    exception_type: 'ValueError',
    exception_message: `A picture of ${mb(bytes)} MB is too large to be sent by WebSocket (${mb(MAX_PREVIEW_BYTES)} MB). Save it with SaveImage.`,
  };
}
