import { AppError } from '../../platform/errors/app-error.ts';

const LONGEST_NAME = 512;

export function readName(text: string): string {
  const name = text.trim();
  if (name === '' || Array.from(name).length > LONGEST_NAME || /\p{Cc}|\p{Cs}/u.test(name)) {
    throw new AppError(
      'request.invalid',
      `name has 1 to ${LONGEST_NAME} characters, none of them a control character.`,
    );
  }
  return name;
}
