import { glob, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { isObject } from '@atelier/contracts/is-object';
import type { SavedFile } from '@atelier/nodes/save-path';

import { type ComfyClient, Refusal } from './comfyui-client.ts';
import { flatPrefix } from './stage-inputs.ts';

/** Its folders. */
export type Roots = Readonly<Record<SavedFile['type'], string>>;

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;
const MODELS = /^(.+)[\\/]models[\\/]checkpoints[\\/]?$/;

/** The folder of a ComfyUI on this machine, which is where its models are. */
export async function findFolder(client: Pick<ComfyClient, 'url' | 'get'>): Promise<string | undefined> {
  if (!LOOPBACK.test(new URL(client.url).hostname)) return undefined;
  const models = await client.get('/experiment/models').catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  const paths = (Array.isArray(models) ? models : [])
    .filter(isObject)
    .flatMap(({ folders }) => (Array.isArray(folders) ? folders : []));
  for (const path of paths) {
    const folder = MODELS.exec(String(path))?.[1];
    // The port may lead to another machine, or into a container.
    const isHere = folder !== undefined && (await stat(folder).catch(() => undefined))?.isDirectory();
    if (isHere) return folder;
  }
  return undefined;
}

/** Where a ComfyUI in this folder keeps its files, when it was started with these arguments. */
export function foldersOf(folder: string, argv: readonly string[]): Roots {
  const valueOf = (flag: string): string | undefined => {
    const at = argv.indexOf(flag);
    return at === -1 ? undefined : argv[at + 1];
  };
  const base = resolve(folder, valueOf('--base-directory') ?? '.');
  const at = (name: string): string => resolve(folder, valueOf(`--${name}-directory`) ?? join(base, name));
  const temp = valueOf('--temp-directory');
  return {
    input: at('input'),
    output: at('output'),
    // ComfyUI makes a folder `temp` in the one that it is given.
    temp: temp === undefined ? join(base, 'temp') : resolve(folder, temp, 'temp'),
  };
}

/** Removes what an attempt has left. ComfyUI has no request for that. `own` is the attempt's folder in each of the roots. */
export async function removeFiles(roots: Roots, own: string, fetched: readonly SavedFile[]): Promise<void> {
  const folders = [join(roots.input, own), join(roots.input, '3d', own), join(roots.output, own)];
  const flat = await Array.fromAsync(glob(`${flatPrefix(own)}*`, { cwd: roots.input }));
  for (const path of [...folders, ...flat.map((name) => join(roots.input, name))])
    await rm(path, { recursive: true, force: true });
  for (const { type, subfolder, filename } of fetched) {
    const path = resolve(roots[type], subfolder, filename);
    // A node may show an output that was there before.
    if (type === 'temp' && path.startsWith(roots.temp + sep)) await rm(path, { force: true });
  }
}
