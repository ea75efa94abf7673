import { isObject } from '@atelier/contracts/is-object';

import { type ComfyClient, Refusal, Unreachable } from './comfyui-client.ts';
import { fieldsOf, listOf } from './read-fields.ts';
import { type HistoryEntry, readHistory } from './read-history.ts';

/** Where a prompt is at ComfyUI. One that is in neither queue nor history was lost, or never arrived. */
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
  // Other clients may have filled the queue with large graphs.
  const queue = await client.get('/queue', { maxBytes: MAX_BYTES });
  // An unreadable answer does not mean that the prompt is gone.
  if (!isObject(queue)) throw new Unreachable('an answer that is not JSON', undefined);
  const running = idsIn(queue['queue_running']);
  if (running.includes(id)) return { at: 'running' };
  if (idsIn(queue['queue_pending']).includes(id)) return { at: 'pending', isIdle: running.length === 0 };
  // It may have ended in between; ComfyUI moves it in one step.
  const entry = await readEntry(client, id);
  return entry ? { at: 'history', entry } : { at: 'gone' };
}

async function readEntry(client: ComfyClient, id: string): Promise<HistoryEntry | undefined> {
  return readHistory(await client.get(`/history/${id}`, { maxBytes: MAX_BYTES }), id);
}

function idsIn(items: unknown): readonly string[] {
  return listOf(items).map((item) => String(listOf(item)[1]));
}

/** The field in the extra data of a prompt that names the worker that submitted it. */
export const OWNER = 'atelier_worker';

/** The prompts that wait, run or have ended recently. */
export async function listPrompts(client: ComfyClient) {
  const queue = fieldsOf(await client.get('/queue', { maxBytes: MAX_BYTES }));
  const history = await client.get(`/history?max_items=${MAX_LISTED}`, { maxBytes: MAX_BYTES });
  const ended = Object.values(fieldsOf(history)).map((entry) => fieldsOf(entry)['prompt']);
  const list = (items: readonly unknown[], hasEnded: boolean) =>
    items.filter(Array.isArray).map((item: readonly unknown[]) => ({
      id: String(item[1]),
      owner: fieldsOf(item[3])[OWNER],
      hasEnded,
    }));
  const waiting = [...listOf(queue['queue_running']), ...listOf(queue['queue_pending'])];
  return [...list(waiting, false), ...list(ended, true)];
}

/** Always by id, because a cancel without one would stop another user's prompt. */
export async function cancelPrompt(client: ComfyClient, id: string): Promise<void> {
  try {
    await client.post(`/api/jobs/${id}/cancel`, '{}');
  } catch (error) {
    // Versions before 0.26 do not have this route.
    if (!(error instanceof Refusal && (error.status === 404 || error.status === 405))) throw error;
    await client.post('/queue', JSON.stringify({ delete: [id] }));
    await client.post('/interrupt', JSON.stringify({ prompt_id: id }));
  }
}

/** Removes a prompt from the history, which has whole graphs and is open to everyone who can reach ComfyUI. */
export async function forgetPrompt(client: ComfyClient, id: string): Promise<void> {
  await client.post('/history', JSON.stringify({ delete: [id] }));
}
