import { type AppError, invalid } from '../platform/errors/app-error.ts';

const MAX_CHARACTERS = 512;
const MAX_NAME_CHARACTERS = 255;
/** A list of all folders has one entry for each level of each file. */
const MAX_NAMES = 10;

/**
 * The one spelling of a path in a user's data: names with slashes between them, and an empty text for the top. Paths that would lead
 * elsewhere on a disk are refused, because files are exported to disks.
 */
export function toUserDataPath(text: string): string {
  if (text.startsWith('/')) throw wrong('starts with a slash');
  if (text.includes('\\')) throw wrong('has a backslash; folders are separated by slashes');
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) throw wrong('has a control character');
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.some((name) => /^\.{2,}$/.test(name))) throw wrong('has a name of dots alone');
  if (names.some((name) => name.length > MAX_NAME_CHARACTERS)) {
    throw wrong(`has a name of more than ${MAX_NAME_CHARACTERS} characters`);
  }
  if (names.length > MAX_NAMES) throw wrong(`is deeper than ${MAX_NAMES} names`);
  const path = names.join('/');
  if (path.length > MAX_CHARACTERS) throw wrong(`has more than ${MAX_CHARACTERS} characters`);
  return path;
}

/** The same for a file, which cannot be the top. */
export function toFilePath(text: string): string {
  const path = toUserDataPath(text);
  if (path === '' || text.endsWith('/')) throw wrong('names no file');
  return path;
}

/** The folders that a path lies in, the outermost first. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function wrong(what: string): AppError {
  return invalid(`The path ${what}.`);
}
