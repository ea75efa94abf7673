import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS, type RunningServer } from '@atelier/testing';

import { type Answer, type Client, client } from './http-client.ts';
import { admin, newKey, newPerson, tokenOf } from './people.ts';

export const SKIN = '/proxy/imagevendor/v1/ai/skin-enhancer';
export const RELIGHT = '/proxy/imagevendor/v1/ai/image-relight';
export const VIDEO = '/proxy/videovendor';
export const MODES = ['faithful', 'creative', 'flexible'] as const;

/** Where image tasks are made. */
export const IMAGE_CREATES = [...MODES.map((mode) => `${SKIN}/${mode}`), RELIGHT];
export const VIDEO_CREATES = [`${VIDEO}/text2video`, `${VIDEO}/img2video`];

export const VIDEO_MODELS = [
  'clipq3-pro',
  'clipq2-pro-fast',
  'clipq2-pro',
  'clipq2-turbo',
  'clipq1',
  'clipq1-classic',
  'clip2.0',
] as const;
export type VideoModel = (typeof VIDEO_MODELS)[number];

/** Nothing is fetched from there by a server that renders nothing. */
export const PUBLIC_URL = 'https://93.184.215.14/face.png';

/** Settings of a server for requests and answers only: tasks stay as they were created. */
export const NOT_RENDERING = {
  ATELIER_RENDERERS: '0',
  ATELIER_TASKS_PER_USER: '1000',
  ATELIER_SKIN_CREDITS: '3',
  ATELIER_RELIGHT_CREDITS: '4',
};

/** What every answer about a task says that the server renders itself, when no word of its prompt is ignored. */
export const RENDERED_HERE = { made_by: 'local stand-in', ignored_words: [] as readonly string[] };

export const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

export interface TaskError {
  readonly code: string;
  readonly message: string;
}

export interface Origin {
  readonly made_by: string;
  readonly ignored_words?: readonly string[];
}

export interface ImageTask extends Origin {
  readonly task_id: string;
  readonly status: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  readonly generated: readonly string[];
  readonly error?: TaskError;
}

export interface VideoTask extends Origin {
  readonly task_id: string;
  readonly state: string;
  readonly credits: number;
  readonly created_at: string;
  readonly model: string;
  readonly prompt: string;
  readonly images: readonly string[];
  readonly duration: number;
  readonly resolution: string;
  readonly aspect_ratio: string;
  readonly seed: number;
  readonly style: string;
  readonly movement_amplitude: string;
  readonly audio: boolean;
  readonly bgm: boolean;
  readonly off_peak: boolean;
  readonly watermark: boolean;
  readonly payload: string;
}

export interface Creations extends Origin {
  readonly id: string;
  readonly state: 'created' | 'queueing' | 'processing' | 'success' | 'failed';
  readonly err_code: string;
  readonly err_msg: string;
  readonly creations: readonly {
    readonly id: string;
    readonly url: string;
    readonly cover_url: string;
    readonly watermarked_url?: string;
  }[];
  readonly credits: number;
  readonly payload: string;
  readonly progress: number;
  readonly bgm: boolean;
  readonly off_peak: boolean;
}

export interface ListedTask extends Origin {
  readonly id: string;
  readonly vendor: string;
  readonly kind: string;
  readonly state: string;
  readonly credits: number;
  readonly progress: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at?: string;
  readonly error?: TaskError;
}

export interface TaskPage {
  readonly tasks: readonly ListedTask[];
  readonly next_cursor?: string;
}

export interface Ledger {
  readonly balance: number;
  readonly entries: readonly {
    readonly kind: string;
    readonly amount: number;
    readonly reference: string;
  }[];
}

/** Somebody with credits and an API key, and no subscription: generating needs none. */
export interface Artist {
  readonly id: string;
  readonly key: string;
  readonly api: Client;
}

export async function newArtist(server: RunningServer, credits = 100_000): Promise<Artist> {
  const person = await newPerson(server);
  const owner = client(server.url, { bearer: await tokenOf(server, person) });
  if (credits > 0) {
    const { status } = await admin(server).post(`/admin/users/${person.id}/credits`, { amount: credits });
    assert.equal(status, 200);
  }
  const { secret } = await newKey(owner);
  return { id: person.id, key: secret, api: client(server.url, { apiKey: secret }) };
}

/** An image task that must be accepted. */
export async function createImage(api: Client, path: string, body: object): Promise<ImageTask> {
  const answer = await api.post<{ data: ImageTask }>(path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.data;
}

/** A video task that must be accepted. */
export async function createVideo(api: Client, body: object, route = 'text2video'): Promise<VideoTask> {
  const answer = await api.post<VideoTask>(`${VIDEO}/${route}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

export async function imageTask(api: Client, id: string, base = SKIN): Promise<ImageTask> {
  const { status, body } = await api.get<{ data: ImageTask }>(`${base}/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

export async function creationsOf(api: Client, id: string): Promise<Creations> {
  const { status, body } = await api.get<Creations>(`${VIDEO}/tasks/${id}/creations`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export async function tasksOf(api: Client, query = ''): Promise<TaskPage> {
  const { status, body } = await api.get<TaskPage>(`/proxy/tasks?${query}`);
  assert.equal(status, 200, query);
  return body;
}

export async function ledgerOf(api: Client): Promise<Ledger> {
  const { status, body } = await api.get<Ledger>('/customers/credits?limit=100');
  assert.equal(status, 200);
  return body;
}

const STEP_MS = 20;

/** Looks at a task until it has ended. Every look is kept, so that a test can check the states in between. */
async function looks<Task>(look: () => Promise<Task>, hasEnded: (task: Task) => boolean): Promise<Task[]> {
  const seen: Task[] = [];
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const task = await look();
    seen.push(task);
    if (hasEnded(task)) return seen;
    assert.ok(!deadline.aborted, `it has not ended: ${JSON.stringify(task)}`);
    await delay(STEP_MS);
  }
}

export async function imageLooks(api: Client, id: string, base = SKIN): Promise<ImageTask[]> {
  return await looks(
    async () => await imageTask(api, id, base),
    ({ status }) => status === 'COMPLETED' || status === 'FAILED',
  );
}

export async function videoLooks(api: Client, id: string): Promise<Creations[]> {
  return await looks(
    async () => await creationsOf(api, id),
    ({ state }) => state === 'success' || state === 'failed',
  );
}

/** The end of an image task, whatever it is. */
export async function endOfImage(api: Client, id: string, base = SKIN): Promise<ImageTask> {
  const last = (await imageLooks(api, id, base)).at(-1);
  assert.ok(last);
  return last;
}

/** The links of an image task, which must end well. */
export async function generated(api: Client, path: string, body: object): Promise<string> {
  const { task_id: id } = await createImage(api, path, body);
  const task = await endOfImage(api, id, path.startsWith(SKIN) ? SKIN : RELIGHT);
  assert.equal(task.status, 'COMPLETED', JSON.stringify(task));
  assert.equal(task.generated.length, 1);
  return task.generated[0] ?? '';
}

/** Whoever was only refused has no task and has paid nothing. */
export async function assertNothingMade(api: Client, what: string): Promise<void> {
  assert.deepEqual(await tasksOf(api), { tasks: [] }, what);
  const kinds = (await ledgerOf(api)).entries.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['grant'], what);
}

/** What an answer says for people, in either shape. */
export function told({ body }: Answer<Record<string, unknown>>): string {
  return [body['message'], ...((body['details'] as string[] | undefined) ?? [])].join(' ');
}
