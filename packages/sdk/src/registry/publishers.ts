import { createList, type List } from '../http/list.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import type {
  CanEdit,
  CreatedPublisherToken,
  Member,
  NewMember,
  NewPublisher,
  NewPublisherToken,
  Publisher,
  PublisherChanges,
  PublisherToken,
} from '../wire.ts';

const PAGE = 100;

/** Who publishes packs. */
export function createPublishers(transport: Transport) {
  return {
    list(options: CallOptions = {}): List<Publisher, Publisher[]> {
      return createList<Publisher, Publisher[], number>({
        load: async (page = 1) =>
          await transport.get<Publisher[]>('/publishers', { ...options, query: { page, limit: PAGE } }),
        items: (publishers) => publishers,
        next: (publishers, page = 1) => (publishers.length < PAGE ? undefined : page + 1),
      });
    },
    /** Those that you are a member of. */
    mine: async (options: CallOptions = {}) => await transport.get<Publisher[]>('/users/publishers', options),
    get: async (id: string, options: CallOptions = {}) =>
      await transport.get<Publisher>(path`/publishers/${id}`, options),
    /** Whether the id is free. */
    isAvailable: async (id: string, options: CallOptions = {}): Promise<boolean> => {
      const query = { username: id };
      return (await transport.get<{ isAvailable: boolean }>('/publishers/validate', { ...options, query }))
        .isAvailable;
    },
    create: async (publisher: NewPublisher, options: CallOptions = {}) =>
      await transport.post<Publisher>('/publishers', { ...options, body: publisher }),
    update: async (id: string, changes: PublisherChanges, options: CallOptions = {}) =>
      await transport.put<Publisher>(path`/publishers/${id}`, { ...options, body: changes }),
    delete: async (id: string, options: CallOptions = {}) =>
      await transport.delete(path`/publishers/${id}`, options),
    canEdit: async (id: string, options: CallOptions = {}): Promise<boolean> =>
      (await transport.get<CanEdit>(path`/publishers/${id}/permissions`, options)).canEdit,
  };
}

/** The people of a publisher. */
export function createMembers(transport: Transport) {
  return {
    list: async (publisher: string, options: CallOptions = {}) =>
      await transport.get<Member[]>(path`/publishers/${publisher}/members`, options),
    add: async (publisher: string, member: NewMember, options: CallOptions = {}) =>
      await transport.post<Member>(path`/publishers/${publisher}/members`, { ...options, body: member }),
    setRole: async (
      publisher: string,
      memberId: string,
      role: NewMember['role'],
      options: CallOptions = {},
    ) =>
      await transport.put<Member>(path`/publishers/${publisher}/members/${memberId}`, {
        ...options,
        body: { role },
      }),
    remove: async (publisher: string, memberId: string, options: CallOptions = {}) =>
      await transport.delete(path`/publishers/${publisher}/members/${memberId}`, options),
  };
}

/** What a build server publishes with. */
export function createTokens(transport: Transport) {
  return {
    list: async (publisher: string, options: CallOptions = {}) =>
      await transport.get<PublisherToken[]>(path`/publishers/${publisher}/tokens`, options),
    /** `token` is shown this once. */
    create: async (publisher: string, token: NewPublisherToken, options: CallOptions = {}) =>
      await transport.post<CreatedPublisherToken>(path`/publishers/${publisher}/tokens`, {
        ...options,
        body: token,
      }),
    delete: async (publisher: string, tokenId: string, options: CallOptions = {}) =>
      await transport.delete(path`/publishers/${publisher}/tokens/${tokenId}`, options),
  };
}
