/** A path below a folder of a user. `subfolder` has slashes and no leading or trailing one; `''` is the folder itself. */
export interface FilePath {
  readonly subfolder: string;
  readonly fileName: string;
}

/** Most disks have room for so many bytes in a name. */
export const MAX_NAME_BYTES = 255;
const MAX_PATH_LENGTH = 1024;

/** For refusals of what `toFilePath` does not take. */
export const FILE_PATH_EXPECTS =
  'a relative path below your folder, without ".." and control characters, with at most 255 bytes for each name and 1024 characters in all';

/**
 * A name, perhaps with a path before it, such as `sub/cat.png`. `undefined` for whatever could lead out of the folder or is not a
 * name. Nodes, workers and the server all go by this rule: what one of them made and another refused would cost the worker its trust.
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
