import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { HistoryDetail, HistoryList } from './wire.ts';

export type HistoryEntry = HistoryList['history'][number];

/** Your finished jobs. `atelier.jobs` has more about each. */
export function createHistory(transport: Transport) {
  const change = async (body: object, options: CallOptions): Promise<void> =>
    await transport.post('nothing', '/api/history', { ...options, body, isRepeatable: true });
  return {
    /** Finished jobs, newest first. */
    async list({
      limit,
      offset,
      ...options
    }: CallOptions & { readonly limit?: number; readonly offset?: number } = {}): Promise<HistoryEntry[]> {
      const query = { max_items: limit, offset };
      return (await transport.get('HistoryList', '/api/history_v2', { ...options, query })).history;
    },
    /** One finished job; `undefined` while it waits or runs. */
    async get(id: string, options: CallOptions = {}): Promise<HistoryDetail[string] | undefined> {
      return (await transport.get('HistoryDetail', path`/api/history_v2/${id}`, options))[id];
    },
    /** Hides these from the history and the list of jobs. */
    delete: async (ids: readonly string[], options: CallOptions = {}) =>
      await change({ delete: ids }, options),
    /** Hides all finished jobs. */
    clear: async (options: CallOptions = {}) => await change({ clear: true }, options),
  };
}
