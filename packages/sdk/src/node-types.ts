import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { NodeType, NodeTypes } from './workflow/editor-widgets.ts';

export type NodeTypesArea = ReturnType<typeof createNodeTypes>;

/** The node types that workflows can use on this server. */
export function createNodeTypes(transport: Transport) {
  return {
    /** All node types by name; some megabytes. */
    list: async (options: CallOptions = {}): Promise<NodeTypes> =>
      (await transport.get('object', '/api/object_info', options)) as NodeTypes,
    /** One node type; `undefined` if there is none with this name. */
    async get(name: string, options: CallOptions = {}): Promise<NodeType | undefined> {
      const found = await transport.get('object', path`/api/object_info/${name}`, options);
      return (found as NodeTypes)[name];
    },
  };
}
