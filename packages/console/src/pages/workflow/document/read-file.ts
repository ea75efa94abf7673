import { loadWorkflow, WorkflowInputError } from '@atelier/sdk';

import { isObject, type Json } from './json.ts';
import { textsInMp4 } from './texts-in-mp4.ts';
import { textsInPng } from './texts-in-png.ts';
import { textsInWebp } from './texts-in-webp.ts';

/** The size limit for files that are searched for a workflow. */
const MAX_BYTES = 256 * 2 ** 20;

/** The generation metadata of a file by name: `workflow` and `prompt`. */
export type Texts = ReadonlyMap<string, string>;

/** The file contains no workflow. The page reports it in the user's language. */
export class NoWorkflowError extends Error {
  override readonly name = 'NoWorkflowError';
}

/** Reads a workflow in either format: a JSON file, or one in a PNG, WebP or MP4. */
export async function readWorkflowFile(file: Blob): Promise<Json> {
  if (file.size > MAX_BYTES) throw new NoWorkflowError();
  const bytes = new Uint8Array(await file.arrayBuffer());
  const texts = textsIn(bytes);
  if (!texts) return parseWorkflow(new TextDecoder().decode(bytes));
  // The editor format has more: positions, groups, notes.
  for (const name of ['workflow', 'prompt']) {
    const text = texts.get(name);
    if (text === undefined) continue;
    try {
      return parseWorkflow(text);
    } catch (error) {
      if (!(error instanceof WorkflowInputError)) throw error;
    }
  }
  throw new NoWorkflowError();
}

/** A workflow as JSON text; integers of any size stay exact. Throws a `WorkflowInputError`. */
export function parseWorkflow(text: string): Json {
  return plain(loadWorkflow(text).toJSON());
}

/** `undefined` for a file of another type, which may be JSON. */
function textsIn(bytes: Uint8Array): Texts | undefined {
  const ascii = (from: number, to: number) => String.fromCodePoint(...bytes.subarray(from, to));
  if (ascii(1, 4) === 'PNG') return textsInPng(bytes);
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return textsInWebp(bytes);
  if (ascii(4, 8) === 'ftyp') return textsInMp4(bytes);
  // Other picture formats are not supported.
  return bytes[0] === 0xff || ascii(0, 4) === 'GIF8' ? new Map() : undefined;
}

function plain(value: unknown): Json {
  if (!isObject(value)) throw new NoWorkflowError();
  return value;
}
