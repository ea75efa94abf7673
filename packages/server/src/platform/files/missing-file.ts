import { errorCode } from '../errors/error-code.ts';

const CODES = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** Whether an error means that there is no file at a path. */
export function isMissingFile(error: unknown): boolean {
  return CODES.has(errorCode(error));
}

/** `undefined` when the work fails because there is no such file. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return await work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}
