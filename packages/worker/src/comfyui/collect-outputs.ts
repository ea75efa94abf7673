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
import { fieldsOf } from './read-fields.ts';
import { restorePng } from './restore-prompt.ts';

type Output = Outcome['outputs'][string];

interface Parts {
  readonly client: Pick<ComfyClient, 'download'>;
  readonly files: JobFiles;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Undoes, in the graph that a file contains, what was changed before it was sent. */
  readonly restore: (text: string) => string;
  /** Undoes it in texts that nodes show. */
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

/** Fetches the files that nodes show, and stores them under the names and numbers that the user would have got. */
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
  /** How far the user's numbers are ahead of ComfyUI's, by name. Files that belong together keep the same number. */
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
    // Concurrently, because each takes about a millisecond and delays the end of the job.
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
      // Another job of the user has taken the number.
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
        // Sequentially, so that the numbers are in the order of the files.
        for (const item of items) list.push(await collectItem(item));
        collected[name] = list;
      }
      return collected;
    },
    /** The fetched files, as ComfyUI names them. */
    fetched: (): readonly SavedFile[] => fetched,
  };
}

/** ComfyUI names previews with random letters and a unique number. A node of a pack may always use the same name. */
const OWN_PREVIEW = /_temp_[a-z]{5}_\d{5,}_\.\w+$/;

/** Whether another prompt could overwrite a shown file, because a node chose its name and it is not in the folder of this attempt. */
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

/** Keeps other members, such as the `format` of videos, but not a path of ComfyUI's machine. */
function withNames(item: object, file: SavedFile): object {
  const { fullpath: _fullpath, asset: _asset, ...rest } = item as Readonly<Record<string, unknown>>;
  return { ...rest, ...file };
}

/** The file that an item of an output names, if it does. */
function fileOf(item: unknown): SavedFile | undefined {
  const { filename, type, subfolder = '' } = fieldsOf(item);
  if (typeof filename !== 'string' || filename === '' || typeof subfolder !== 'string') return undefined;
  if (!isFolderName(type)) return undefined;
  return { filename, subfolder: subfolder.replaceAll('\\', '/'), type };
}

/** The user's own file, if an input file that was staged is shown. */
function staged({ filename, subfolder, type }: SavedFile, folder: string): SavedFile | undefined {
  const at = subfolder.indexOf(`${folder}/`);
  if (type !== 'input' || at === -1) return undefined;
  const [itsFolder = '', ...rest] = subfolder.slice(at + folder.length + 1).split('/');
  return isFolderName(itsFolder) ? { filename, subfolder: rest.join('/'), type: itsFolder } : undefined;
}

function isFolderName(value: unknown): value is FolderName {
  return value === 'input' || value === 'output' || value === 'temp';
}

/** Where the user would have found it. A file that a node creates in the input folder becomes temporary, because the user did not upload it. */
function withoutFolder({ filename, subfolder, type }: SavedFile, folder: string): SavedFile {
  const itsFolder = type === 'input' ? 'temp' : type;
  const inside = subfolder === folder ? '' : subfolder.replace(`${folder}/`, '');
  return { filename, subfolder: inside, type: itsFolder };
}
