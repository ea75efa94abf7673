import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ToWorker, WORKER_PATH, WORKER_SUBPROTOCOL } from '@atelier/contracts';
import { createCatalogue, describeNodes, loadPacks } from '@atelier/engine';
import type { RunningServer } from '@atelier/testing';
import { WebSocket } from 'ws';

import { admin } from './people.ts';
import { until } from './until.ts';

/** A worker token of the server's administrator. */
export async function newWorkerToken(
  server: RunningServer,
  body: { readonly name?: string; readonly labels?: readonly string[] } = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const answer = await admin(server).post<{ id: string; token: string }>('/admin/worker-tokens', {
    name: 'scripted',
    ...body,
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

type Received<T extends ToWorker['type']> = Extract<ToWorker, { readonly type: T }>;

/** A worker that says what a test tells it to. */
export interface ScriptedWorker extends Disposable {
  readonly instance: string;
  readonly socket: WebSocket;
  readonly received: readonly ToWorker[];
  say(message: object | string | Uint8Array): void;
  /** Waits for the next message of this type. */
  next<T extends ToWorker['type']>(type: T): Promise<Received<T>>;
  /** With what the server has ended the connection. */
  closed(): Promise<{ readonly code: number; readonly reason: string }>;
}

/** The built-in node types, as every worker describes them. */
export const NODE_TYPES = describeNodes(
  createCatalogue(await loadPacks({ modules: [import.meta.resolve('@atelier/nodes')], folders: [] })),
);

export function helloOf(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    type: 'hello',
    name: 'scripted',
    instance: randomUUID(),
    kind: 'built-in',
    version: '0.1.0',
    slots: 1,
    labels: [],
    memoryBytes: 2 ** 31,
    gpus: [],
    nodeTypes: hash('sha256', NODE_TYPES),
    models: {},
    ready: 1,
    attempts: [],
    ...changes,
  };
}

export function workerSocket(
  server: { readonly url: string },
  { token, protocol = WORKER_SUBPROTOCOL }: { readonly token: string; readonly protocol?: string | string[] },
): WebSocket {
  return new WebSocket(`${server.url.replace('http', 'ws')}${WORKER_PATH}`, protocol, {
    headers: { authorization: `Bearer ${token}` },
  });
}

/** Connects, says hello unless told otherwise, and answers questions about its node types. */
export async function connectWorker(
  server: { readonly url: string },
  token: string,
  { hello = helloOf(), nodeTypes = NODE_TYPES }: { hello?: object | null; nodeTypes?: string } = {},
): Promise<ScriptedWorker> {
  const socket = workerSocket(server, { token });
  const received: ToWorker[] = [];
  const taken = new Set<ToWorker>();
  let end: { readonly code: number; readonly reason: string } | undefined;
  const say = (message: object | string | Uint8Array): void =>
    socket.send(
      typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message),
    );
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as ToWorker;
    received.push(message);
    if (message.type === 'describe')
      say({ type: 'node_types', hash: hash('sha256', nodeTypes), body: nodeTypes });
  });
  socket.on('close', (code, reason) => {
    end = { code, reason: reason.toString() };
  });
  socket.on('error', () => {});
  await once(socket, 'open');
  if (hello) say(hello);
  return {
    instance: 'instance' in (hello ?? {}) ? String((hello as { instance: unknown }).instance) : '',
    socket,
    received,
    say,
    async next(type) {
      const found = await until(`a message ${type}`, () =>
        received.find((message) => message.type === type && !taken.has(message)),
      );
      taken.add(found);
      return found as Received<typeof type>;
    },
    closed: async () => await until('the end of the connection', () => end),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** What a worker says about a job that shows a text, in order. */
export function storyOf(jobId: string) {
  const job = { prompt_id: jobId };
  const timestamp = Date.now();
  const executedWith = (output: object) => ({
    type: 'executed',
    data: { ...job, node: 'show', display_node: 'show', output },
  });
  return {
    start: { type: 'execution_start', data: { ...job, timestamp } },
    cached: { type: 'execution_cached', data: { ...job, nodes: [], timestamp } },
    executing: { type: 'executing', data: { ...job, node: 'show', display_node: 'show' } },
    executedWith,
    executed: (text: string) => executedWith({ text: [text] }),
    success: { type: 'execution_success', data: { ...job, timestamp } },
    outcome: (text: string) => ({
      status: 'success',
      outputs: { show: { text: [text] } },
      meta: {},
      executed: ['show'],
    }),
  };
}
