import { isDeepStrictEqual } from 'node:util';
import type { Choice } from '../declare/inputs.ts';
import type { Output } from '../declare/outputs.ts';

const ANY = '*';
const MATCH = 'COMFY_MATCHTYPE_V3';

/** Whether an output may be linked to an input; either may name several types. */
export function typesMatch(
  { socket: given, choices }: Pick<Output, 'socket' | 'choices'>,
  wanted: string | readonly Choice[],
): boolean {
  if (choices && typeof wanted !== 'string') return isDeepStrictEqual(choices, wanted);
  if (given === ANY || given === MATCH) return true;
  if (typeof wanted !== 'string') return false;
  if (given === wanted || wanted === MATCH) return true;
  const wantedTypes = new Set(wanted.split(',').map((type) => type.trim()));
  if (wantedTypes.has(ANY)) return true;
  return given.split(',').some((type) => type.trim() === ANY || wantedTypes.has(type.trim()));
}
