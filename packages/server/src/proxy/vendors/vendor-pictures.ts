import { readFile, stat } from 'node:fs/promises';

import type { VendorFailure } from './classify-answer.ts';
import { type VendorInput, type VendorTask, VendorTrouble } from './vendor.ts';

interface Options {
  readonly called: string;
  readonly toPicture: (base64: string, mediaType: string) => string;
  /** For all inline pictures together. */
  readonly maxInlineBytes: number;
  readonly signal: AbortSignal;
}

type Pictures = { readonly state: 'read'; readonly texts: Readonly<Record<string, string>> } | VendorFailure;

/** The pictures as fields of the request: by URL if possible, otherwise inline. */
export async function readPictures({ inputs }: VendorTask, options: Options): Promise<Pictures> {
  const { called, maxInlineBytes, signal } = options;
  const texts: Record<string, string> = {};
  let left = maxInlineBytes;
  for (const [field, input] of Object.entries(inputs)) {
    if (input.url !== undefined) {
      texts[field] = input.url;
      continue;
    }
    left -= (await stat(input.path)).size;
    if (left < 0) return tooLarge(called, maxInlineBytes);
    texts[field] = options.toPicture(await readBase64(input, called, signal), input.mediaType);
  }
  return { state: 'read', texts };
}

async function readBase64({ path }: VendorInput, called: string, signal: AbortSignal): Promise<string> {
  try {
    return await readFile(path, { encoding: 'base64', signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = `${called} was not asked: the request was called off.`;
    throw new VendorTrouble(message, { mayHaveArrived: false, cause: error });
  }
}

function tooLarge(called: string, maxBytes: number): VendorFailure {
  const megabytes = Math.floor(maxBytes / 1_000_000);
  return {
    state: 'failed',
    code: 'ImageTooLarge',
    message:
      `${called} takes pictures of up to ${megabytes} MB inside a request. ` +
      'Use a smaller picture; larger ones need a public address of this server, which its administrator can set.',
  };
}
