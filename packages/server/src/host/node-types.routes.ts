import type { ChoiceFiles } from '@atelier/engine';
import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { sendJson } from '../platform/http/send-json.ts';
import { DOORS, hostRoute } from './doors.ts';
import type { NodeInfos } from './node-infos.ts';

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
          schema: {
            summary: 'Every node type',
            description:
              'In the format of ComfyUI. Inputs that choose a file offer the files of the caller, so the ' +
              'answer is different for each user.',
            tags,
            response: { 200: Infos },
          },
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
            description:
              'The name is the only key of the answer. Inputs that choose a file offer the files of the caller.',
            tags,
            params: Type.Object({
              type: Type.String({ description: 'The `class_type`; upper and lower case count.' }),
            }),
            response: { 200: Infos },
          },
        },
        async (request, reply) =>
          await sendJson(reply, await nodeInfos.one(request.params.type, filesOf(actorOf(request).userId))),
      );
    }
  };
