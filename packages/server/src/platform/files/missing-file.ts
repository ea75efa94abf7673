import { errorCode } from '../errors/error-code.ts';

const CODES = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** Whether there is no file at a path. */
export function isMissingFile(error: unknown): boolean {
  return CODES.has(errorCode(error));
}
