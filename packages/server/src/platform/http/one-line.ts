import { isOneLine, ONE_LINE_IS } from '@atelier/contracts';

import { invalid } from '../errors/app-error.ts';

export function assertOneLine(text: string | undefined, what: string): void {
  if (text !== undefined && !isOneLine(text)) throw invalid(`${what} is ${ONE_LINE_IS}.`);
}
