import { extname, parse } from 'node:path';
import {
  assertShownInFolder,
  FileExists,
  type FileRef,
  type FolderName,
  type JobFiles,
} from '@atelier/engine';
import type { Outcome } from '@atelier/engine/runner';
import { resolveSavePath, type SavedFile } from '@atelier/nodes/save-path';

import { type ComfyClient, type Fetched, Refusal, TooLarge } from './comfyui-client.ts';
import { restorePng } from './restore-prompt.ts';

type Output = Outcome['outputs'][string];

interface Parts {
  readonly client: Pick<ComfyClient, 'download'>;
  readonly files: JobFiles;
  /** The folder of this attempt, in each folder of ComfyUI. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Undoes what was changed in the graph. */
  readonly restore: (text: string) => string;
  /** Undoes it in a text that a node shows. */
  readonly clean: (text: string) => string;
  readonly maxFileBytes?: number;
}

/** A file that ComfyUI names but does not deliver. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
}

const MAX_FILE_BYTES = 16 * 2 ** 30;
const MAX_TRIES = 100;
/** `name_00001_.png`, `name_00001.mp4`, `name_00001-audio.mp4`. */
const NUMBERED = /^(.+)_(\d{5,15})(\D.*)?$/s;

/** Takes what nodes show of files in as files of the user: under the names and numbers that the user would have got. */
export function createCollector({
  client,
  files,
  folder,
  signal,
  restore,
  clean,
  maxFileBytes = MAX_FILE_BYTES,
}: Parts) {
  const stored = new Map<string, Promise<SavedFile>>();
  const fetched: SavedFile[] = [];
  /** How far the user's numbers are ahead of ComfyUI's, by name. Files that belong together keep one number. */
  const shifts = new Map<string, number>();

  async function fetchAndStore(shown: SavedFile): Promise<SavedFile> {
    const own = staged(shown, folder);
    const place = own ?? withoutFolder(shown, folder);
    assertShownInFolder({ files: [place] });
    if (own) return own;
    const extension = extname(shown.filename).slice(1);
    const scratch = async (): Promise<string> =>
      await files.scratchPath(/^[A-Za-z0-9]{1,10}$/.test(extension) ? extension : 'bin');
    const download = client
      .download(shown, { signal, maxBytes: maxFileBytes, newPath: scratch })
      .catch((error: unknown) => {
        if (error instanceof Refusal || error instanceof TooLarge)
          throw new OutputFailure(`ComfyUI made ${shown.filename} but does not deliver it: ${error.message}`);
        throw error;
      });
    // Both at once: each takes a good millisecond, for which the end of the job waits.
    const [file] = await Promise.all([download, learnShift(place)]);
    fetched.push(shown);
    return await store(place, await restorePng(file, restore, scratch));
  }

  function readNumbered({ filename, subfolder, type }: SavedFile) {
    const [, name, digits, ending = ''] = NUMBERED.exec(filename) ?? [];
    return name === undefined
      ? undefined
      : { key: `${type}/${subfolder}/${name}`, name, number: Number(digits), ending };
  }

  async function learnShift(place: SavedFile): Promise<void> {
    const numbered = readNumbered(place);
    if (!numbered || shifts.has(numbered.key)) return;
    const { key, name, number } = numbered;
    shifts.set(key, (await nextNumber(name, place.subfolder, place.type)) - number);
  }

  async function store(place: SavedFile, file: Fetched): Promise<SavedFile> {
    const { filename, subfolder, type } = place;
    const numbered = readNumbered(place);
    if (!numbered) return await storeUnnumbered({ folder: type, subfolder, name: filename }, file);
    const { key, name, number, ending } = numbered;
    let shift = shifts.get(key);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      shift ??= (await nextNumber(name, subfolder, type)) - number;
      const itsName = `${name}_${String(number + shift).padStart(5, '0')}${ending}`;
      if (await tryStore({ folder: type, subfolder, name: itsName }, file)) {
        shifts.set(key, shift);
        return { filename: itsName, subfolder, type };
      }
      // Another job of the user was faster.
      shift = undefined;
    }
    throw new OutputFailure(`No free number was found for ${name}.`);
  }

  async function nextNumber(name: string, subfolder: string, type: FolderName): Promise<number> {
    const context = { files, now: () => new Date(), checkpoint: () => signal.throwIfAborted() };
    const prefix = subfolder === '' ? name : `${subfolder}/${name}`;
    return (await resolveSavePath(prefix, { folder: type }, context)).counter;
  }

  async function storeUnnumbered(ref: FileRef, file: Fetched): Promise<SavedFile> {
    const { name, ext } = parse(ref.name);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const itsName = tries === 0 ? ref.name : `${name} (${tries})${ext}`;
      if (await tryStore({ ...ref, name: itsName }, file))
        return { filename: itsName, subfolder: ref.subfolder, type: ref.folder };
    }
    throw new OutputFailure(`No free name was found for ${ref.name}.`);
  }

  async function tryStore(ref: FileRef, file: Fetched): Promise<boolean> {
    try {
      await (typeof file === 'string' ? files.adopt(ref, file) : files.create(ref, file));
      return true;
    } catch (error) {
      if (error instanceof FileExists) return false;
      throw error;
    }
  }

  async function collectItem(item: unknown): Promise<unknown> {
    const shown = fileOf(item);
    if (!shown) return typeof item === 'string' ? clean(item) : item;
    const key = `${shown.type}/${shown.subfolder}/${shown.filename}`;
    const saved = stored.getOrInsertComputed(key, async () => await fetchAndStore(shown));
    return withNames(item as object, await saved);
  }

  return {
    async collect(output: Output): Promise<Output> {
      const collected: Record<string, readonly unknown[]> = {};
      for (const [name, items] of Object.entries(output)) {
        const list: unknown[] = [];
        // One after the other, so that the numbers are in the order of the files.
        for (const item of items) list.push(await collectItem(item));
        collected[name] = list;
      }
      return collected;
    },
    /** What has been fetched, as ComfyUI names it. */
    fetched: (): readonly SavedFile[] => fetched,
  };
}

