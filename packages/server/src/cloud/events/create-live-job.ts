import type { JobMessages } from '@atelier/contracts';
import { type EngineEvent, type Graph, parseJson, toJson } from '@atelier/engine';

import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import { textFrame } from './frames.ts';
import { createJobProgress } from './job-progress.ts';
import { createJobTimeline } from './job-timeline.ts';
import type { KeptEvent } from './live-jobs.ts';
import { endMarker, isFinal, keptMessage } from './messages.ts';
import { createProgressState } from './progress-state.ts';
import type { MessageEvent, UserEvent } from './user-event.ts';

/** The state of more nodes than this is throttled: sending all of it at every change would be quadratic. */
const LARGE_STATE = 64;
const STATE_MS = 100;
/** The state of 20 000 nodes has 4 MB; sending it ten times a second blocked the event loop for more than a second at a time. */
const STATE_MS_PER_NODE = 1 / 8;

export interface StartedJob {
  readonly id: string;
  readonly userId: string;
  readonly attempt: number;
  /** JSON. The message about a cancellation names the type of the current node. */
  readonly graph?: string;
  /** JSON list of the output nodes it is run for. */
  readonly targets?: string;
  /** JSON. Pictures are sent to the client that it names. */
  readonly extraData?: string;
  /** The name of the worker that runs it. */
  readonly worker?: string;
}

interface Parts {
  readonly bus: Bus<UserEvent>;
  readonly clock: Clock;
  readonly onEnd: () => void;
}

type Told<T extends EngineEvent['type']> = Extract<EngineEvent, { type: T }>;
type KeptType = Exclude<EngineEvent['type'], 'node_progress' | 'progress' | 'text'>;

export type LiveJob = ReturnType<typeof createLiveJob>;

/**
 * The attempt at a job that this server runs, as watchers see it. Renders each event once for all watchers, and remembers what new
 * watchers need.
 */
