import { stat } from 'node:fs/promises';
import { file } from '@atelier/sdk';

import { CliError } from '../exit-codes.ts';
import { type GenerationFlag, optionKey } from './flags.ts';

/** The given fields, under their API names. */
export async function buildRequest(
  flags: readonly GenerationFlag[],
  options: Readonly<Record<string, unknown>>,
  mode?: string,
): Promise<Record<string, unknown>> {
  const request: Record<string, unknown> = {};
  for (const flag of flags) {
    const given = options[optionKey(flag)];
    if (given === undefined) continue;
    if (flag.mode !== undefined && flag.mode !== mode)
      throw new CliError(`${flag.flag} is for --mode ${flag.mode}.`, { advice: 'Leave one of them out.' });
    const value = await valueOf(flag, given);
    if (flag.parent === undefined) request[flag.field] = value;
    else request[flag.parent] = { ...(request[flag.parent] as object | undefined), [flag.field]: value };
  }
  return request;
}

async function valueOf({ type }: GenerationFlag, given: unknown): Promise<unknown> {
  if (type === 'picture') return await toPicture(String(given));
  return type === 'pictures' ? [await toPicture(String(given))] : given;
}

/** A URL is kept; a file is uploaded. */
export async function toPicture(given: string): Promise<ReturnType<typeof file> | string> {
  if (/^https:\/\//i.test(given)) return given;
  const info = await stat(given).catch(() => undefined);
  if (info?.isFile()) return file(given);
  throw new CliError(info ? `${given} is not a file.` : `There is no file ${given}.`, {
    advice: 'Name a picture, or a public https URL of one.',
  });
}
