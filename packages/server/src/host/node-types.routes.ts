import type { ChoiceFiles } from '@atelier/engine';
import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { DOORS, hostRoute } from './doors.ts';
import type { NodeInfos } from './node-infos.ts';
import { sendJson } from './send-json.ts';

interface Parts {
  readonly nodeInfos: NodeInfos;
  /** What a user can choose from. */
  readonly filesOf: (userId: string) => ChoiceFiles;
}

const tags = ['node types'];
const Infos = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Node types by name, each with `input.required` and what else editors need to know.',
});

/** What node types there are. */
export const nodeTypesRoutes: Routes<Parts> =
  ({ nodeInfos, filesOf }) =>
  async (app) => {
    for (const { prefix, area } of DOORS) {
      app.get(
        `${prefix}/object_info`,
        {
          config: hostRoute(`${area}.nodeTypes.list`),
          schema: { summary: 'Every node type', tags, response: { 200: Infos } },
        },
        async (request, reply) =>
          await sendJson(reply, await nodeInfos.all(filesOf(actorOf(request).userId))),
      );
      app.get(
        `${prefix}/object_info/:type`,
        {
          config: hostRoute(`${area}.nodeTypes.one`),
          schema: {
            summary: 'One node type, or an empty object when there is none of that name',
            tags,
            params: Type.Object({ type: Type.String() }),
            response: { 200: Infos },
          },
        },
        async (request, reply) =>
          await sendJson(reply, await nodeInfos.one(request.params.type, filesOf(actorOf(request).userId))),
      );
    }
  };
