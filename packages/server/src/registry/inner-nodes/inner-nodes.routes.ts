import { ComfyNode, Node } from '@atelier/contracts';
import { Type } from 'typebox';

import type { Routes } from '../../platform/http/route-config.ts';
import type { CatalogueService } from '../catalogue/catalogue.service.ts';
import { NumberParams, PageParameters, TAGS as tags, toPage } from '../route-parts.ts';
import { normaliseVersion } from '../versions/version-order.ts';
import type { InnerNodesService } from './inner-nodes.service.ts';

interface Parts {
  readonly innerNodes: InnerNodesService;
  readonly catalogue: CatalogueService;
}

const InnerNodeName = Type.String({ description: 'Name of the inner node, in exactly this case.' });

/** What the packs' Python sources define; the public name of these is "comfy nodes". */
export const innerNodesRoutes: Routes<Parts> =
  ({ innerNodes, catalogue }) =>
  async (app) => {
    app.get(
      '/nodes/:nodeId/versions/:version/comfy-nodes',
      {
        config: { operation: 'registry.inner.list', access: 'public', failures: [403, 404] },
        schema: {
          summary: 'Inner nodes of a version',
          description:
            "Inner nodes are the ComfyUI nodes that the version's Python sources define, read without running them. When some may be missing, `node_extract_status` of the version is `failed`.",
          tags,
          params: NumberParams,
          querystring: Type.Object(PageParameters),
          response: {
            200: Type.Object({
              comfy_nodes: Type.Array(ComfyNode),
              totalNumberOfPages: Type.Integer(),
              total: Type.Integer(),
            }),
          },
        },
      },
      async (request) => {
        const { nodeId, version } = request.params;
        return await innerNodes.list(nodeId, version, toPage(request.query));
      },
    );

    app.get(
      '/nodes/:nodeId/versions/:version/comfy-nodes/:comfyNodeName',
      {
        config: { operation: 'registry.inner.read', access: 'public', failures: [403, 404] },
        schema: {
          summary: 'One inner node of a version',
          description:
            'Types and names of inputs and outputs are JSON text. What only running the code would tell is left out.',
          tags,
          params: Type.Object({ ...NumberParams.properties, comfyNodeName: InnerNodeName }),
          response: { 200: ComfyNode },
        },
      },
      async (request) => {
        const { nodeId, version, comfyNodeName } = request.params;
        return await innerNodes.read(nodeId, version, comfyNodeName);
      },
    );

    app.get(
      '/comfy-nodes/:comfyNodeName/node',
      {
        config: { operation: 'registry.inner.provider', access: 'public', failures: [404] },
        schema: {
          summary: 'The node that provides an inner node',
          description:
            'Looks at latest versions. When several nodes have the name, the one that lists it in `preempted_node_names` comes first, then the one with the lower `search_ranking`, then the one with more downloads.',
          tags,
          params: Type.Object({ comfyNodeName: InnerNodeName }),
          response: { 200: Node },
        },
      },
      async (request) => await catalogue.ofInnerNode(request.params.comfyNodeName),
    );

    app.get(
      '/comfy-nodes',
      {
        config: { operation: 'registry.inner.find', access: 'public' },
        schema: {
          summary: 'Inner nodes of all nodes',
          description:
            'Looks at the latest version of each node unless `node_version` names another. Nodes that are deleted, banned or of a banned publisher are left out.',
          tags,
          querystring: Type.Object({
            page: PageParameters.page,
            pageSize: Type.Optional(Type.Integer({ default: 100, description: 'At most 1000.' })),
            limit: Type.Optional(Type.Integer({ description: 'Another name of pageSize.' })),
            node_id: Type.Optional(
              Type.String({ description: 'Only inner nodes of the node with this id, in any case.' }),
            ),
            node_version: Type.Optional(
              Type.String({ description: 'Only versions with this number, instead of the latest ones.' }),
            ),
            comfy_node_name: Type.Optional(
              Type.String({ description: 'Only inner nodes with exactly this name.' }),
            ),
          }),
          response: { 200: Type.Object({ comfy_nodes: Type.Array(ComfyNode), total: Type.Integer() }) },
        },
      },
      async (request) => {
        const { query } = request;
        const { page, limit } = toPage(
          { page: query.page ?? 1, limit: query.limit ?? query.pageSize ?? 100 },
          100,
        );
        const version = query.node_version && (normaliseVersion(query.node_version) ?? query.node_version);
        const filter = { packId: query.node_id, version, name: query.comfy_node_name };
        return await innerNodes.find(filter, { page, pageSize: limit });
      },
    );
  };
