import { FILE_PATH_EXPECTS } from '@atelier/engine';

import { invalid } from '../../platform/errors/app-error.ts';
import { readHash } from '../assets/asset-hash.ts';
import { type FilePlace, toPlace } from '../files/file-place.ts';
import type { Fields } from '../files/uploads/upload-form.ts';

const MIN_SECONDS = 60;
const MAX_SECONDS = 604_800;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;

/** Reads the fields of an upload. The content type is only checked for its form: the bytes decide. */
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

/** The place of an upload among the inputs, below the folders that the path names. */
export function readFilePath(text: string): FilePlace {
  const path = text.replace(/^input\//, '');
  if (path.startsWith('models/')) {
    throw invalid(
      'Models are not uploaded here: they belong to the workers. Put the file into a folder of a worker.',
    );
  }
  const place = toPlace(path, { folder: 'input' });
  // To a node, such a suffix means another folder.
  if (!place || path.startsWith('/') || /\[(?:input|output|temp)\]$/.test(path))
    throw invalid(`file_path must be ${FILE_PATH_EXPECTS}.`);
  return place;
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
