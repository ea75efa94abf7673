import {
  FileExists,
  type FolderName,
  MAX_NAME_BYTES,
  type NodeContext,
  NodeError,
  toFilePath,
  valueError,
} from '@atelier/engine';

export interface SaveFolder {
  /** The values of `%width%` and `%height%`. */
  readonly width?: number;
  readonly height?: number;
  readonly folder?: FolderName;
}

/** The folder and name of the files of a prefix, and the first free number. */
export interface SavePath {
  readonly name: string;
  readonly subfolder: string;
  readonly counter: number;
}

/** A saved file as in messages. */
export interface SavedFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: FolderName;
}

/** The bytes of a new file, or a local file to move. */
export type SaveContent = Uint8Array | { readonly localPath: string };

export interface SaveOptions extends SaveFolder {
  /** The prefix is probably unused, so the folder, which may be large, is not searched for numbers. */
  readonly isNewPrefix?: boolean;
  /** The text after the number: `_.png` for most nodes, `.txt` for nodes without the underscore. */
  readonly ending: string;
}

type SaveContext = Pick<NodeContext, 'files' | 'now' | 'checkpoint'>;

/** Higher numbers are ignored, because one more must be another number. */
const MAX_COUNTER = Number.MAX_SAFE_INTEGER - 0x100000;
const MAX_TRIES = 100;
const MAX_PREFIX_LENGTH = 4096;

/**
 * Resolves the tokens and folders of a `filename_prefix`, and finds the number of the next file: one more than the highest of
 * the files `<name>_<number>…`, whatever their extension.
 */
export async function resolveSavePath(
  prefix: string,
  { folder = 'output', ...size }: SaveFolder,
  context: SaveContext,
): Promise<SavePath> {
  const { name, subfolder } = toNameAndFolder(prefix, size, context);
  return { name, subfolder, counter: await nextCounter(name, { subfolder, folder }, context) };
}

function toNameAndFolder(
  prefix: string,
  { width = 0, height = 0 }: SaveFolder,
  context: Pick<SaveContext, 'now'>,
) {
  if (prefix.length > MAX_PREFIX_LENGTH) throw nameTooLong(prefix);
  const path = splitPrefix(replaceTokens(prefix, { width, height, now: context.now() }));
  // Checked before anything is created. The number may still make the name too long.
  assertPath(`${path.name}_`, path.subfolder);
  return path;
}

/**
 * Saves each content as `<name>_<number><ending>`, with consecutive numbers. `%batch_num%` in the prefix is the index of the
 * content. A generator may make the contents one by one, so that only one encoded file is in memory.
 */
export async function saveNumbered(
  prefix: string,
  contents: Iterable<SaveContent> | AsyncIterable<SaveContent>,
  { ending, folder = 'output', isNewPrefix = false, ...size }: SaveOptions,
  context: SaveContext,
): Promise<readonly SavedFile[]> {
  const { name, subfolder } = toNameAndFolder(prefix, size, context);
  const saved: SavedFile[] = [];
  let next = isNewPrefix ? 1 : await nextCounter(name, { subfolder, folder }, context);
  for await (const content of contents) {
    context.checkpoint();
    const itsName = name.replaceAll('%batch_num%', String(saved.length));
    const number = await createNext(itsName, next, content, { ending, folder, subfolder }, context);
    saved.push({ filename: numberedName(itsName, number, ending), subfolder, type: folder });
    next = number + 1;
  }
  return saved;
}

/** Other jobs may take the number meanwhile; then a later one is used. */
async function createNext(
  name: string,
  first: number,
  content: SaveContent,
  { ending, folder, subfolder }: { ending: string; folder: FolderName; subfolder: string },
  context: SaveContext,
): Promise<number> {
  let number = first;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const ref = { folder, subfolder, name: numberedName(name, number, ending) };
    assertPath(ref.name, subfolder);
    try {
      if (content instanceof Uint8Array) await context.files.create(ref, content);
      else await context.files.adopt(ref, content.localPath);
      return number;
    } catch (error) {
      if (!(error instanceof FileExists)) throw error;
      // The folder was searched for the name without its index.
      number = Math.max(number + 1, await nextCounter(name, { subfolder, folder }, context));
    }
  }
  throw new NodeError('FileExistsError', `No free number was found for ${name} in ${MAX_TRIES} tries.`);
}

function numberedName(name: string, number: number, ending: string): string {
  return `${name}_${String(number).padStart(5, '0')}${ending}`;
}

/** Disks allow longer names than the server, which would not keep the file. */
function assertPath(name: string, subfolder: string): void {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw nameTooLong(name);
  if (toFilePath(name, subfolder)) return;
  const path = subfolder === '' ? name : `${subfolder}/${name}`;
  throw valueError(
    `filename_prefix makes the path ${JSON.stringify(path.slice(0, 40))}, which a file cannot have: leave out control characters and \
drives, and keep each name below 255 bytes and all of it below 1024 characters.`,
  );
}

function nameTooLong(name: string): NodeError {
  return new NodeError(
    'OSError',
    `The file name is too long: shorten filename_prefix (${name.slice(0, 40)}…).`,
  );
}

function replaceTokens(
  prefix: string,
  { width, height, now }: { readonly width: number; readonly height: number; readonly now: Date },
): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return prefix
    .replaceAll('%width%', String(width))
    .replaceAll('%height%', String(height))
    .replaceAll('%year%', String(now.getFullYear()))
    .replaceAll('%month%', two(now.getMonth() + 1))
    .replaceAll('%day%', two(now.getDate()))
    .replaceAll('%hour%', two(now.getHours()))
    .replaceAll('%minute%', two(now.getMinutes()))
    .replaceAll('%second%', two(now.getSeconds()));
}

/**
 * Splits the normalized prefix into folders and name. A backslash separates folders too, so that a prefix means the same
 * place on every machine.
 */
function splitPrefix(prefix: string): { readonly name: string; readonly subfolder: string } {
  const path = prefix.replaceAll('\\', '/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  // As for an empty path in Python, the name of an empty prefix is a dot.
  const name = parts.pop() ?? '.';
  if (path.startsWith('/') || parts.includes('..') || path.includes('\0')) {
    throw new NodeError(
      'Exception',
      'Saving outside the output folder is not allowed: check filename_prefix.',
    );
  }
  return { name, subfolder: parts.join('/') };
}

async function nextCounter(
  name: string,
  { subfolder, folder }: { readonly subfolder: string; readonly folder: FolderName },
  { files }: SaveContext,
): Promise<number> {
  const start = normalCase(`${name}_`);
  let highest = 0;
  for (const file of await files.list(folder, subfolder, `${name}_`)) {
    if (!normalCase(file).startsWith(start)) continue;
    const digits = /^\s*\+?(\d+)\s*(?:[._]|$)/.exec(file.slice(start.length))?.[1];
    const number = Number(digits ?? 0);
    if (number <= MAX_COUNTER) highest = Math.max(highest, number);
  }
  return highest + 1;
}

function normalCase(name: string): string {
  return process.platform === 'win32' ? name.toLowerCase() : name;
}
