import { posix } from 'node:path';

import { PackError, quoted } from '../pack-error.ts';
import { listGitFiles } from './git-files.ts';
import { comfyignoreOf } from './ignore-rules.ts';
import { type LocatedFile, locate } from './locate-file.ts';
import { readText } from './read-text.ts';
import { holdsSecret } from './secrets.ts';
import { isNeverPacked, NEVER_PACKED, type Walk, walkFolder } from './walk-folder.ts';

/** The archive of comfy-cli. */
const EARLIER_ARCHIVE = 'node.zip';

export interface PackFile extends Pick<LocatedFile, 'source' | 'bytes'> {
  /** The path in the archive, with slashes. */
  readonly path: string;
}

export interface LeftOut {
  /** A folder ends in a slash and stands for everything in it. */
  readonly path: string;
  /** Ends the sentence "It was left out because it is …". */
  readonly why: string;
}

export interface ChosenFiles {
  /** Sorted by path, so that the same folder makes the same archive. */
  readonly files: readonly PackFile[];
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
}

/** Chooses the files of a publish, by the rules of README.md. `root` must be resolved. */
export async function chooseFiles(
  root: string,
  includes: readonly string[],
  signal?: AbortSignal,
): Promise<ChosenFiles> {
  const named = includes.filter((one) => one.trim() !== '').map(readInclude);
  const warnings: string[] = [];
  const isComfyignored = comfyignoreOf((await readText(root, '.comfyignore')) ?? '');
  const isNamed = (path: string) => named.some((one) => path === one || path.startsWith(`${one}/`));
  const leaveOut = (path: string): string | undefined => {
    if (path === EARLIER_ARCHIVE) return 'an earlier archive of the pack';
    return isComfyignored(path) && !isNamed(path) ? 'ignored by .comfyignore' : undefined;
  };

  const leftOut = new Map<string, string>();
  const chosen = new Map<string, PackFile>();
  const take = async ({ paths, leftOut: skipped }: Walk): Promise<void> => {
    for (const [path, why] of skipped) leftOut.set(path, why);
    for (const path of paths) {
      signal?.throwIfAborted();
      const file = leaveOut(path) ?? (await acceptFile(root, path, named));
      if (typeof file === 'string') leftOut.set(path, file);
      else chosen.set(path, file);
    }
  };

  const git = await listGitFiles(root, signal);
  if (typeof git === 'string') {
    warnings.push(`All files count that .gitignore and .comfyignore do not exclude, because ${git}.`);
  }
  await take(
    typeof git === 'string'
      ? await walkFolder(root, { usesGitignore: true, leaveOut, signal })
      : { paths: git.tracked, leftOut: git.untracked.map((path) => [path, 'not tracked by Git']) },
  );
  for (const start of named) {
    const { kind } = await locate(root, start);
    if (kind === 'missing') {
      warnings.push(`pyproject.toml: includes of [tool.comfy] names ${quoted(start)}, which does not exist.`);
    } else if (kind === 'folder' && !isNeverPacked(start)) {
      await take(await walkFolder(root, { start, usesGitignore: false, leaveOut, signal }));
    } else await take({ paths: [start], leftOut: [] });
  }
  return {
    files: [...chosen.values()].toSorted(byPath),
    leftOut: [...leftOut]
      .filter(([path]) => !chosen.has(path) && !(path.endsWith('/') && isNamed(path.slice(0, -1))))
      .map(([path, why]) => ({ path, why }))
      .toSorted(byPath),
    warnings,
  };
}

/** The file at a path, or why it is left out. */
async function acceptFile(root: string, path: string, named: readonly string[]): Promise<PackFile | string> {
  const file = await locate(root, path);
  if (isNeverPacked(path)) return NEVER_PACKED;
  if (file.kind !== 'file') return file.why;
  if (isNeverPacked(file.path)) return NEVER_PACKED;
  // An author who names the file itself knows what is in it.
  if (!named.includes(path) && ((await holdsSecret(file)) || (await holdsSecret({ ...file, path })))) {
    return 'a file of secrets by its name or content; name it in includes of [tool.comfy] if it is not';
  }
  return { path, source: file.source, bytes: file.bytes };
}

function readInclude(include: string): string {
  const path = posix.normalize(include.replaceAll('\\', '/').replace(/^\/+/, '')).replace(/\/+$/, '');
  if (path === '..' || path.startsWith('../')) {
    throw new PackError(
      `pyproject.toml: includes of [tool.comfy] names ${quoted(include)}, which is outside of the folder. Move it into the folder, or remove it from includes.`,
    );
  }
  return path === '.' ? '' : path;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}
