import { createList, type List, nextPage } from './http/list.ts';
import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type {
  AdminNewPack,
  AdminPackInput,
  AdminPackVersionChanges,
  PackVersion,
  PackVersionPage,
} from './wire.ts';

export interface AdminVersionFilter extends CallOptions {
  readonly pack?: string | undefined;
  readonly statuses?: readonly PackVersion['status'][] | undefined;
  /** Only those waiting for a review. */
  readonly reviewRequested?: boolean | undefined;
  readonly includeDeleted?: boolean | undefined;
}

/** Decisions about packs and publishers. */
export function createAdminRegistry(transport: Transport) {
  const ban = async (route: string, reason: string | undefined, options: CallOptions): Promise<void> =>
    await transport.post('nothing', route, { ...options, body: { reason }, isRepeatable: true });
  return {
    /** Creates a pack for a publisher. */
    createPack: async (pack: AdminNewPack, options: CallOptions = {}) =>
      await transport.post('Pack', '/admin/nodes', { ...options, body: pack }),
    /** Changes any field of a pack, including its publisher and status. */
    updatePack: async (id: string, changes: AdminPackInput, options: CallOptions = {}) =>
      await transport.put('Pack', path`/admin/nodes/${id}`, { ...options, body: changes }),
    /** Bans a pack. */
    banPack: async (publisher: string, pack: string, reason?: string, options: CallOptions = {}) =>
      await ban(path`/publishers/${publisher}/nodes/${pack}/ban`, reason, options),
    /** Lifts the ban of a pack. */
    unbanPack: async (publisher: string, pack: string, options: CallOptions = {}) =>
      await ban(path`/publishers/${publisher}/nodes/${pack}/unban`, undefined, options),
    /** Bans a publisher and, through it, its packs. */
    banPublisher: async (id: string, reason?: string, options: CallOptions = {}) =>
      await ban(path`/publishers/${id}/ban`, reason, options),
    /** Lifts the ban of a publisher. */
    unbanPublisher: async (id: string, options: CallOptions = {}): Promise<void> =>
      await transport.post('nothing', path`/publishers/${id}/unban`, { ...options, isRepeatable: true }),
    /** Versions of all packs, such as those waiting for a decision. */
    versions(filter: AdminVersionFilter = {}): List<PackVersion, PackVersionPage> {
      const { pack, statuses, reviewRequested, includeDeleted, ...options } = filter;
      return createList<PackVersion, PackVersionPage, number>({
        load: async (page = 1) =>
          await transport.get('PackVersionPage', '/admin/nodeversions', {
            ...options,
            query: {
              nodeId: pack,
              statuses,
              review_requested: reviewRequested,
              include_deleted: includeDeleted,
              include_status_reason: true,
              page,
              pageSize: 100,
            },
          }),
        items: ({ versions }) => versions,
        next: nextPage,
      });
    },
    /** Decides about a version, such as one that was flagged. */
    decide: async (
      pack: string,
      version: string,
      decision: AdminPackVersionChanges,
      options: CallOptions = {},
    ) =>
      await transport.put('PackVersion', path`/admin/nodes/${pack}/versions/${version}`, {
        ...options,
        body: decision,
      }),
  };
}
