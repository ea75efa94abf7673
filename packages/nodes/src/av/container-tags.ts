import type { HiddenValues } from '@atelier/engine';
import { metadataTexts } from '../image/io/job-metadata.ts';
import type { Tags } from './media-writer.ts';

/** The graph and what the editor sent along, as tags of a file. */
export function containerTags(hidden: HiddenValues): Tags {
  return Object.fromEntries(metadataTexts(hidden));
}