/** As ComfyUI names previews: with random letters, and a number that no other file has. A node of a pack may always use the same ones. */
const OWN_PREVIEW = /_temp_[a-z]{5}_\d{5,}_\.\w+$/;

/** Whether another prompt could write over a file that is shown here: its name was chosen by a node, not made for this attempt. */
export function showsSharedFile(
  output: Output,
  { folder, isComfyUis }: { readonly folder: string; readonly isComfyUis: boolean },
): boolean {
  return Object.values(output)
    .flat()
    .map((item) => fileOf(item))
    .some(
      (file) =>
        file &&
        !`${file.subfolder}/`.includes(`${folder}/`) &&
        !(isComfyUis && file.type === 'temp' && OWN_PREVIEW.test(file.filename)),
    );
}

/** Other members, such as `format` and `frame_rate` of videos, stay; a path of ComfyUI's machine does not. */
function withNames(item: object, file: SavedFile): object {
  const { fullpath: _fullpath, asset: _asset, ...rest } = item as Readonly<Record<string, unknown>>;
  return { ...rest, ...file };
}

/** What an item of an output says of a file; `undefined` when it is something else. */
function fileOf(item: unknown): SavedFile | undefined {
  if (typeof item !== 'object' || item === null || !('filename' in item) || !('type' in item))
    return undefined;
  const { filename, type } = item;
  const subfolder = 'subfolder' in item ? item.subfolder : '';
  if (typeof filename !== 'string' || filename === '' || typeof subfolder !== 'string') return undefined;
  if (type !== 'input' && type !== 'output' && type !== 'temp') return undefined;
  return { filename, subfolder: subfolder.replaceAll('\\', '/'), type };
}

/** An input file that was staged is the user's own already. */
function staged({ filename, subfolder, type }: SavedFile, folder: string): SavedFile | undefined {
  const at = subfolder.indexOf(`${folder}/`);
  if (type !== 'input' || at === -1) return undefined;
  const [itsFolder = '', ...rest] = subfolder.slice(at + folder.length + 1).split('/');
  if (itsFolder !== 'input' && itsFolder !== 'output' && itsFolder !== 'temp') return undefined;
  return { filename, subfolder: rest.join('/'), type: itsFolder };
}

/** Where the user would have found it. What a node leaves in the input folder was not uploaded by the user. */
function withoutFolder({ filename, subfolder, type }: SavedFile, folder: string): SavedFile {
  const itsFolder = type === 'input' ? 'temp' : type;
  const inside = subfolder === folder ? '' : subfolder.replace(`${folder}/`, '');
  return { filename, subfolder: inside, type: itsFolder };
}
