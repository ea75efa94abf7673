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
  /** What `%width%` and `%height%` stand for. */
  readonly width?: number;
  readonly height?: number;
  readonly folder?: FolderName;
}

/** Where files of a prefix go, and the first number that is free there. */
export interface SavePath {
  readonly name: string;
  readonly subfolder: string;
  readonly counter: number;
}

/** A saved file as messages name it. */
export interface SavedFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: FolderName;
}

/** The bytes of a new file, or a finished local file that is moved in place. */
export type SaveContent = Uint8Array | { readonly localPath: string };

export interface SaveOptions extends SaveFolder {
  /** The prefix is not likely to have been used: the folder, which may be large, is not searched for its numbers. */
  readonly isNewPrefix?: boolean;
  /** What follows the number: `_.png` for most nodes, `.txt` for those without the underscore. */
  readonly ending: string;
}

type SaveContext = Pick<NodeContext, 'files' | 'now' | 'checkpoint'>;

/** Numbers above this are not counted: one more must still be another number. */
const MAX_COUNTER = Number.MAX_SAFE_INTEGER - 0x100000;
const MAX_TRIES = 100;
const MAX_PREFIX_LENGTH = 4096;

/**
 * Resolves a `filename_prefix`: its tokens, its sub-folders, and the number of the next file. The number is one more
 * than the highest of the files `<name>_<number>…` in the folder, whatever their extension.
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
  // Before anything is made or looked for there. The number may still make it too long.
  assertPath(`${path.name}_`, path.subfolder);
  return path;
}

/**
 * Saves each content as `<name>_<number><ending>`, with numbers in a row. `%batch_num%` in the prefix is the index of
 * the content. A generator may make the contents one by one, so that only one encoded file is in memory.
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

/** Jobs run side by side: whoever finds a number taken takes a later one. */
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
      // A name with its index in it was not what the folder was searched for.
      number = Math.max(number + 1, await nextCounter(name, { subfolder, folder }, context));
    }
  }
  throw new NodeError('FileExistsError', `No free number was found for ${name} in ${MAX_TRIES} tries.`);
}

function numberedName(name: string, number: number, ending: string): string {
  return `${name}_${String(number).padStart(5, '0')}${ending}`;
}

/** Disks take more than the server, which would not keep the file. */
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
 * The folder part and the last part of the normalized prefix. A backslash separates folders as it does where many
 * workflows are made, so that one prefix means one place on every machine.
 */
function splitPrefix(prefix: string): { readonly name: string; readonly subfolder: string } {
  const path = prefix.replaceAll('\\', '/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  // Like a path of nothing, an empty prefix is the folder itself, whose name is a dot.
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
