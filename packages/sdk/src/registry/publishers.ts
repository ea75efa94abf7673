import { createList, type List } from '../http/list.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import type { NewMember, NewPublisher, NewPublisherToken, Publisher, PublisherChanges } from '../wire.ts';

const PAGE = 100;

/** Publishers of packs. */
export function createPublishers(transport: Transport) {
  return {
    /** All publishers with their members. */
    list(options: CallOptions = {}): List<Publisher, Publisher[]> {
      return createList<Publisher, Publisher[], number>({
        load: async (page = 1) =>
          await transport.get('Publisher[]', '/publishers', { ...options, query: { page, limit: PAGE } }),
        items: (publishers) => publishers,
        next: (publishers, page = 1) => (publishers.length < PAGE ? undefined : page + 1),
      });
    },
    /** The publishers that you are a member of. */
    mine: async (options: CallOptions = {}) =>
      await transport.get('Publisher[]', '/users/publishers', options),
    /** One publisher with its members. */
    get: async (id: string, options: CallOptions = {}) =>
      await transport.get('Publisher', path`/publishers/${id}`, options),
    /** Whether the id is free. */
    isAvailable: async (id: string, options: CallOptions = {}): Promise<boolean> => {
      const query = { username: id };
      return (
        (await transport.get('object', '/publishers/validate', { ...options, query }))['isAvailable'] === true
      );
    },
    /** Creates a publisher. You become its owner. */
    create: async (publisher: NewPublisher, options: CallOptions = {}) =>
      await transport.post('Publisher', '/publishers', { ...options, body: publisher }),
    /** Changes the metadata of a publisher. Omitted fields stay. */
    update: async (id: string, changes: PublisherChanges, options: CallOptions = {}) =>
      await transport.put('Publisher', path`/publishers/${id}`, { ...options, body: changes }),
    /** Deletes a publisher that has no packs left. */
    delete: async (id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/publishers/${id}`, options),
    /** Whether you may change it and publish for it. */
    canEdit: async (id: string, options: CallOptions = {}): Promise<boolean> =>
      (await transport.get('CanEdit', path`/publishers/${id}/permissions`, options)).canEdit,
  };
}

/** The people of a publisher. */
export function createMembers(transport: Transport) {
  return {
    /** The members of a publisher, with their roles. */
    list: async (publisher: string, options: CallOptions = {}) =>
      await transport.get('Member[]', path`/publishers/${publisher}/members`, options),
    /** Adds somebody by their e-mail address. */
    add: async (publisher: string, member: NewMember, options: CallOptions = {}) =>
      await transport.post('Member', path`/publishers/${publisher}/members`, { ...options, body: member }),
    /** Changes what a member may do. */
    setRole: async (
      publisher: string,
      memberId: string,
      role: NewMember['role'],
      options: CallOptions = {},
    ) =>
      await transport.put('Member', path`/publishers/${publisher}/members/${memberId}`, {
        ...options,
        body: { role },
      }),
    /** Removes a member. */
    remove: async (publisher: string, memberId: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/publishers/${publisher}/members/${memberId}`, options),
  };
}

/** Tokens with which build servers publish. */
export function createTokens(transport: Transport) {
  return {
    /** The tokens of a publisher, without their values. */
    list: async (publisher: string, options: CallOptions = {}) =>
      await transport.get('PublisherToken[]', path`/publishers/${publisher}/tokens`, options),
    /** Creates a token. `token` is its value, shown only once. */
    create: async (publisher: string, token: NewPublisherToken, options: CallOptions = {}) =>
      await transport.post('CreatedPublisherToken', path`/publishers/${publisher}/tokens`, {
        ...options,
        body: token,
      }),
    /** Deletes a token. It can no longer publish. */
    delete: async (publisher: string, tokenId: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/publishers/${publisher}/tokens/${tokenId}`, options),
  };
}
