/** A path below a folder of a user. `subfolder` has slashes and no leading or trailing one; `''` is the folder itself. */
export interface FilePath {
  readonly subfolder: string;
  readonly fileName: string;
}

/** The limit of most file systems. */
export const MAX_NAME_BYTES = 255;
const MAX_PATH_LENGTH = 1024;

/** For refusals of what `toFilePath` does not take. */
export const FILE_PATH_EXPECTS =
  'a relative path below your folder, without ".." and control characters, with at most 255 bytes for each name and 1024 characters in all';

/**
 * Reads a name, perhaps with a path, such as `sub/cat.png`. `undefined` for anything that could lead out of the folder. Nodes,
 * workers and the server share this rule, because a worker whose file the server refuses would lose its trust.
 */
export function toFilePath(name: string, subfolder = ''): FilePath | undefined {
  const inner = name.replaceAll('\\', '/');
  const outer = subfolder.replaceAll('\\', '/');
  if (inner === '' || inner.endsWith('/')) return undefined;
  if ([inner, outer].some((part) => part.startsWith('/') || /^[a-z]:\//i.test(part))) return undefined;
  const path = `${outer}/${inner}`;
  if (path.length > MAX_PATH_LENGTH || /\p{Cc}/u.test(path) || !path.isWellFormed()) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const fileName = parts.at(-1);
  if (fileName === undefined) return undefined;
  if (parts.some((part) => part === '..' || Buffer.byteLength(part) > MAX_NAME_BYTES)) return undefined;
  return { subfolder: parts.slice(0, -1).join('/'), fileName };
}
