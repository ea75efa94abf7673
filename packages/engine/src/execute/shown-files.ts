import type { UiOutput } from '../declare/node-type.ts';
import type { FolderName, JobFiles } from '../files.ts';

/** Whether every file that a cached node shows is still there; one that was removed has to be made again. */
export async function shownFilesExist(ui: UiOutput, files: JobFiles): Promise<boolean> {
  for (const item of Object.values(ui).flat()) {
    const ref = fileRefOf(item);
    if (ref && !(await files.exists(ref))) return false;
  }
  return true;
}

function fileRefOf(item: unknown): { folder: FolderName; subfolder: string; name: string } | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  if (!('filename' in item && 'subfolder' in item && 'type' in item)) return undefined;
  const { filename, subfolder, type } = item;
  if (typeof filename !== 'string' || typeof subfolder !== 'string') return undefined;
  if (type !== 'input' && type !== 'output' && type !== 'temp') return undefined;
  return { folder: type, subfolder, name: filename };
}
