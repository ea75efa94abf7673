import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { PackError, quoted } from '../pack-error.ts';
import { type GitRules, isGitignored, withGitignore } from './ignore-rules.ts';

const MAX_PATHS = 100_000;
export const NEVER_PACKED = 'never packed';
const NEVER = new Set(['.git', '.hg', '.svn']);
const BY_PRODUCTS = new Set(['__pycache__', '.venv', 'venv', 'node_modules', '.DS_Store', 'Thumbs.db']);

interface WalkOptions {
  /** A path below the root, or empty for all of it. */
  readonly start?: string;
  readonly usesGitignore: boolean;
  /** Why a path is left out, if it is. */
  readonly leaveOut: (path: string) => string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Walk {
  readonly paths: readonly string[];
  /** Folders end in a slash and were not searched. */
  readonly leftOut: readonly (readonly [path: string, why: string])[];
}

/** All files below a folder. Links are listed but never followed. */
export async function walkFolder(root: string, options: WalkOptions): Promise<Walk> {
  const { start = '', usesGitignore, leaveOut, signal } = options;
  const paths: string[] = [];
  const leftOut: (readonly [string, string])[] = [];

  const whyNot = (path: string, name: string, isFolder: boolean, rules: GitRules): string | undefined => {
    if (BY_PRODUCTS.has(name))
      return 'a by-product; name it in includes of [tool.comfy] if the pack needs it';
    if (isGitignored(rules, isFolder ? `${path}/` : path)) return 'ignored by .gitignore';
    return leaveOut(path);
  };

  const visit = async (folder: string, above: GitRules): Promise<void> => {
    signal?.throwIfAborted();
    const rules = usesGitignore ? await withGitignore(root, folder, above) : above;
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = folder + entry.name;
      const isFolder = entry.isDirectory();
      const why = NEVER.has(entry.name) ? NEVER_PACKED : whyNot(path, entry.name, isFolder, rules);
      if (why !== undefined) leftOut.push([isFolder ? `${path}/` : path, why]);
      else if (isFolder) await visit(`${path}/`, rules);
      else paths.push(path);
      if (paths.length + leftOut.length > MAX_PATHS) {
        throw new PackError(
          `${quoted(folder || '.')} and the folders beside it hold more than ${MAX_PATHS} files. List what does not belong to the pack in .comfyignore.`,
        );
      }
    }
  };

  await visit(start === '' ? '' : `${start}/`, []);
  return { paths, leftOut };
}

export function isNeverPacked(path: string): boolean {
  return path.split('/').some((step) => NEVER.has(step));
}
