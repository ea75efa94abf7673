import { isObject } from '@atelier/contracts/is-object';
import type { Result } from '../cache/result-cache.ts';
import type { UiOutput } from '../declare/node-type.ts';
import { FILE_PATH_EXPECTS, toFilePath } from '../file-path.ts';
import { type FolderName, isFolderName, type JobFiles } from '../files.ts';
import { valueError } from '../node-error.ts';

const MAX_SHOWN_NAME = 60;

/** Whether every file that a cached result shows still exists. If not, the result must be made again. */
export async function shownFilesExist({ ui, inner }: Result, files: JobFiles): Promise<boolean> {
  const shown = [...(ui ? [ui] : []), ...inner.values()];
  for (const item of shown.flatMap(({ output }) => Object.values(output).flat())) {
    const ref = fileRefOf(item);
    if (ref && !(await files.exists(ref))) return false;
  }
  return true;
}

/** Throws if a node shows a file that could not be fetched by its name. */
export function assertShownInFolder(output: UiOutput): void {
  const problem = findBadName(output);
  if (problem !== undefined) throw valueError(problem);
}

/** The problem of the first shown file whose name leads out of its folder. */
export function findBadName(output: UiOutput): string | undefined {
  for (const ref of Object.values(output).flat().map(fileRefOf)) {
    if (!ref || toFilePath(ref.name, ref.subfolder)) continue;
    const path = ref.subfolder === '' ? ref.name : `${ref.subfolder}/${ref.name}`;
    return `The node shows the file ${JSON.stringify(path.slice(0, MAX_SHOWN_NAME))}, which is not in its folder: it must be ${FILE_PATH_EXPECTS}. \
Check the inputs of the node, such as filename_prefix.`;
  }
  return undefined;
}

/** The file that an item of an output refers to, if it does. */
export function fileRefOf(
  item: unknown,
): { folder: FolderName; subfolder: string; name: string } | undefined {
  if (!isObject(item)) return undefined;
  const { filename, subfolder = '', type } = item;
  if (typeof filename !== 'string' || typeof subfolder !== 'string' || !isFolderName(type)) return undefined;
  return { folder: type, subfolder, name: filename };
}
