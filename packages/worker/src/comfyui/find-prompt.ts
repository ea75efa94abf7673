import { isObject } from '@atelier/contracts/is-object';

import { type ComfyClient, Refusal, Unreachable } from './comfyui-client.ts';
import { type HistoryEntry, readHistory } from './read-history.ts';

/** Where a prompt is at ComfyUI. What is in neither queue nor history is gone, and never was there or was lost. */
export type PromptPlace =
  | { readonly at: 'history'; readonly entry: HistoryEntry }
  | { readonly at: 'running' }
  /** `isIdle`: nothing runs before it. */
  | { readonly at: 'pending'; readonly isIdle: boolean }
  | { readonly at: 'gone' };

const MAX_BYTES = 256 * 2 ** 20;
const MAX_LISTED = 500;

/** History and queue are the truth about a prompt; the socket may miss anything. */
export async function findPrompt(client: ComfyClient, id: string): Promise<PromptPlace> {
  const ended = await readEntry(client, id);
  if (ended) return { at: 'history', entry: ended };
  // Others may have filled the queue with large graphs.
  const queue = await client.get('/queue', { maxBytes: MAX_BYTES });
  // What cannot be read does not say that the prompt is gone.
  if (!isObject(queue)) throw new Unreachable('an answer that is not JSON', undefined);
  const running = idsIn(queue, 'queue_running');
  if (running.includes(id)) return { at: 'running' };
  if (idsIn(queue, 'queue_pending').includes(id)) return { at: 'pending', isIdle: running.length === 0 };
  // It may have ended in between; ComfyUI moves it in one step.
  const entry = await readEntry(client, id);
  return entry ? { at: 'history', entry } : { at: 'gone' };
}

async function readEntry(client: ComfyClient, id: string): Promise<HistoryEntry | undefined> {
  return readHistory(await client.get(`/history/${id}`, { maxBytes: MAX_BYTES }), id);
}

function idsIn(queue: unknown, name: string): readonly string[] {
  return itemsIn(queue, name).map((item) => String(Array.isArray(item) ? item[1] : ''));
}

function itemsIn(queue: unknown, name: string): readonly unknown[] {
  const items: unknown = isObject(queue) ? queue[name] : undefined;
  return Array.isArray(items) ? items : [];
}

/** In the extra data of a prompt: which worker has submitted it. */
export const OWNER = 'atelier_worker';

interface ListedPrompt {
  readonly id: string;
  readonly owner: unknown;
  readonly hasEnded: boolean;
}

/** What waits, runs and has ended lately. */
export async function listPrompts(client: ComfyClient): Promise<readonly ListedPrompt[]> {
  const queue = await client.get('/queue', { maxBytes: MAX_BYTES });
  const history = await client.get(`/history?max_items=${MAX_LISTED}`, { maxBytes: MAX_BYTES });
  const ended = Object.values(isObject(history) ? history : {}).map((entry) =>
    isObject(entry) ? entry['prompt'] : undefined,
  );
  const list = (items: readonly unknown[], hasEnded: boolean): ListedPrompt[] =>
    items.filter(Array.isArray).map((item: readonly unknown[]) => ({
      id: String(item[1]),
      owner: isObject(item[3]) ? item[3][OWNER] : undefined,
      hasEnded,
    }));
  const waiting = [...itemsIn(queue, 'queue_running'), ...itemsIn(queue, 'queue_pending')];
  return [...list(waiting, false), ...list(ended, true)];
}

/** Never without an id: that would stop another user's prompt. */
export async function cancelPrompt(client: ComfyClient, id: string): Promise<void> {
  try {
    await client.post(`/api/jobs/${id}/cancel`, '{}');
  } catch (error) {
    // Versions before 0.26 do not have it.
    if (!(error instanceof Refusal && (error.status === 404 || error.status === 405))) throw error;
    await client.post('/queue', JSON.stringify({ delete: [id] }));
    await client.post('/interrupt', JSON.stringify({ prompt_id: id }));
  }
}

/** History has whole graphs, and is open to all who reach ComfyUI. */
export async function forgetPrompt(client: ComfyClient, id: string): Promise<void> {
  await client.post('/history', JSON.stringify({ delete: [id] }));
}
