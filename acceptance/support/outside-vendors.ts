import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS, type ScriptedAnswer, startScriptedVendor, type VendorRequest } from '@atelier/testing';

import { until } from './until.ts';
import { hugePng, pngChunk } from './user-files.ts';

/** How a task stands with the vendor. */
type Standing = 'queued' | 'running' | 'done';
/** Or what the vendor does instead of telling. */
type Look = Standing | ScriptedAnswer;

type Create = 'begin' | ScriptedAnswer;
type Fetch = 'hand-over' | ScriptedAnswer;

/** What the vendors do with the task of a prompt. Each list in order, its last forever. */
export interface Plan {
  /** To each request that shall begin it; `begin` as vendors do when all is well. */
  readonly create?: readonly Create[];
  /** The answer that it has begun waits for this. */
  readonly begunAfter?: Promise<unknown>;
  /** Stage by stage, however often it is asked in one; every call back is of the next stage. */
  readonly looks?: readonly Look[];
  /** To each request for what was made; `hand-over` when all is well. */
  readonly results?: readonly Fetch[];
}

interface VendorTask {
  readonly id: string;
  readonly prompt: string;
  readonly isVideo: boolean;
  readonly callbackUrl: string;
  stage: number;
  /** Whether it was asked about in this stage. */
  isSeen: boolean;
  fetches: number;
  calls: number;
}

export interface OutsideVendors extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  /** For a server that shall use them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly requests: readonly VendorRequest[];
  plan(prompt: string, plan: Plan): void;
  /** The requests that were to begin the task of a prompt. */
  creates(prompt: string): readonly VendorRequest[];
  /** Its link for calls back, once it has begun. */
  callbackUrl(prompt: string): Promise<string>;
  /** Calls back as vendors do when something has changed, until it is asked how the task stands. */
  tell(serverUrl: string, prompt: string, body?: object): Promise<void>;
  /** The bytes that it made for a prompt. */
  resultOf(prompt: string): Buffer;
  /** Calls back about everything that it has begun, some times each, until it is asked. */
  keepTelling(serverUrl: () => string, signal: AbortSignal): Promise<void>;
}

/** What the server sends as its credential; it may never show. */
export const VENDOR_KEY = 'vendor-key-6b1f0c9de27a4385';
/** Vendors reach the server here; tests put its real address in the place. */
export const PUBLIC_URL = 'https://atelier.example';

const IMAGES = '/v1/ai/image-relight';
const VIDEOS = '/ent/v2';
const STEP_MS = 10;
const MAX_CALLS = 5;

