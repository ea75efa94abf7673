import type { StoredFile } from '../../platform/files/file-store.ts';
import type { Outbound } from '../../platform/net/outbound.ts';
import { OutboundError } from '../../platform/net/outbound-error.ts';
import type { TaskContents } from '../pictures/task-contents.ts';
import type { ProxyParts } from '../proxy-parts.ts';
import { type FileRole, type VendorFile, VendorTrouble } from '../vendors/vendor.ts';
import type { Result } from './change-held-task.ts';

/** The vendor's result is of no use, and fetching it again would not help. */
export class UnusableResult extends Error {
  override readonly name = 'UnusableResult';
  readonly code = 'NoResult';
}

const MAX_RESULT_BYTES = 1024 * 1024 * 1024;
const FETCH_MS = 10 * 60_000;

const MEDIA = {
  picture: 'image/',
  video: 'video/',
  watermarked: 'video/',
  cover: 'image/',
} as const satisfies Record<FileRole, string>;

export function createKeepResults({
  store,
  contents,
}: Pick<ProxyParts, 'store'> & { readonly contents: TaskContents }) {
  async function fetchFile(url: string, outbound: Outbound, signal: AbortSignal): Promise<StoredFile> {
    try {
      const { status, body } = await outbound.open(url, {
        protocols: ['https:'],
        maxBytes: MAX_RESULT_BYTES,
        timeoutMs: FETCH_MS,
        maxRedirects: 5,
        signal,
      });
      if (status === 200) return await store.put(body, { maxBytes: MAX_RESULT_BYTES, signal });
      body.destroy();
      throw new VendorTrouble(`The vendor's result answered with status ${status}.`, {
        mayHaveArrived: true,
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new VendorTrouble(`The vendor's result could not be fetched: ${error.message}`, {
        mayHaveArrived: true,
        cause: error,
      });
    }
  }

  async function keep({ from, role }: VendorFile, signal: AbortSignal): Promise<Result> {
    const kept =
      'path' in from
        ? await store.putFile(from.path, { maxBytes: MAX_RESULT_BYTES, signal })
        : await fetchFile(from.url, from.outbound, signal);
    // For example, a page with status 200 that says that the file is gone.
    if (!kept.mediaType.startsWith(MEDIA[role])) {
      throw new UnusableResult(`The vendor's ${role} is ${kept.mediaType}, which it cannot be.`);
    }
    return { ...kept, role };
  }

  return async (files: readonly VendorFile[], signal: AbortSignal): Promise<Result[]> => {
    const results: Result[] = [];
    try {
      for (const file of files) {
        try {
          results.push(await keep(file, signal));
        } catch (error) {
          const isForeseen = error instanceof VendorTrouble || error instanceof UnusableResult;
          // A missing cover does not fail the video.
          if (file.role !== 'cover' || !isForeseen || signal.aborted) throw error;
        }
      }
      return results;
    } catch (error) {
      await contents.sweep(results.map(({ hash }) => hash));
      throw error;
    }
  };
}
