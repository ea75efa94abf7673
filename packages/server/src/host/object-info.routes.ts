import { type ChoiceFiles, type NodeCatalogue, toNodeInfo, toObjectInfo } from '@atelier/engine';
import { Type } from 'typebox';

import type { Routes } from '../platform/http/route-config.ts';

interface Parts {
  readonly nodeTypes: () => Promise<NodeCatalogue>;
  readonly files: ChoiceFiles;
}

const tags = ['node types'];
const NodeInfos = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Node types by name, each with `input.required` and what else editors need to know.',
});

/** What node types there are, bare and under `/api` as the host application has it. */
export const objectInfoRoutes: Routes<Parts> =
  ({ nodeTypes, files }) =>
  async (app) => {
    for (const [prefix, name] of [
      ['', 'host'],
      ['/api', 'cloud'],
    ] as const) {
      app.get(
        `${prefix}/object_info`,
        {
          config: { operation: `${name}.nodeTypes.list`, access: 'user', session: true },
          schema: { summary: 'Every node type', tags, response: { 200: NodeInfos } },
        },
        async () => await toObjectInfo(await nodeTypes(), files),
      );
      app.get(
        `${prefix}/object_info/:type`,
        {
          config: { operation: `${name}.nodeTypes.one`, access: 'user', session: true },
          schema: {
            summary: 'One node type, or an empty object when there is none of that name',
            tags,
            params: Type.Object({ type: Type.String() }),
            response: { 200: NodeInfos },
          },
        },
        async ({ params }) => {
          const catalogue = await nodeTypes();
          const type = catalogue.get(params.type);
          if (!type) return {};
          const module = catalogue.packOf(params.type)?.name ?? '';
          return { [params.type]: await toNodeInfo(type, { module, files }) };
        },
      );
    }
  };
