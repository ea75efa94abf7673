import { ComfyNode, ComfyNodePage, ComfyNodeSearch, Node } from '@atelier/contracts';
import { Type } from 'typebox';

import type { Routes } from '../../platform/http/route-config.ts';
import type { CatalogueService } from '../catalogue/catalogue.service.ts';
import { optionalText, PageParameters, registryRoutes, toPage } from '../route-parts.ts';
import { normalizeVersion } from '../versions/version-order.ts';
import type { InnerNodesService } from './inner-nodes.service.ts';

/** Inner nodes are called "comfy nodes" on the wire. */
export const innerNodesRoutes: Routes<{ innerNodes: InnerNodesService; catalogue: CatalogueService }> =
  ({ innerNodes, catalogue }) =>
  async (app) => {
    const route = registryRoutes(app);
    route('GET', '/nodes/:nodeId/versions/:version/comfy-nodes', {
      operation: 'registry.inner.list',
      access: 'public',
      failures: [403, 404],
      summary: 'Inner nodes of a version',
      description:
        "Inner nodes are the ComfyUI nodes that the version's Python sources define, read without running them. When some may be missing, `node_extract_status` of the version is `failed`.",
      query: PageParameters,
      response: { 200: ComfyNodePage },
      handle: async ({ params: { nodeId, version }, query }) =>
        await innerNodes.list(nodeId, version, toPage(query)),
    });

    route('GET', '/nodes/:nodeId/versions/:version/comfy-nodes/:comfyNodeName', {
      operation: 'registry.inner.read',
      access: 'public',
      failures: [403, 404],
      summary: 'One inner node of a version',
      description:
        'Types and names of inputs and outputs are JSON text. What only running the code would tell is left out.',
      response: { 200: ComfyNode },
      handle: async ({ params: { nodeId, version, comfyNodeName } }) =>
        await innerNodes.read(nodeId, version, comfyNodeName),
    });

    route('GET', '/comfy-nodes/:comfyNodeName/node', {
      operation: 'registry.inner.provider',
      access: 'public',
      failures: [404],
      summary: 'The node that provides an inner node',
      description:
        'Looks at latest versions. When several nodes have the name, the one that lists it in `preempted_node_names` comes first, then the one with the lower `search_ranking`, then the one with more downloads.',
      response: { 200: Node },
      handle: async ({ params }) => await catalogue.ofInnerNode(params.comfyNodeName),
    });

    route('GET', '/comfy-nodes', {
      operation: 'registry.inner.find',
      access: 'public',
      summary: 'Inner nodes of all nodes',
      description:
        'Looks at the latest version of each node unless `node_version` names another. Nodes that are deleted, banned or of a banned publisher are left out.',
      query: {
        page: PageParameters.page,
        pageSize: Type.Optional(Type.Integer({ default: 100, description: 'At most 1000.' })),
        limit: Type.Optional(Type.Integer({ description: 'Another name of pageSize.' })),
        node_id: optionalText('Only inner nodes of the node with this id, in any case.'),
        node_version: optionalText('Only versions with this number, instead of the latest ones.'),
        comfy_node_name: optionalText('Only inner nodes with exactly this name.'),
      },
      response: { 200: ComfyNodeSearch },
      handle: async ({ query }) => {
        const page = toPage({ page: query.page ?? 1, limit: query.limit ?? query.pageSize ?? 100 }, 100);
        const version = query.node_version && (normalizeVersion(query.node_version) ?? query.node_version);
        const filter = { packId: query.node_id, version, name: query.comfy_node_name };
        return await innerNodes.find(filter, page);
      },
    });
  };
