import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { SavedFile } from '@atelier/nodes/save-path';

import { type ComfyClient, Refusal, Unreachable } from './comfyui-client.ts';
import { fieldsOf, listOf } from './read-fields.ts';
import { flatPrefix } from './stage-inputs.ts';

/** The folders where a ComfyUI keeps its files. */
export type Roots = Readonly<Partial<Record<SavedFile['type'], string>>>;

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;
const MODELS = /^(.+)[\\/]models[\\/]checkpoints[\\/]?$/;

/** Finds the folder of a ComfyUI on this machine by the path of its models. */
export async function findFolder(client: Pick<ComfyClient, 'url' | 'get'>): Promise<string | undefined> {
  if (!LOOPBACK.test(new URL(client.url).hostname)) return undefined;
  const models = await client.get('/experiment/models').catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  for (const path of listOf(models).flatMap((model) => listOf(fieldsOf(model)['folders']))) {
    const folder = MODELS.exec(String(path))?.[1];
    // The port may be forwarded to another machine or into a container.
    const isHere = folder !== undefined && (await stat(folder).catch(() => undefined))?.isDirectory();
    if (isHere) return folder;
  }
  return undefined;
}

/** Where a ComfyUI in this folder keeps its files if it was started with these arguments. */
export function foldersOf(folder: string, argv: readonly string[]): Required<Roots> {
  const words = argv.flatMap((word) => (word.startsWith('--') ? word.split(/=(.*)/s, 2) : [word]));
  const valueOf = (flag: string): string | undefined => {
    const at = words.indexOf(flag);
    return at === -1 ? undefined : words[at + 1];
  };
  const base = resolve(folder, valueOf('--base-directory') ?? '.');
  const at = (name: string): string => resolve(folder, valueOf(`--${name}-directory`) ?? join(base, name));
  const temp = valueOf('--temp-directory');
  return {
    input: at('input'),
    output: at('output'),
    // ComfyUI creates a folder `temp` in the one that it is given.
    temp: temp === undefined ? join(base, 'temp') : resolve(folder, temp, 'temp'),
  };
}

/** A file in each folder. The name is unique, because another worker may check at the same moment. */
const MARK = { filename: `here-${randomUUID()}.txt`, subfolder: 'atelier' };

/** The folders that certainly belong to this ComfyUI: another one on this machine may use the same paths with the same file names. */
export async function verifyFolders(
  client: Pick<ComfyClient, 'upload'>,
  folders: Required<Roots>,
): Promise<Roots> {
  const text = randomUUID();
  const verify = async (type: SavedFile['type']): Promise<Roots> => {
    const path = join(folders[type], MARK.subfolder, MARK.filename);
    try {
      await client.upload(new Blob([text]), { ...MARK, type });
      if ((await readFile(path, 'utf8')) !== text) return {};
      await rm(path);
    } catch (error) {
      if (error instanceof Unreachable) throw error;
      return {};
    }
    return { [type]: folders[type] };
  };
  return { ...(await verify('input')), ...(await verify('output')), ...(await verify('temp')) };
}

/** Removes the files of an attempt, for which ComfyUI has no route. `own` is the folder of the attempt in each root. */
export async function removeFiles(
  { input, output, temp }: Roots,
  own: string,
  fetched: readonly SavedFile[],
): Promise<void> {
  const left: string[] = [];
  if (input !== undefined) {
    const flat = (await readdir(input)).filter((name) => name.startsWith(flatPrefix(own)));
    left.push(...[own, join('3d', own), ...flat].map((name) => join(input, name)));
  }
  if (output !== undefined) left.push(join(output, own));
  if (temp !== undefined) {
    // Not the other fetched files: a node may show an output that existed before.
    const previews = fetched.filter(({ type }) => type === 'temp');
    const paths = previews.map(({ subfolder, filename }) => resolve(temp, subfolder, filename));
    left.push(...paths.filter((path) => path.startsWith(temp + sep)));
  }
  for (const path of left) await rm(path, { recursive: true, force: true });
}
