import { AtelierError } from '@atelier/sdk';

let noAnswer = '';

/** What is said when there was no answer, in the language of the reader. */
export function setNoAnswer(sentence: string): void {
  noAnswer = sentence;
}

/** What went wrong, in the words of the server where it has said something. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AtelierError) {
    const isAway = error.code === 'client.connection' || error.code === 'client.timeout';
    return isAway ? noAnswer : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
