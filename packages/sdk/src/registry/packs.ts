import { createList, type List, nextPage } from '../http/list.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Query, Transport } from '../http/transport.ts';
import type {
  ComfyNode,
  ComfyNodeSearch,
  NewPack,
  Pack,
  PackExport,
  PackInput,
  PackPage,
  Translations,
} from '../wire.ts';

export interface PackFilter extends CallOptions {
  readonly supportedOs?: string | undefined;
  readonly supportedAccelerator?: string | undefined;
  readonly includeBanned?: boolean | undefined;
}

export interface PackListOptions extends PackFilter {
  /** Columns; append `;desc` for descending order. */
  readonly sort?: readonly string[] | undefined;
}

export interface PackSearchOptions extends PackFilter {
  /** Search the names of the nodes in packs. */
  readonly nodes?: boolean | undefined;
}

export interface PackNodeFilter extends CallOptions {
  /** Exactly this name. */
  readonly name?: string | undefined;
  readonly pack?: string | undefined;
  readonly version?: string | undefined;
}

const PAGE = 100;

/** Packs of ComfyUI nodes, which the API calls nodes. */
export function createPacks(transport: Transport) {
  const listed = (route: string, query: Query, options: CallOptions): List<Pack, PackPage> =>
    createList<Pack, PackPage, number>({
      load: async (number = 1) =>
        await transport.get('PackPage', route, { ...options, query: { ...query, page: number, limit: 100 } }),
      items: ({ nodes }) => nodes,
      next: nextPage,
    });
  return {
    /** All packs. */
    list({ sort, ...filter }: PackListOptions = {}): List<Pack, PackPage> {
      const { query, options } = split(filter);
      return listed('/nodes', { ...query, sort }, options);
    },
    /** Packs that contain these words, or with `nodes` a node of that name. */
    search(text: string, { nodes, ...filter }: PackSearchOptions = {}): List<Pack, PackPage> {
      const { query, options } = split(filter);
      return listed('/nodes/search', { ...query, [nodes ? 'comfy_node_search' : 'search']: text }, options);
    },
    /** The packs of one publisher. */
    of(publisher: string, filter: PackFilter = {}): List<Pack, PackPage> {
      const { query, options } = split(filter);
      return listed(path`/publishers/${publisher}/nodes/v2`, query, options);
    },
    /** One pack with its latest version. */
    get: async (
      id: string,
      {
        withTranslations,
        ...options
      }: CallOptions & { readonly withTranslations?: boolean | undefined } = {},
    ) =>
      await transport.get('Pack', path`/nodes/${id}`, {
        ...options,
        query: { include_translations: withTranslations },
      }),
    /** All packs in one response, for mirrors. */
    export: async (options: CallOptions = {}): Promise<PackExport> =>
      await transport.get('PackExport', '/nodes/export', options),
    /** Nodes of all packs, in their latest versions unless one is given. */
    nodes({ name, pack, version, ...options }: PackNodeFilter = {}): List<ComfyNode, ComfyNodeSearch> {
      return createList<ComfyNode, ComfyNodeSearch, number>({
        load: async (page = 1) =>
          await transport.get('ComfyNodeSearch', '/comfy-nodes', {
            ...options,
            query: { comfy_node_name: name, node_id: pack, node_version: version, page, limit: PAGE },
          }),
        items: ({ comfy_nodes }) => comfy_nodes,
        next: ({ total }, page = 1) => (page * PAGE < total ? page + 1 : undefined),
      });
    },
    /** The pack that has this node. */
    withNode: async (node: string, options: CallOptions = {}) =>
      await transport.get('Pack', path`/comfy-nodes/${node}/node`, options),
    /** Creates a pack that has no version yet. */
    create: async (publisher: string, pack: NewPack, options: CallOptions = {}) =>
      await transport.post('Pack', path`/publishers/${publisher}/nodes`, { ...options, body: pack }),
    /** Changes the metadata of a pack. Omitted fields stay. */
    update: async (publisher: string, id: string, changes: PackInput, options: CallOptions = {}) =>
      await transport.put('Pack', path`/publishers/${publisher}/nodes/${id}`, { ...options, body: changes }),
    /** Deletes a pack. Its id stays reserved for its publisher. */
    delete: async (publisher: string, id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/publishers/${publisher}/nodes/${id}`, options),
    /** Whether you may change it and publish versions of it. */
    canEdit: async (publisher: string, id: string, options: CallOptions = {}): Promise<boolean> =>
      (await transport.get('CanEdit', path`/publishers/${publisher}/nodes/${id}/permissions`, options))
        .canEdit,
    /** The version to install, the latest unless one is given. Counts as a download. */
    install: async (
      id: string,
      { version, ...options }: CallOptions & { readonly version?: string | undefined } = {},
    ) => await transport.get('PackVersion', path`/nodes/${id}/install`, { ...options, query: { version } }),
    /** Its star ratings, and yours. */
    reviews: async (id: string, options: CallOptions = {}) =>
      await transport.get('PackReviews', path`/nodes/${id}/reviews`, options),
    /** Rates it with 1 to 5 stars. A second review replaces your first. */
    rate: async (id: string, stars: number, options: CallOptions = {}) =>
      await transport.post('Pack', path`/nodes/${id}/reviews`, {
        ...options,
        query: { star: stars },
        isRepeatable: true,
      }),
    /** Merges translations by language and field. `null` removes one. */
    translate: async (id: string, data: Translations['data'], options: CallOptions = {}) =>
      await transport.post('Pack', path`/nodes/${id}/translations`, { ...options, body: { data } }),
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
