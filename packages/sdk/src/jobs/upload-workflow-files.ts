import { type FileInput, isFileInput } from '../files/file-input.ts';
import type { Files } from '../files/files.ts';
import { isObject } from '../is-object.ts';

/** Uploads the files in a workflow and replaces each by its name on the server. A file used twice is uploaded once. */
export async function uploadWorkflowFiles(
  json: unknown,
  files: Pick<Files, 'upload'>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const names = new Map<FileInput, string>();
  for (const input of new Set(filesIn(json))) names.set(input, (await files.upload(input, { signal })).name);
  return names.size === 0 ? json : replace(json, names);
}

function* filesIn(value: unknown): Generator<FileInput> {
  if (isFileInput(value)) yield value;
  else if (Array.isArray(value)) for (const part of value) yield* filesIn(part);
  else if (isObject(value)) for (const part of Object.values(value)) yield* filesIn(part);
}

function replace(value: unknown, names: ReadonlyMap<FileInput, string>): unknown {
  if (isFileInput(value)) return names.get(value);
  if (Array.isArray(value)) return value.map((part) => replace(part, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part, names)]));
}
