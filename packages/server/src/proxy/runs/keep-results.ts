import type { FileStore } from '../../platform/files/file-store.ts';
import type { Outbound } from '../../platform/net/outbound.ts';
import { OutboundError } from '../../platform/net/outbound-error.ts';
import { type VendorFile, VendorTrouble } from '../vendors/vendor.ts';
import type { Result } from './change-held-task.ts';

interface Parts {
  readonly store: FileStore;
  readonly outbound: Outbound;
}

export type KeepResults = (files: readonly VendorFile[], signal: AbortSignal) => Promise<Result[]>;

const MOST_RESULT_BYTES = 1024 * 1024 * 1024;
const FETCH_MS = 10 * 60_000;

/** Takes what a vendor made into the file store. */
export function createKeepResults({ store, outbound }: Parts): KeepResults {
  async function fetchFile(url: string, signal: AbortSignal) {
    try {
      const { status, body } = await outbound.open(url, {
        protocols: ['https:'],
        maxBytes: MOST_RESULT_BYTES,
        timeoutMs: FETCH_MS,
        maxRedirects: 5,
        signal,
      });
      if (status === 200) return await store.put(body, { maxBytes: MOST_RESULT_BYTES, signal });
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

  return async (files, signal) => {
    const results: Result[] = [];
    for (const { from, role } of files) {
      const kept =
        'path' in from
          ? await store.putFile(from.path, { maxBytes: MOST_RESULT_BYTES, signal })
          : await fetchFile(from.url, signal);
      results.push({ ...kept, role });
    }
    return results;
  };
}
