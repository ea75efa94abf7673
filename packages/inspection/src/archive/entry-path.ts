import type { InspectionLimits } from '../limits.ts';
import { isPythonSource } from './file-kinds.ts';
import { shown, UnusableArchive } from './unusable-archive.ts';

/** Not allowed in names on Windows, where `a.py:b` and `a.py::$DATA` are inside `a.py`. */
const UNSAFE_SIGNS = /[:<>|"?*]/;
/** Devices on Windows, whatever follows the first dot. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])[. ]*(?:\.|$)/i;

export interface EntryPath {
  /** With slashes and without `.` steps; empty for the archive's own folder. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** The place of an entry. Throws an `UnusableArchive` unless it is certainly inside the archive. */
export function readEntryPath(name: string, limits: InspectionLimits): EntryPath {
  const refuse = (why: string) => new UnusableArchive(`The entry ${shown(name)} ${why}.`);
  if (name === '') throw refuse('has no name');
  if (name.length > limits.nameLength)
    throw refuse(`has a name of more than ${limits.nameLength} characters`);
  if (/\p{Cc}/u.test(name)) throw refuse('has a control character in its name');
  if (name.includes('\\')) throw refuse('has a backslash in its name; use forward slashes');
  if (name.startsWith('/')) throw refuse('has an absolute path');
  if (/^[a-z]:/i.test(name)) throw refuse('names a drive');

  const steps = name.split('/').filter((step) => step !== '' && step !== '.');
  // Windows drops trailing dots and blanks, so "..." and ".. " climb there too.
  if (steps.some((step) => /^\.{2,}[. ]*$/.test(step))) throw refuse('leads out of the archive');
  // On Windows, `a.py.` would replace `a.py`, although it is no Python here.
  if (steps.some((step) => /[. ]$/.test(step))) throw refuse('has a name that ends in a dot or a blank');
  if (UNSAFE_SIGNS.test(name)) throw refuse('has one of the signs : < > | " ? * in its name');
  if (steps.some((step) => DEVICES.test(step))) throw refuse('has the name of a device of Windows');
  if (steps.length > limits.pathDepth) throw refuse(`lies more than ${limits.pathDepth} folders deep`);
  return { path: steps.join('/'), isFolder: name.endsWith('/') || steps.length === 0 };
}

export function createTakenPaths() {
  const files = new Set<string>();
  const folders = new Set<string>();
  const folded = new Set<string>();
  const collisions: string[] = [];

  return {
    /** Paths that are the same file where letter case does not count. */
    collisions,
    /**
     * Throws an `UnusableArchive` if the path collides with an earlier one. Sources must differ in more than letter case,
     * because one would replace the other where case does not count.
     */
    take({ path, isFolder }: EntryPath): void {
      for (const folder of isFolder ? [...foldersAbove(path), path] : foldersAbove(path)) {
        if (files.has(folder)) throw new UnusableArchive(`${shown(folder)} is both a file and a folder.`);
        folders.add(folder);
      }
      if (isFolder) return;
      if (files.has(path)) throw new UnusableArchive(`The archive holds ${shown(path)} more than once.`);
      if (folders.has(path)) throw new UnusableArchive(`${shown(path)} is both a file and a folder.`);
      files.add(path);
      const key = path.normalize('NFC').toLowerCase();
      if (folded.has(key)) {
        if (isPythonSource(path))
          throw new UnusableArchive(`${shown(path)} differs from another path only in letter case.`);
        collisions.push(path);
      }
      folded.add(key);
    },
  };
}

function* foldersAbove(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    yield path.slice(0, slash);
  }
}
