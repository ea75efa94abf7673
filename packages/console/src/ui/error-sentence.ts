import { AtelierError } from '@atelier/sdk';

let noAnswer = '';

/** The message for a missing response, in the user's language. */
export function setNoAnswerMessage(sentence: string): void {
  noAnswer = sentence;
}

/** The error message, in the server's words if it answered. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AtelierError) {
    const isAway = error.code === 'client.connection' || error.code === 'client.timeout';
    return isAway ? noAnswer : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
