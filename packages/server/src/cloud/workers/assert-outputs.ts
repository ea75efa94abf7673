import { isObject } from '@atelier/contracts/is-object';

import { isFolderName, toPlace } from '../files/file-place.ts';
import { BadMessage } from './read-message.ts';

const MAX_SHOWN_NAME = 60;

/** Throws `BadMessage` when what a node shows names a file that is outside of its folder. */
export function assertNamesInFolder(output: Readonly<Record<string, readonly unknown[]>> | null): void {
  for (const item of Object.values(output ?? {}).flat(1)) {
    if (!isObject(item)) continue;
    const { filename, subfolder = '', type } = item;
    if (typeof filename !== 'string' || !isFolderName(type)) continue;
    if (typeof subfolder === 'string' && toPlace(filename, { folder: type, subfolder })) continue;
    const name = JSON.stringify(filename.slice(0, MAX_SHOWN_NAME));
    throw new BadMessage(`An output names the file ${name}, which is not in the folder ${type}.`);
  }
}
