import type { AssetUpdate } from '@atelier/contracts';

import { invalid } from '../../platform/errors/app-error.ts';
import { toMetadataText } from './read-metadata.ts';
import { toTags } from './read-tags.ts';

const MAX_NAME_LENGTH = 512;

export type Description = ReturnType<typeof readDescription>;

export function readDescription(body: AssetUpdate, tags: readonly string[] = []) {
  return {
    ...(body.name !== undefined && { name: readName(body.name) }),
    ...(body.user_metadata !== undefined && { userMetadata: toMetadataText(body.user_metadata) }),
    ...(body.preview_id !== undefined && { previewId: body.preview_id.toLowerCase() }),
    tags: toTags(tags),
  };
}

/** The folder that the tags of a new asset ask for, if any. */
export function wantedFolder(tags: readonly string[]): 'input' | 'output' | undefined {
  const [folder, another] = tags.filter((tag) => ['input', 'output', 'temp', 'models'].includes(tag));
  if (folder === 'models') throw invalid('Models are not kept here: tag the file as "input" or "output".');
  if (folder === 'temp')
    throw invalid('Only jobs make files in "temp": tag the file as "input" or "output".');
  if (another !== undefined) throw invalid(`A file is in one folder: "${folder}" or "${another}".`);
  return folder === 'input' || folder === 'output' ? folder : undefined;
}

function readName(text: string): string {
  const name = text.trim();
  if (name === '' || Array.from(name).length > MAX_NAME_LENGTH || /\p{Cc}|\p{Cs}/u.test(name)) {
    throw invalid(`name has 1 to ${MAX_NAME_LENGTH} characters, none of them a control character.`);
  }
  return name;
}
