import { FILE_PATH_EXPECTS } from '@atelier/engine';

import { invalid } from '../../platform/errors/app-error.ts';
import { type FilePlace, toPlace } from '../files/file-place.ts';

/** Where an upload goes that its client calls so: among the inputs, below the folders that the path names. */
export function readFilePath(text: string): FilePlace {
  const path = text.replace(/^input\//, '');
  if (path.startsWith('models/')) {
    throw invalid(
      'Models are not uploaded here: they belong to the workers. Put the file into a folder of a worker.',
    );
  }
  const place = toPlace(path, { folder: 'input' });
  // What ends so is another folder to a node.
  if (!place || path.startsWith('/') || /\[(?:input|output|temp)\]$/.test(path))
    throw invalid(`file_path must be ${FILE_PATH_EXPECTS}.`);
  return place;
}

export function toFilePath({
  folder,
  subfolder,
  file_name,
}: {
  readonly folder: string;
  readonly subfolder: string;
  readonly file_name: string;
}): string {
  const path = subfolder === '' ? file_name : `${subfolder}/${file_name}`;
  return folder === 'input' ? path : `${folder}/${path}`;
}
