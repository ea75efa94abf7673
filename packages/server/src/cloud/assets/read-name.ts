import { invalid } from '../../platform/errors/app-error.ts';

const MAX_NAME_LENGTH = 512;

export function readName(text: string): string {
  const name = text.trim();
  if (name === '' || Array.from(name).length > MAX_NAME_LENGTH || /\p{Cc}|\p{Cs}/u.test(name)) {
    throw invalid(`name has 1 to ${MAX_NAME_LENGTH} characters, none of them a control character.`);
  }
  return name;
}
