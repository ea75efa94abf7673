import { AppError } from '../../platform/errors/app-error.ts';

/** The same limit as for bodies that do not fit their schema. */
const MAX_PROBLEMS = 5;

/** Each problem is a sentence without a full stop that begins with the field as on the wire. */
export function invalidBody(problems: readonly string[]): AppError {
  return new AppError('request.invalid', 'The body is not valid:', {
    details: [...new Set(problems)].slice(0, MAX_PROBLEMS),
  });
}

export function assertNoProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw invalidBody(problems);
}
