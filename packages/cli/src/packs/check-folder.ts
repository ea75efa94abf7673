import { checkPack, type PackCheck, PackError } from '@atelier/packing';

import type { Context } from '../context.ts';
import { CliError } from '../exit-codes.ts';

/** Inspects a folder or a zip file offline. */
export async function checkFolder({ signal }: Pick<Context, 'signal'>, path: string): Promise<PackCheck> {
  try {
    return await checkPack(path, { signal });
  } catch (error) {
    if (error instanceof PackError) throw new CliError(error.message, { cause: error });
    throw error;
  }
}
