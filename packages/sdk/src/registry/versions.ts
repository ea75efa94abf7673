import { createRemoteFile, type RemoteFile } from '../files/remote-file.ts';
import { createList, type List, nextPage } from '../http/list.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import type {
  BulkVersions,
  ComfyNode,
  ComfyNodePage,
  PackVersion,
  PackVersionChanges,
  PackVersionPage,
} from '../wire.ts';

export interface VersionFilter extends CallOptions {
  readonly pack?: string | undefined;
  readonly statuses?: readonly PackVersion['status'][] | undefined;
}

/** The versions of packs. */
export function createVersions(transport: Transport) {
  return {
    /** Versions of a pack, newest first, with the reasons of their status. */
    list: async (
      pack: string,
      {
        statuses,
        ...options
      }: CallOptions & { readonly statuses?: readonly PackVersion['status'][] | undefined } = {},
    ) =>
      await transport.get('PackVersion[]', path`/nodes/${pack}/versions`, {
        ...options,
        query: { statuses, include_status_reason: true },
      }),
    /** Versions of all packs, newest first. */
    listAll({ pack, statuses, ...options }: VersionFilter = {}): List<PackVersion, PackVersionPage> {
      return createList<PackVersion, PackVersionPage, number>({
        load: async (page = 1) =>
          await transport.get('PackVersionPage', '/versions', {
            ...options,
            query: { nodeId: pack, statuses, include_status_reason: true, page, pageSize: 100 },
          }),
        items: ({ versions }) => versions,
        next: nextPage,
      });
    },
    /** Up to 1000 versions in one request, each with whether it was found. */
    getMany: async (
      versions: readonly { readonly pack: string; readonly version: string }[],
      options: CallOptions = {},
    ): Promise<BulkVersions['node_versions']> => {
      const asked = versions.map(({ pack, version }) => ({ node_id: pack, version }));
      const body = { node_versions: asked };
      return (
        await transport.post('BulkVersions', '/bulk/nodes/versions', { ...options, body, isRepeatable: true })
      ).node_versions;
    },
    /** One version by its number, such as `1.0.0`. */
    get: async (pack: string, version: string, options: CallOptions = {}) =>
      await transport.get('PackVersion', path`/nodes/${pack}/versions/${version}`, options),
    /** The README as Markdown; `undefined` if the archive has none. */
    readme: async (pack: string, version: string, options: CallOptions = {}): Promise<string | undefined> =>
      (await transport.get('PackReadme', path`/nodes/${pack}/versions/${version}/readme`, options)).readme,
    /** Changes the changelog, or deprecates the version. */
    update: async (
      publisher: string,
      pack: string,
      versionId: string,
      changes: PackVersionChanges,
      options: CallOptions = {},
    ) =>
      await transport.put('PackVersion', path`/publishers/${publisher}/nodes/${pack}/versions/${versionId}`, {
        ...options,
        body: changes,
      }),
    /** Deletes a version. Its number stays reserved. */
    delete: async (publisher: string, pack: string, versionId: string, options: CallOptions = {}) =>
      await transport.delete(
        'nothing',
        path`/publishers/${publisher}/nodes/${pack}/versions/${versionId}`,
        options,
      ),
    /** Requests a review of a flagged version. */
    requestReview: async (
      publisher: string,
      pack: string,
      versionId: string,
      { note, ...options }: CallOptions & { readonly note?: string | undefined } = {},
    ) =>
      await transport.post(
        'PackVersion',
        path`/publishers/${publisher}/nodes/${pack}/versions/${versionId}/request-review`,
        { ...options, body: { note } },
      ),
    /** The nodes that the sources of a version define. */
    nodes(pack: string, version: string, options: CallOptions = {}): List<ComfyNode, ComfyNodePage> {
      return createList<ComfyNode, ComfyNodePage, number>({
        load: async (page = 1) =>
          await transport.get('ComfyNodePage', path`/nodes/${pack}/versions/${version}/comfy-nodes`, {
            ...options,
            query: { page, limit: 100 },
          }),
        items: ({ comfy_nodes }) => comfy_nodes,
        next: ({ totalNumberOfPages }, page = 1) => (page < totalNumberOfPages ? page + 1 : undefined),
      });
    },
    /** One node by its name. */
    node: async (pack: string, version: string, name: string, options: CallOptions = {}) =>
      await transport.get('ComfyNode', path`/nodes/${pack}/versions/${version}/comfy-nodes/${name}`, options),
    /** The archive of a version. No request is made until its bytes are read. */
    open: (pack: string, version: string): RemoteFile =>
      createRemoteFile(transport, {
        name: `${pack}-${version}.zip`,
        type: 'application/zip',
        open: async (init) =>
          await transport.open(path`/registry/archives/${pack}/${version}/node.zip`, init),
      }),
  };
}
