import { ComfyNode, Node } from '@atelier/contracts';
import { Type } from 'typebox';

import type { Routes } from '../platform/http/route-config.ts';
import type { CatalogueService } from './catalogue.service.ts';
import type { InnerNodesService } from './inner-nodes.service.ts';
import { NumberParams, PageParameters, TAGS as tags, toPage } from './route-parts.ts';
import { normaliseVersion } from './version-order.ts';

interface Parts {
  readonly innerNodes: InnerNodesService;
  readonly catalogue: CatalogueService;
}

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
          tags,
          params: Type.Object({ ...NumberParams.properties, comfyNodeName: Type.String() }),
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
          tags,
          params: Type.Object({ comfyNodeName: Type.String() }),
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
          tags,
          querystring: Type.Object({
            page: PageParameters.page,
            pageSize: Type.Optional(Type.Integer({ default: 100 })),
            limit: Type.Optional(Type.Integer({ description: 'Another name of pageSize.' })),
            node_id: Type.Optional(Type.String()),
            node_version: Type.Optional(Type.String()),
            comfy_node_name: Type.Optional(Type.String()),
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
