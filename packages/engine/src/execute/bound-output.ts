import { randomUUID } from 'node:crypto';
import type { UiOutput } from '../declare/node-type.ts';
import type { JobFiles } from '../files.ts';
import { valueError } from '../node-error.ts';
import { fileRefOf } from './shown-files.ts';

/** For the output of a node as JSON, without references to files. */
export const MAX_NODE_OUTPUT_BYTES = 64 * 1024;
const MAX_JOB_OUTPUT_BYTES = 1024 * 1024;
/** Every node may show this much, which is less than the messages about the node take. */
const MIN_NODE_OUTPUT_BYTES = 256;
/** References up to this size are always kept, because nobody could find the files without them. */
const MAX_REFERENCE_BYTES = 4096;
/** For the references of all nodes of a job, which go into one message. */
const MAX_JOB_REFERENCE_BYTES = 4 * 1024 * 1024;

/**
 * Output is sent to every watcher and stored in the database, so it is cut in the process of the job, before anything else has to
 * copy it. An output that is cut goes to a file as a whole, and `files` names that file.
 */
export function createOutputBounds() {
  let left = MAX_JOB_OUTPUT_BYTES;
  let references = 0;
  return async (output: UiOutput, files: JobFiles): Promise<UiOutput> => {
    const room = Math.max(MIN_NODE_OUTPUT_BYTES, Math.min(MAX_NODE_OUTPUT_BYTES, left));
    const { kept, bytes } = cutOutput(output, room);
    references += Object.values(kept)
      .flat()
      .filter(isReference)
      .reduce<number>((sum, item) => sum + jsonBytes(item), 0);
    if (references > MAX_JOB_REFERENCE_BYTES)
      throw valueError(
        'The names of all files of a job take at most 4 MiB: save fewer files, or shorten filename_prefix.',
      );
    left -= Math.min(bytes, room);
    if (bytes <= room) return output;
    // A cached output may have been cut when it was made.
    if (output['files']?.some((item) => isReference(item) && Object(item).full_output === true)) return kept;
    return { ...kept, files: [...(kept['files'] ?? []), await keepWhole(output, files)] };
  };
}

/** Keeps what fits, in order. Texts may be cut, other values are kept or left out. `bytes` exceeds `room` if anything is missing. */
function cutOutput(output: UiOutput, room: number): { readonly kept: UiOutput; readonly bytes: number } {
  const kept: [string, readonly unknown[]][] = [];
  let bytes = 0;
  const fits = (more: number): boolean => {
    bytes += more;
    return bytes <= room;
  };
  for (const [key, items] of Object.entries(output)) {
    const hasRoom = fits(jsonBytes(key) + 4);
    const shown = items.flatMap((item) => {
      if (isReference(item)) return [item];
      const before = bytes;
      if (fits(jsonBytes(item) + 1)) return [item];
      return typeof item === 'string' && before < room ? [cutText(item, room - before)] : [];
    });
    if (hasRoom || shown.length > 0) kept.push([key, shown]);
  }
  return { kept: Object.fromEntries(kept), bytes };
}

/** Saves a single text as it is, and anything else as JSON. */
async function keepWhole(output: UiOutput, files: JobFiles) {
  const [item, ...others] = Object.values(output).flatMap((items) =>
    items.filter((each) => !isReference(each)),
  );
  const isText = typeof item === 'string' && others.length === 0;
  const name = `output_${randomUUID()}.${isText ? 'txt' : 'json'}`;
  const content = Buffer.from(isText ? item : JSON.stringify(output));
  await files.create({ folder: 'output', subfolder: '', name }, content);
  return { filename: name, subfolder: '', type: 'output', full_output: true };
}

function isReference(item: unknown): boolean {
  return fileRefOf(item) !== undefined && jsonBytes(item) <= MAX_REFERENCE_BYTES;
}

/** The beginning of a text that takes at most `maxBytes` as JSON. It never ends within a character. */
export function cutText(text: string, maxBytes: number): string {
  let [least, most] = [0, Math.min(text.length, maxBytes)];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (jsonBytes(headOf(text, middle)) <= maxBytes) least = middle;
    else most = middle - 1;
  }
  // A copy, because a slice would keep the whole text in memory.
  return JSON.parse(JSON.stringify(headOf(text, least))) as string;
}

function headOf(text: string, length: number): string {
  const endsWithin = (text.codePointAt(length - 1) ?? 0) > 0xff_ff;
  return text.slice(0, endsWithin ? length - 1 : length);
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
