import type { EngineCheck, Media } from '../declare/node-description.ts';
import type { CheckResult } from '../declare/node-type.ts';
import { type FileNames, parseFileName } from '../files.ts';
import { NodeError } from '../node-error.ts';
import { toJson } from '../python/exact-json.ts';

type Named = readonly [input: string, value: unknown];

/** Makes a check that is data. `values` has constants only. */
export async function engineCheck(
  check: EngineCheck,
  values: readonly Named[],
  files: FileNames,
): Promise<CheckResult> {
  if (check.kind === 'any') return true;
  for (const named of values) {
    const result =
      check.kind === 'file' ? await checkFile(check.media, named, files) : checkNumber(check.choices, named);
    if (result !== true) return result;
  }
  return true;
}

async function checkFile(
  media: Media | undefined,
  [, value]: Named,
  files: FileNames,
): Promise<true | string> {
  const name = typeof value === 'string' ? value : toJson(value);
  if (await isFile(name, files)) return true;
  // ComfyUI's words, and what to do.
  return `Invalid ${media ? `${media} ` : ''}file: ${name}. Upload it first, and use the name that the upload answers with.`;
}

/** A name that leaves its folder is no file. */
async function isFile(name: string, files: FileNames): Promise<boolean> {
  try {
    return await files.exists(parseFileName(name));
  } catch (error) {
    if (error instanceof NodeError) return false;
    throw error;
  }
}

function checkNumber(choices: readonly number[], [input, value]: Named): true | string {
  return choices.includes(Number(value)) || `${input} is either ${choices.join(' or ')}.`;
}