/** The image vendor and the video vendor of the public APIs on one loopback address, which do what the test has planned. */
export async function startOutsideVendors(): Promise<OutsideVendors> {
  const script = await startScriptedVendor();
  const plans = new Map<string, Plan>();
  const tasks: VendorTask[] = [];
  const attempts = new Map<string, number>();
  const isTold = new Set<VendorTask>();
  const taskOf = (prompt: string) => tasks.findLast((task) => task.prompt === prompt);

  function create(request: VendorRequest, isVideo: boolean): ScriptedAnswer {
    const body = request.json() as Readonly<Record<string, string>>;
    const prompt = body['prompt'] ?? '';
    const tried = attempts.get(prompt) ?? 0;
    attempts.set(prompt, tried + 1);
    const plan = plans.get(prompt);
    const answer = nth<Create>(plan?.create ?? ['begin'], tried);
    if (answer !== 'begin') return answer;
    const callbackUrl = body[isVideo ? 'callback_url' : 'webhook_url'] ?? '';
    const task = {
      id: randomUUID(),
      prompt,
      isVideo,
      callbackUrl,
      stage: 0,
      isSeen: false,
      fetches: 0,
      calls: 0,
    };
    tasks.push(task);
    return { after: Promise.resolve(plan?.begunAfter), body: bodyOf(task, 'queued', script.origin) };
  }

  function look({ path }: VendorRequest): ScriptedAnswer {
    const task = tasks.find(({ id }) => path.includes(id));
    if (!task) return { status: 404, body: { message: 'unknown' } };
    const answer = nth<Look>(plans.get(task.prompt)?.looks ?? ['done'], task.stage);
    task.isSeen = true;
    return typeof answer === 'string' ? { body: bodyOf(task, answer, script.origin) } : answer;
  }

  script.on(`POST ${IMAGES}`, (request) => create(request, false));
  script.on(`GET ${IMAGES}/:id`, look);
  for (const route of ['text2video', 'img2video']) {
    script.on(`POST ${VIDEOS}/${route}`, (request) => create(request, true));
  }
  script.on(`GET ${VIDEOS}/tasks/:id/creations`, look);
  script.on('GET /results/:id', ({ path }) => {
    const task = tasks.find(({ id }) => path.endsWith(id));
    if (!task) return { status: 404 };
    const answer = nth<Fetch>(plans.get(task.prompt)?.results ?? ['hand-over'], task.fetches);
    task.fetches += 1;
    return answer === 'hand-over' ? { body: bytesOf(task) } : answer;
  });

  const callbackUrl = async (prompt: string) =>
    (await until('the vendor to begin', () => taskOf(prompt))).callbackUrl;
  const call = async (serverUrl: string, link: string, body: object): Promise<number> => {
    const { pathname, search } = new URL(link);
    const answer = await fetch(serverUrl + pathname + search, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  };

  return {
    port: script.port,
    origin: script.origin,
    requests: script.requests,
    settings: {
      ATELIER_IMAGE_VENDOR_URL: script.origin,
      ATELIER_IMAGE_VENDOR_KEY: VENDOR_KEY,
      ATELIER_VIDEO_VENDOR_URL: script.origin,
      ATELIER_VIDEO_VENDOR_KEY: VENDOR_KEY,
      ATELIER_PUBLIC_URL: PUBLIC_URL,
    },
    plan: (prompt, plan) => void plans.set(prompt, plan),
    creates: (prompt) =>
      script.requests.filter(
        (request) => request.method === 'POST' && request.body.includes(JSON.stringify(prompt)),
      ),
    callbackUrl,
    async tell(serverUrl, prompt, body = {}) {
      const task = await until('the vendor to begin', () => taskOf(prompt));
      if (isTold.has(task)) Object.assign(task, { stage: task.stage + 1, isSeen: false });
      isTold.add(task);
      const deadline = AbortSignal.timeout(PATIENCE_MS);
      // The answer to the create may still be on its way into the database: then the first call comes too early.
      while (!task.isSeen) {
        assert.equal(await call(serverUrl, task.callbackUrl, body), 204);
        await delay(STEP_MS);
        assert.ok(!deadline.aborted, `nobody asked about ${prompt}`);
      }
    },
    resultOf(prompt) {
      const task = taskOf(prompt);
      assert.ok(task, `the vendor made nothing for ${prompt}`);
      return bytesOf(task);
    },
    async keepTelling(serverUrl, signal) {
      while (!signal.aborted) {
        for (const task of tasks.filter(({ isSeen, calls }) => !isSeen && calls < MAX_CALLS)) {
          // The server is killed again and again; a vendor only sees that nobody answers.
          if ((await call(serverUrl(), task.callbackUrl, {}).catch(() => 0)) === 204) task.calls += 1;
        }
        await delay(5 * STEP_MS);
      }
    },
    [Symbol.asyncDispose]: async () => await script.close(),
  };
}

function nth<T>(list: readonly T[], index: number): T {
  const found = list[Math.min(index, list.length - 1)];
  if (found === undefined) throw new Error('a plan without steps');
  return found;
}

const IMAGE_WORDS = { queued: 'CREATED', running: 'IN_PROGRESS', done: 'COMPLETED' } as const;
const VIDEO_WORDS = { queued: 'queueing', running: 'processing', done: 'success' } as const;

/** In the wire format of the vendor. */
function bodyOf({ id, isVideo }: VendorTask, standing: Standing, origin: string): object {
  const url = `${origin}/results/${id}`;
  const isDone = standing === 'done';
  if (!isVideo) {
    return { data: { task_id: id, status: IMAGE_WORDS[standing], generated: isDone ? [url] : [] } };
  }
  return {
    task_id: id,
    id,
    state: VIDEO_WORDS[standing],
    err_code: '',
    credits: 4,
    ...(standing === 'running' && { progress: 40 }),
    creations: isDone ? [{ id, url, cover_url: '', watermarked_url: '' }] : [],
  };
}

/** A picture or video that no other task has. */
function bytesOf({ id, isVideo }: VendorTask): Buffer {
  const own = Buffer.from(`task\0${id}`);
  if (!isVideo) {
    const picture = hugePng(4, 3);
    return Buffer.concat([picture.subarray(0, -12), pngChunk('tEXt', own), picture.subarray(-12)]);
  }
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isommp42')), box('free', own)]);
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}