export function createLiveJob({ bus, clock, onEnd }: Parts, job: StartedJob) {
  const { id, userId, attempt } = job;
  const kept: KeptEvent[] = [];
  const executed = new Set<string>();
  // Without a prototype: node ids may be any text.
  const outputs = Object.create(null) as Record<string, unknown>;
  const progress = createProgressState(id);
  const done = createJobProgress({ graph: job.graph ?? '{}', targets: job.targets ?? '[]' });
  const timeline = createJobTimeline({ clock, attempt, worker: job.worker });
  let phase: 'open' | 'final' | 'ended' = 'open';
  let started: KeptEvent | undefined;
  let executing: KeptEvent | undefined;
  let currentNode = '';
  let stateSentAt = Number.NEGATIVE_INFINITY;
  let stateLater: NodeJS.Timeout | undefined;
  let preview: Told<'progress'>['preview'];
  /** Empty when the job names no client; read at the first picture. */
  let clientId: string | undefined;

  const isHeard = (): boolean => bus.hasListeners(userId);
  const say = (event: UserEvent): void => bus.publish(userId, event);

  function sayState(): void {
    clearTimeout(stateLater);
    stateLater = undefined;
    stateSentAt = clock();
    if (isHeard()) say(progress.message());
  }

  function noteProgress({ data }: Told<'node_progress'>): void {
    progress.set(data);
    if (data.state === 'running') currentNode = data.real_node_id;
    if (data.state === 'finished') executed.add(data.node_id);
    if (!isHeard() || stateLater) return;
    const size = progress.size();
    const pauseMs = size > LARGE_STATE ? Math.max(STATE_MS, size * STATE_MS_PER_NODE) : 0;
    const waitMs = stateSentAt + pauseMs - clock();
    if (waitMs <= 0) sayState();
    else stateLater = setTimeout(sayState, waitMs).unref();
  }

  function tellProgress({ data, preview: picture }: Told<'progress'>): void {
    const shown = picture?.isOutput ? undefined : picture;
    if (shown) preview = shown;
    if (!isHeard()) return;
    if (picture?.isOutput) tellPicture(picture);
    const seen = shown && ({ kind: 'preview', jobId: id, about: shown.data, bytes: shown.bytes } as const);
    if (seen) say({ ...seen, layout: 'metadata' });
    say({ kind: 'message', type: 'progress', jobId: id, data: toJson(data), replaceable: true });
    if (seen) say({ ...seen, layout: 'plain' });
  }

  function tellPicture({ data, bytes }: NonNullable<Told<'progress'>['preview']>): void {
    clientId ??= clientIdIn(job.extraData ?? '{}');
    say({ kind: 'picture', jobId: id, about: data, bytes, ...(clientId === '' ? {} : { clientId }) });
  }

  const toKept = ({ type, data }: EngineEvent): KeptEvent => ({
    id: `${attempt}-${kept.length + 1}`,
    type,
    data,
  });

  function tellKept(event: Told<KeptType>): void {
    const message = toKept(event);
    kept.push(message);
    if (event.type === 'execution_start') started = message;
    if (event.type === 'executing') executing = message;
    if (event.type === 'executed' && event.data.output) outputs[event.data.node] = event.data.output;
    if (isFinal(event)) {
      phase = 'final';
      // A state that is waiting goes out before the end.
      if (stateLater) sayState();
    }
    if (isHeard()) say(keptMessage(id, message));
  }

  return {
    id,
    userId,
    attempt,
    /** Sends the event to the user's watchers, in order. Events after a final one are ignored. */
    tell(event: EngineEvent): void {
      if (phase !== 'open') return;
      timeline.note(event);
      done.note(event);
      if (event.type === 'node_progress') noteProgress(event);
      else if (event.type === 'progress') tellProgress(event);
      else if (event.type !== 'text') tellKept(event);
      else if (isHeard()) say({ kind: 'text', jobId: id, frame: textFrame(event.data) });
    },
    kept: (): readonly KeptEvent[] => kept,
    /** The kept events and this final one. Sends nothing, because the row is written first. */
    keptWith: (event: EngineEvent): readonly KeptEvent[] => [...kept, toKept(event)],
    /** When its nodes ran, and what they printed. */
    timeline: timeline.read,
    outputs: (): Readonly<Record<string, unknown>> => outputs,
    progress: done.read,
    /** The newest preview, if any. */
    preview: () => preview,
    /** The messages that a new watcher needs first. */
    present(): readonly MessageEvent[] {
      if (phase !== 'open' || !started) return [];
      const messages = [started, ...(executing ? [executing] : [])].map((message) =>
        keptMessage(id, message),
      );
      return progress.size() > 0 ? [...messages, progress.message()] : messages;
    },
    /** The message that the job was cancelled at its current node. Sends nothing. */
    interruption(timestamp: number): JobMessages['execution_interrupted'] {
      const node_type = job.graph === undefined ? '' : typeIn(job.graph, currentNode);
      return { prompt_id: id, node_id: currentNode, node_type, executed: [...executed], timestamp };
    },
    /**
     * Ends the attempt. After a final event this sends the end marker, `executing` without a node. Without one, because the job
     * continues on another server, it sends nothing. Only the first call has an effect.
     */
    end(): void {
      if (phase === 'ended') return;
      const wasFinal = phase === 'final';
      phase = 'ended';
      clearTimeout(stateLater);
      onEnd();
      if (wasFinal) say(endMarker(id));
    },
  };
}

function clientIdIn(extraData: string): string {
  const { client_id: named } = parseJson(extraData) as Readonly<Record<string, unknown>>;
  return typeof named === 'string' ? named : '';
}

/** Parsed only on demand: few jobs are cancelled, and graphs may be large. */
function typeIn(graph: string, nodeId: string): string {
  const nodes = parseJson(graph) as Graph;
  return Object.hasOwn(nodes, nodeId) ? (nodes[nodeId]?.class_type ?? '') : '';
}
