import {
  type FromWorker,
  type LostCause,
  MAX_ATTEMPT_BYTES,
  type ToWorker,
  type WorkerJob,
} from '@atelier/contracts';
import { present } from '@atelier/contracts/present';
import { type EngineEvent, findBadName, type Outcome } from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import { isFinal } from '../events/messages.ts';
import { BadMessage } from './read-message.ts';

/** The attempt did not end: its worker is gone or has failed by itself. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
  readonly reason: LostCause | 'gone';
  constructor(reason: LostCause | 'gone', message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * A message of an attempt is refused because of a file outside of its folder or because of its size. A graph can make any correct worker
 * send that, so it costs the attempt and not the connection, which also serves other users.
 */
export class AttemptRefused extends Error {
  override readonly name = 'AttemptRefused';
  readonly node: CurrentNode | undefined;
  constructor(message: string, node?: CurrentNode) {
    super(message);
    this.node = node;
  }
}

type ExecutingEvent = Extract<EngineEvent, { readonly type: 'executing' }>;
type AboutAttempt = Extract<FromWorker, { readonly attempt: string }>;

export interface RunOptions {
  readonly job: WorkerJob;
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

interface Parts {
  /** `<job id>/<attempt>` */
  readonly id: string;
  readonly clock: Clock;
  readonly send: (message: ToWorker) => void;
  /** Another server began it: the worker sends its history first. */
  readonly isTakenOver?: boolean;
}

/** The node that an attempt runs now. */
export interface CurrentNode {
  readonly node_id: string;
  readonly node_type?: string;
}

const LAST_EVENT = { success: 'execution_success', error: 'execution_error' } as const;
const INTERRUPTED: Outcome = { status: 'interrupted', outputs: {}, meta: {}, executed: [] };

export type RemoteAttempt = ReturnType<typeof createRemoteAttempt>;

/** One attempt at a worker, as the server follows it. It survives while its worker is away. */
export function createRemoteAttempt({ id, clock, send, isTakenOver = false }: Parts) {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Outcome>();
  // It may be lost before `run` is called.
  outcome.catch(() => {});
  const [jobId] = id.split('/');
  let last = 0;
  let heardAt = clock();
  let bytes = 0;
  let awaitsHistory = isTakenOver;
  let isCancelled = false;
  let hasBegun = false;
  /** The type of the last event, which comes before the end message. */
  let final: string | undefined;
  let job: WorkerJob | undefined;
  let running: string | undefined;
  /** Cached, because the graph has to be parsed for it. */
  let node: CurrentNode | undefined;
  /** Events that came before `run` was called. */
  const early: EngineEvent[] = [];
  let onEvent = (event: EngineEvent): void => void early.push(event);

  function tell(events: Extract<AboutAttempt, { readonly type: 'events' }>['events']): void {
    for (const event of events) {
      if (event.data.prompt_id !== jobId) throw new BadMessage(`An event of ${id} is about another job.`);
      assertOrder(event);
      // A node that another one expanded into is not in the graph; the node that displays it is.
      if (event.type === 'executing') running = (event as ExecutingEvent).data.display_node;
      // Its shape was checked when the message was read.
      const said = event as EngineEvent;
      if (said.type === 'executed') checkNames(said.data.display_node, said.data.output);
      if (!isCancelled) onEvent(said);
    }
  }

  /** The start comes first, except when the job could not start; nothing comes after the end. */
  function assertOrder(event: { readonly type: string; readonly data: unknown }): void {
    const { type } = event;
    const isLast = isFinal(event);
    const isStart = type === 'execution_start';
    if (final !== undefined || (!isLast && isStart === hasBegun))
      throw new BadMessage(`An event ${type} of ${id} was not expected.`);
    hasBegun = true;
    if (isLast) final = type;
  }

  function stop(): void {
    isCancelled = true;
    send({ type: 'cancel', attempt: id });
  }

  function refuse(error: AttemptRefused): void {
    if (!isCancelled) stop();
    reject(error);
  }

  function checkNames(nodeId: string, output: Readonly<Record<string, readonly unknown[]>> | null): void {
    const problem = findBadName(output ?? {});
    if (problem !== undefined) refuse(new AttemptRefused(problem, describeNode(nodeId)));
  }

  const describeNode = (nodeId: string): CurrentNode => ({
    node_id: nodeId,
    ...present({ node_type: typeOf(job, nodeId) }),
  });

  function assertEnd({ status, error }: Extract<AboutAttempt, { readonly type: 'end' }>['outcome']): void {
    // It may have ended while the cancel was on its way.
    if (isCancelled) return;
    // Only a cancel leads to `interrupted`.
    const isTold =
      status !== 'interrupted' &&
      final === LAST_EVENT[status] &&
      (status === 'error') === (error !== undefined);
    if (!isTold) throw new BadMessage(`The end of ${id} (${status}) does not follow from its events.`);
  }

  return {
    id,
    /** It was cancelled, but the worker may not know it yet. */
    isCancelled: () => isCancelled,
    /** Where the worker continues: after the last message that has arrived, or with the history. */
    after: (): number | 'history' => (awaitsHistory ? 'history' : last),
    /** When its last message arrived, or else when it was sent to the worker. */
    heardAt: () => heardAt,
    currentNode(): CurrentNode | undefined {
      if (running === undefined) return undefined;
      if (node?.node_id !== running) node = describeNode(running);
      return node;
    },
    async run({ job: given, signal, onEvent: listener }: RunOptions): Promise<Outcome> {
      job = given;
      const cancel = (): void => {
        stop();
        resolve(INTERRUPTED);
      };
      if (!isTakenOver) send({ type: 'run', attempt: id, job: given });
      for (const event of early.splice(0)) listener(event);
      onEvent = listener;
      if (signal.aborted) cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return await outcome;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    /** Handles the next message, which has `size` bytes. Throws `BadMessage` when it is another one. True when it was the last. */
    take(message: AboutAttempt, size: number): boolean {
      if (awaitsHistory !== (message.type === 'history')) {
        throw new BadMessage(`A message ${message.type} of ${id} was not expected.`);
      }
      if (!awaitsHistory && message.number !== last + 1) {
        throw new BadMessage(`Message ${message.number} of ${id} is not the next one: ${last + 1} is.`);
      }
      // Everything but progress is kept here until the job ends.
      if (message.type !== 'events' || !message.events.every(isPassing)) bytes += size;
      if (bytes > MAX_ATTEMPT_BYTES)
        refuse(new AttemptRefused(`The messages of this job have more than ${MAX_ATTEMPT_BYTES} bytes.`));
      last = message.number;
      heardAt = clock();
      awaitsHistory = false;
      switch (message.type) {
        case 'events':
        case 'history':
          tell(message.events);
          return false;
        case 'end':
          assertEnd(message.outcome);
          for (const [nodeId, output] of Object.entries(message.outcome.outputs)) checkNames(nodeId, output);
          resolve(message.outcome as Outcome);
          return true;
        case 'lost':
          reject(new WorkerLost(message.cause, message.message));
          return true;
      }
    },
    lose: reject as (error: WorkerLost) => void,
  };
}

function typeOf(job: WorkerJob | undefined, nodeId: string): string | undefined {
  if (!job) return undefined;
  const graph = JSON.parse(job.graph) as Readonly<Record<string, { readonly class_type?: string }>>;
  return Object.hasOwn(graph, nodeId) ? graph[nodeId]?.class_type : undefined;
}

function isPassing({ type }: { readonly type: string }): boolean {
  return type === 'progress' || type === 'text';
}
