import { createRemoteFile, type RemoteFile } from '../files/remote-file.ts';
import { createList, type List } from '../http/list.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import type { ComfyNode, PackReadme, PackVersion, PackVersionChanges } from '../wire.ts';

export interface ComfyNodePage {
  readonly comfy_nodes: ComfyNode[];
  readonly totalNumberOfPages: number;
  readonly total: number;
}

/** The versions of packs. */
export function createVersions(transport: Transport) {
  return {
    list: async (
      pack: string,
      {
        statuses,
        ...options
      }: CallOptions & { readonly statuses?: readonly PackVersion['status'][] | undefined } = {},
    ) =>
      await transport.get<PackVersion[]>(path`/nodes/${pack}/versions`, {
        ...options,
        query: { statuses, include_status_reason: true },
      }),
    get: async (pack: string, version: string, options: CallOptions = {}) =>
      await transport.get<PackVersion>(path`/nodes/${pack}/versions/${version}`, options),
    /** Markdown, as its author wrote it; `undefined` where the archive has no README. */
    readme: async (pack: string, version: string, options: CallOptions = {}): Promise<string | undefined> =>
      (await transport.get<PackReadme>(path`/nodes/${pack}/versions/${version}/readme`, options)).readme,
    update: async (
      publisher: string,
      pack: string,
      versionId: string,
      changes: PackVersionChanges,
      options: CallOptions = {},
    ) =>
      await transport.put<PackVersion>(path`/publishers/${publisher}/nodes/${pack}/versions/${versionId}`, {
        ...options,
        body: changes,
      }),
    delete: async (publisher: string, pack: string, versionId: string, options: CallOptions = {}) =>
      await transport.delete(path`/publishers/${publisher}/nodes/${pack}/versions/${versionId}`, options),
    /** Asks a person to look at a flagged version. */
    requestReview: async (
      publisher: string,
      pack: string,
      versionId: string,
      { note, ...options }: CallOptions & { readonly note?: string | undefined } = {},
    ) =>
      await transport.post<PackVersion>(
        path`/publishers/${publisher}/nodes/${pack}/versions/${versionId}/request-review`,
        { ...options, body: { note } },
      ),
    /** What the sources of a version define. */
    nodes(pack: string, version: string, options: CallOptions = {}): List<ComfyNode, ComfyNodePage> {
      return createList<ComfyNode, ComfyNodePage, number>({
        load: async (page = 1) =>
          await transport.get<ComfyNodePage>(path`/nodes/${pack}/versions/${version}/comfy-nodes`, {
            ...options,
            query: { page, limit: 100 },
          }),
        items: ({ comfy_nodes }) => comfy_nodes,
        next: ({ totalNumberOfPages }, page = 1) => (page < totalNumberOfPages ? page + 1 : undefined),
      });
    },
    /** The archive of a version. Nothing is asked until its bytes are wanted. */
    open: (pack: string, version: string): RemoteFile =>
      createRemoteFile(transport, {
        name: `${pack}-${version}.zip`,
        type: 'application/zip',
        open: async (init) =>
          await transport.open(path`/registry/archives/${pack}/${version}/node.zip`, init),
      }),
  };
}
