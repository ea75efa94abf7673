import { createList, type List, nextPage } from '../http/list.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Query, Transport } from '../http/transport.ts';
import type {
  CanEdit,
  NewPack,
  Pack,
  PackInput,
  PackPage,
  PackReviews,
  PackVersion,
  Translations,
} from '../wire.ts';

export interface PackFilter extends CallOptions {
  readonly supportedOs?: string | undefined;
  readonly supportedAccelerator?: string | undefined;
  readonly includeBanned?: boolean | undefined;
}

export interface PackListOptions extends PackFilter {
  /** Columns, with `;desc` behind one to turn it round. */
  readonly sort?: readonly string[] | undefined;
}

export interface PackSearchOptions extends PackFilter {
  /** Look among the names of nodes that packs have. */
  readonly nodes?: boolean | undefined;
}

/** What the wire calls nodes: archives of ComfyUI nodes. */
export function createPacks(transport: Transport) {
  const page = (route: string, query: Query, options: CallOptions): List<Pack, PackPage> =>
    createList<Pack, PackPage, number>({
      load: async (number = 1) =>
        await transport.get<PackPage>(route, { ...options, query: { ...query, page: number, limit: 100 } }),
      items: ({ nodes }) => nodes,
      next: nextPage,
    });
  return {
    list({ sort, ...filter }: PackListOptions = {}): List<Pack, PackPage> {
      const { query, options } = split(filter);
      return page('/nodes', { ...query, sort }, options);
    },
    search(text: string, { nodes, ...filter }: PackSearchOptions = {}): List<Pack, PackPage> {
      const { query, options } = split(filter);
      return page('/nodes/search', { ...query, [nodes ? 'comfy_node_search' : 'search']: text }, options);
    },
    /** The packs of one publisher. */
    of(publisher: string, filter: PackFilter = {}): List<Pack, PackPage> {
      const { query, options } = split(filter);
      return page(path`/publishers/${publisher}/nodes/v2`, query, options);
    },
    get: async (
      id: string,
      {
        withTranslations,
        ...options
      }: CallOptions & { readonly withTranslations?: boolean | undefined } = {},
    ) =>
      await transport.get<Pack>(path`/nodes/${id}`, {
        ...options,
        query: { include_translations: withTranslations },
      }),
    /** The pack that has this node. */
    withNode: async (node: string, options: CallOptions = {}) =>
      await transport.get<Pack>(path`/comfy-nodes/${node}/node`, options),
    create: async (publisher: string, pack: NewPack, options: CallOptions = {}) =>
      await transport.post<Pack>(path`/publishers/${publisher}/nodes`, { ...options, body: pack }),
    update: async (publisher: string, id: string, changes: PackInput, options: CallOptions = {}) =>
      await transport.put<Pack>(path`/publishers/${publisher}/nodes/${id}`, { ...options, body: changes }),
    delete: async (publisher: string, id: string, options: CallOptions = {}) =>
      await transport.delete(path`/publishers/${publisher}/nodes/${id}`, options),
    canEdit: async (publisher: string, id: string, options: CallOptions = {}): Promise<boolean> =>
      (await transport.get<CanEdit>(path`/publishers/${publisher}/nodes/${id}/permissions`, options)).canEdit,
    /** The version to install, the latest unless one is named. Counts as a download. */
    install: async (
      id: string,
      { version, ...options }: CallOptions & { readonly version?: string | undefined } = {},
    ) => await transport.get<PackVersion>(path`/nodes/${id}/install`, { ...options, query: { version } }),
    /** How many stars it was given, and yours. */
    reviews: async (id: string, options: CallOptions = {}) =>
      await transport.get<PackReviews>(path`/nodes/${id}/reviews`, options),
    /** From 1 to 5 stars. */
    rate: async (id: string, stars: number, options: CallOptions = {}) =>
      await transport.post<Pack>(path`/nodes/${id}/reviews`, {
        ...options,
        query: { star: stars },
        isRepeatable: true,
      }),
    translate: async (id: string, data: Translations['data'], options: CallOptions = {}) =>
      await transport.post<Pack>(path`/nodes/${id}/translations`, { ...options, body: { data } }),
  };
}

function split({ supportedOs, supportedAccelerator, includeBanned, ...options }: PackFilter) {
  const query = {
    supported_os: supportedOs,
    supported_accelerator: supportedAccelerator,
    include_banned: includeBanned,
  };
  return { query, options };
}
