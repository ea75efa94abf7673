import type { Result } from '../cache/result-cache.ts';
import type { UiOutput } from '../declare/node-type.ts';
import type { FolderName, JobFiles } from '../files.ts';
import { NodeError } from '../node-error.ts';

/** Whether every file that a cached result shows is still there; one that was removed has to be made again. */
export async function shownFilesExist({ ui, inner }: Result, files: JobFiles): Promise<boolean> {
  const shown = [...(ui ? [ui] : []), ...inner.values()];
  for (const item of shown.flatMap(({ output }) => Object.values(output).flat())) {
    const ref = fileRefOf(item);
    if (ref && !(await files.exists(ref))) return false;
  }
  return true;
}

/** Throws when a node shows a file that is not in its folder, where it could not be fetched. */
export function assertShownInFolder(output: UiOutput): void {
  for (const ref of Object.values(output).flat().map(fileRefOf)) {
    if (!ref) continue;
    const [subfolder = '', name = ''] = [ref.subfolder, ref.name].map((part) => part.replaceAll('\\', '/'));
    const isInside =
      ![subfolder, name].some((part) => part.startsWith('/') || part.split('/').includes('..')) &&
      name !== '';
    if (!isInside)
      throw new NodeError('ValueError', `The node shows the file ${ref.name}, which is not in its folder.`);
  }
}

/** What an item of an output says of a file; `undefined` when it is something else. */
export function fileRefOf(
  item: unknown,
): { folder: FolderName; subfolder: string; name: string } | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  if (!('filename' in item && 'subfolder' in item && 'type' in item)) return undefined;
  const { filename, subfolder, type } = item;
  if (typeof filename !== 'string' || typeof subfolder !== 'string') return undefined;
  if (type !== 'input' && type !== 'output' && type !== 'temp') return undefined;
  return { folder: type, subfolder, name: filename };
}
