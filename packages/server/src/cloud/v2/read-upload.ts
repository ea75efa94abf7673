import { invalid } from '../../platform/errors/app-error.ts';
import { readHash } from '../assets/asset-hash.ts';
import type { Fields } from '../files/uploads/upload-form.ts';
import { readFilePath } from './file-paths.ts';

const MIN_SECONDS = 60;
const MAX_SECONDS = 604_800;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;

/** The texts of an upload. The type that the client declares is only checked: the bytes decide. */
export function readUpload(fields: Fields) {
  const contentType = lastOf(fields, 'content_type');
  const filePath = lastOf(fields, 'file_path');
  const expectedHash = lastOf(fields, 'expected_hash');
  const expiresIn = lastOf(fields, 'expires_in');
  if (contentType === undefined || !MEDIA_TYPE.test(contentType)) {
    throw invalid('content_type must be a media type such as image/png.');
  }
  if (filePath === undefined) throw invalid('file_path is missing: the name of the file.');
  return {
    place: readFilePath(filePath),
    expectedHash: expectedHash === undefined ? undefined : readHash(expectedHash),
    tags: fields.get('tags') ?? [],
    expiresIn: expiresIn === undefined ? undefined : readSeconds(expiresIn),
  };
}

function readSeconds(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
    throw invalid(`expires_in must be a whole number of seconds from ${MIN_SECONDS} to ${MAX_SECONDS}.`);
  }
  return seconds;
}

function lastOf(fields: Fields, name: string): string | undefined {
  const text = fields.get(name)?.at(-1);
  return text === '' ? undefined : text;
}
