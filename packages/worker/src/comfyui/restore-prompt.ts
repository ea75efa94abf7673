import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Graph, pythonJson } from '@atelier/engine';
import { keyedText, PNG_SIGNATURE, textChunk } from '@atelier/nodes/png-chunks';

import type { Fetched } from './comfyui-client.ts';

const KEY = 'prompt';
const MAX_TEXT_BYTES = 32 * 2 ** 20;
/** ComfyUI writes its texts before the pixels. */
const MAX_CHUNKS = 100;

/** Undoes, in the graph that ComfyUI writes into files, what was changed before it was sent. */
export function createRestore(original: Graph, sent: Graph): (text: string) => string {
  const edits = Object.entries(sent).flatMap(([id, { inputs }]) =>
    Object.entries(inputs).flatMap(([name, value]) => editsOf(name, original[id]?.inputs[name], value)),
  );
  return (text) => edits.reduce((before, [from, to]) => before.replaceAll(from, to), text);
}

function editsOf(name: string, original: unknown, sent: unknown): (readonly [string, string])[] {
  if (sent === original) return [];
  const pair = (value: unknown): string => `${pythonJson(name)}: ${pythonJson(value)}`;
  if (original !== undefined) return [[pair(sent), pair(original)]];
  return [
    [`, ${pair(sent)}`, ''],
    [pair(sent), ''],
  ];
}

/** Puts the graph that the user submitted into a picture. Files without a graph stay as they are. */
export async function restorePng(
  file: Fetched,
  restore: (text: string) => string,
  newPath: () => Promise<string>,
): Promise<Fetched> {
  const found = await findPrompt(file);
  const text = found && restore(found.text);
  if (!found || text === found.text || text === undefined) return file;
  const chunk = textChunk([KEY, text]);
  if (typeof file !== 'string')
    return Buffer.concat([file.subarray(0, found.start), chunk, file.subarray(found.end)]);
  const restored = await newPath();
  const source = async function* () {
    yield* createReadStream(file, { end: found.start - 1 });
    yield chunk;
    yield* createReadStream(file, { start: found.end });
  };
  await pipeline(source, createWriteStream(restored, { mode: 0o600 }));
  return restored;
}

/** The text of the prompt in a PNG, and where its chunk starts and ends. */
async function findPrompt(file: Fetched) {
  if (typeof file !== 'string')
    return await findPromptBy(async (position, length) => file.subarray(position, position + length));
  await using handle = await open(file, 'r');
  return await findPromptBy(async (position, length) => await readPart(handle, position, length));
}

async function findPromptBy(readAt: (position: number, length: number) => Promise<Buffer>) {
  if (!(await readAt(0, PNG_SIGNATURE.length)).equals(PNG_SIGNATURE)) return undefined;
  const key = keyedText(KEY, '');
  let start = PNG_SIGNATURE.length;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await readAt(start, 8 + key.length);
    if (head.length < 8) return undefined;
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if (type === 'IDAT') return undefined;
    const end = start + length + 12;
    if (type === 'tEXt' && length <= MAX_TEXT_BYTES && head.subarray(8).equals(key)) {
      const text = await readAt(start + 8 + key.length, length - key.length);
      return { start, end, text: text.toString('latin1') };
    }
    start = end;
  }
  return undefined;
}

async function readPart(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
