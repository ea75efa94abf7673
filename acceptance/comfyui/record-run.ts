import { randomUUID } from 'node:crypto';

import { type Frame, type Message, watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import type { Workflow } from '../support/workflows.ts';
import type { Case } from './case.ts';
import { type Answer, call, download, type Side } from './side.ts';

/** Real models take their time on a CPU. */
const RUN_MS = 600_000;

export interface FileShown {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** What somebody sees of one run. */
export interface Recording {
  readonly promptId: string;
  readonly answer: Answer;
  /** Everything the socket said from the submission to the end. */
  readonly frames: readonly Frame[];
  /** Its entry in history, if it was accepted. */
  readonly entry: HistoryEntry | undefined;
  readonly files: ReadonlyMap<string, Buffer>;
}

export interface HistoryEntry {
  readonly outputs: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  readonly status: { readonly status_str: string; readonly completed: boolean };
  readonly meta: unknown;
}

/** Submits the workflow of a case and records what happens to it. */
export async function recordRun(
  side: Side,
  { submission = {}, cancelsAt }: Pick<Case, 'submission' | 'cancelsAt'>,
  prompt: Workflow,
): Promise<Recording> {
  const clientId = randomUUID();
  using watcher = await watch(side.url, side.key, {
    clientId,
    flags: { supports_preview_metadata: true },
  });
  const answer = await call(side, '/prompt', {
    json: { prompt, client_id: clientId, ...submission },
  });
  if (answer.status !== 200) return { promptId: '', answer, frames: [], entry: undefined, files: new Map() };
  const { prompt_id: promptId } = answer.body as { prompt_id: string };
  const about = (test: (message: Message) => boolean) =>
    watcher.messages().some((message) => message.data['prompt_id'] === promptId && test(message));
  const isOver = () => about(({ type, data }) => type === 'executing' && data['node'] === null);
  if (cancelsAt !== undefined) {
    const isAtStep2 = ({ type, data }: Message) =>
      type === 'progress' && data['node'] === cancelsAt && Number(data['value']) >= 2;
    await until(`a step of ${cancelsAt}`, () => about(isAtStep2), RUN_MS);
    await call(side, '/interrupt', { json: { prompt_id: promptId } });
  }
  await until(`the end of ${promptId} at ${side.name}`, isOver, RUN_MS);
  const entry = await until('its entry in history', async () => {
    const { body } = await call(side, `/history/${promptId}`);
    return (body as Record<string, HistoryEntry>)[promptId];
  });
  return { promptId, answer, frames: watcher.frames, entry, files: await downloadAll(side, entry) };
}

async function downloadAll(side: Side, { outputs }: HistoryEntry): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const shown of Object.values(outputs).flatMap((output) => Object.values(output).flat())) {
    if (!isFile(shown)) continue;
    const { filename, subfolder, type } = shown;
    const query = new URLSearchParams({ filename, subfolder, type });
    files.set(`${type}/${subfolder}/${filename}`, await download(side, `/view?${query}`));
  }
  return files;
}

function isFile(shown: unknown): shown is FileShown {
  return typeof shown === 'object' && shown !== null && 'filename' in shown && 'type' in shown;
}
