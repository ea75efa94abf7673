import type { ChoiceFiles } from '@atelier/engine';
import { Type } from 'typebox';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { sendJson } from '../platform/http/send-json.ts';
import { HOST } from './doors.ts';
import type { NodeInfos } from './node-infos.ts';

interface Parts {
  readonly nodeInfos: NodeInfos;
  /** What a user can choose from. */
  readonly filesOf: (userId: string) => ChoiceFiles;
}

const Infos = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Node types by name, each with `input.required` and what else editors need to know.',
});

/** What node types there are. */
export const nodeTypesRoutes: Routes<Parts> =
  ({ nodeInfos, filesOf }) =>
  async (app) => {
    const parameters = { type: 'The `class_type`; upper and lower case count.' };
    const route = createRouteDefiner(app, { ...HOST, tag: 'node types', parameters });
    route('GET', '/object_info', {
      operation: 'nodeTypes.list',
      summary: 'Every node type',
      description:
        'In the format of ComfyUI. Inputs that choose a file offer the files of the caller, so the answer is different for each user.',
      response: { 200: Infos },
      handle: async ({ actor, reply }) => await sendJson(reply, await nodeInfos.all(filesOf(actor.userId))),
    });
    route('GET', '/object_info/:type', {
      operation: 'nodeTypes.one',
      summary: 'One node type, or an empty object when there is none of that name',
      description:
        'The name is the only key of the answer. Inputs that choose a file offer the files of the caller.',
      response: { 200: Infos },
      handle: async ({ actor, params, reply }) =>
        await sendJson(reply, await nodeInfos.one(params.type, filesOf(actor.userId))),
    });
  };
