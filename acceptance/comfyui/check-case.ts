import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { toForm } from '../support/user-files.ts';
import { type Case, node, type Upload } from './case.ts';
import { compareRuns } from './compare-runs.ts';
import { type Recording, recordRun } from './record-run.ts';
import { call, type Side } from './side.ts';

interface Sides {
  readonly comfyUi: Side;
  readonly atelier: Side;
}

/** Runs a case at both sides. Returns what differs. */
export async function checkCase(one: Case, { comfyUi, atelier }: Sides): Promise<string[]> {
  // Built-in types would run at Atelier itself.
  const extra = { worker_labels: ['comfyui'], ...(one.submission?.['extra_data'] as object | undefined) };
  const labeled = one.needsModels ? one : { ...one, submission: { ...one.submission, extra_data: extra } };
  const prefix = `atelier-test/${randomUUID()}`;
  const direct = await record(one, { side: comfyUi, comfyUi, prefix });
  const through = await record(labeled, { side: atelier, comfyUi, prefix });
  return direct.flatMap((recording, index) => {
    const [ends, expected] = [endOf(recording), one.ends ?? 'success'];
    const other = through[index];
    if (ends !== expected || !other) return [`ComfyUI ends it as ${ends}, not as ${expected}`];
    return compareRuns(recording, other, {
      isRepeated: index > 0 && isDeepStrictEqual(one.workflow('', index - 1), one.workflow('', index)),
      isCancelled: one.cancelsAt !== undefined,
      answersOtherwise: one.answersOtherwise !== undefined,
    });
  });
}

interface Place {
  readonly side: Side;
  readonly comfyUi: Side;
  readonly prefix: string;
}

async function record(one: Case, { side, comfyUi, prefix }: Place): Promise<Recording[]> {
  for (const upload of one.uploads ?? []) await send(side, upload);
  await forgetResults(comfyUi);
  const recordings: Recording[] = [];
  for (let run = 0; run < (one.runs ?? 1); run += 1)
    recordings.push(await recordRun(side, one, one.workflow(prefix, run)));
  return recordings;
}

async function send(side: Side, { name, bytes, subfolder = '' }: Upload): Promise<void> {
  const form = toForm([
    ['image', await bytes(), name],
    ['subfolder', subfolder],
    ['overwrite', 'true'],
  ]);
  const { status, body } = await call(side, '/upload/image', { form });
  if (status !== 200) throw new Error(`${side.name} did not take ${name}: ${JSON.stringify(body)}`);
}

/** So that both sides begin alike. ComfyUI does it before or after its next prompt, so it is given one. */
async function forgetResults(comfyUi: Side): Promise<void> {
  await call(comfyUi, '/free', { json: { free_memory: true } });
  await recordRun(comfyUi, {}, { '1': node('PreviewAny', { source: 'forget' }) });
}

function endOf({ answer, entry, frames }: Recording): string {
  if (answer.status !== 200) return 'refused';
  const { node_errors: errors } = answer.body as { node_errors: object };
  if (Object.keys(errors).length > 0) return 'partly refused';
  const isInterrupted = frames.some((frame) => 'type' in frame && frame.type === 'execution_interrupted');
  return isInterrupted ? 'interrupted' : (entry?.status.status_str ?? 'nothing');
}
