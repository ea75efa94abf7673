import { once } from 'node:events';
import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

import type { ExportedFile } from './exported-file.ts';

const MISSING_FILE = 'missing-files.txt';
const MAX_MISSING = 100_000;

/**
 * A ZIP archive as a stream. Each file is opened when the previous one is written, so that nothing is read ahead. A failure
 * ends the stream with an error, without a valid archive.
 */
export function writeArchive(files: AsyncIterable<ExportedFile>): Readable {
  const zip = new ZipFile();
  const stopping = new AbortController();
  const { signal } = stopping;
  // Its type lacks `destroy`.
  const output = zip.outputStream as PassThrough;
  output.once('close', () => stopping.abort());
  zip.on('error', (error: Error) => output.destroy(error));
  addAll(zip, files, signal).then(
    () => zip.end(),
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}

async function addAll(zip: ZipFile, files: AsyncIterable<ExportedFile>, signal: AbortSignal): Promise<void> {
  const names = new Set<string>();
  const missing: string[] = [];
  for await (const file of files) {
    signal.throwIfAborted();
    const name = uniqueName(cleanPath(file.path), names);
    const stream = await file.open();
    if (stream) await add(zip, name, stream, { compress: !file.isPacked, signal });
    else if (missing.length < MAX_MISSING) missing.push(name);
  }
  if (missing.length > 0)
    await add(zip, MISSING_FILE, Readable.from([`${missing.join('\n')}\n`]), { compress: true, signal });
}

async function add(
  zip: ZipFile,
  name: string,
  stream: Readable,
  { compress, signal }: { readonly compress: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const onAbort = () => stream.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const ended = once(stream, 'end', { signal });
    zip.addReadStream(stream, name, { compress });
    await ended;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Safe to unpack on every system. */
function cleanPath(path: string): string {
  const parts = path
    .split('/')
    .map((part) => part.replaceAll(/[\\:*?"<>|\p{Cc}]/gu, '_').trim())
    .map((part) => (/^\.*$/.test(part) ? `_${part}` : part));
  return parts.join('/');
}

function uniqueName(name: string, names: Set<string>): string {
  const dot = name.lastIndexOf('.') > name.lastIndexOf('/') ? name.lastIndexOf('.') : name.length;
  let unique = name;
  for (let count = 2; names.has(unique.toLowerCase()); count += 1)
    unique = `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
  names.add(unique.toLowerCase());
  return unique;
}
