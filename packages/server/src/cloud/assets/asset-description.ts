import type { AssetUpdate } from '@atelier/contracts';

import { invalid } from '../../platform/errors/app-error.ts';
import { toMetadataText } from './read-metadata.ts';
import { readName } from './read-name.ts';
import { toTags } from './read-tags.ts';

export interface Description {
  readonly name?: string;
  /** JSON object. */
  readonly userMetadata?: string;
  readonly previewId?: string;
  readonly tags: readonly string[];
}

export function readDescription(body: AssetUpdate, tags: readonly string[] = []): Description {
  return {
    ...(body.name !== undefined && { name: readName(body.name) }),
    ...(body.user_metadata !== undefined && { userMetadata: toMetadataText(body.user_metadata) }),
    ...(body.preview_id !== undefined && { previewId: body.preview_id.toLowerCase() }),
    tags: toTags(tags),
  };
}

/** The folder that a new asset's tags ask for, if they do. */
export function wantedFolder(tags: readonly string[]): 'input' | 'output' | undefined {
  const [folder, another] = tags.filter((tag) => ['input', 'output', 'temp', 'models'].includes(tag));
  if (folder === 'models') throw invalid('Models are not kept here: tag the file as "input" or "output".');
  if (folder === 'temp')
    throw invalid('Only jobs make files in "temp": tag the file as "input" or "output".');
  if (another !== undefined) throw invalid(`A file is in one folder: "${folder}" or "${another}".`);
  return folder === 'input' || folder === 'output' ? folder : undefined;
}
