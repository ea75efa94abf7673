import type { TaskPicture } from './task-request.ts';

/** Only what costs nothing to see: the pictures themselves are judged where they are read. */
export function problemsOfPictures(pictures: readonly TaskPicture[]): string[] {
  return pictures
    .filter(({ value }) => value === '')
    .map(({ field }) => `${field} must be a picture: base64, a data URL or an https URL`);
}
