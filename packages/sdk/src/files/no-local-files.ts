/** Replaces local-files.ts in bundles for browsers. */
import { AtelierError } from '../errors.ts';

const refuse = async (): Promise<never> => {
  throw new AtelierError('client.file', 'Files are named by a path in Node, Deno and Bun only.');
};

export const openSource = refuse;
export const saveFile = refuse;
