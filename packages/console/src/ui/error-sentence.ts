import { AtelierError } from '@atelier/sdk';

/** What went wrong, in the words of the server where it has said something. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AtelierError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
