import {
  type ChoiceFiles,
  type NodeCatalogue,
  type NodeDescription,
  offersFiles,
  toJson,
  toNodeInfo,
} from '@atelier/engine';
import { Type } from 'typebox';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import { HOST } from '../platform/http/doors.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { sendJson } from '../platform/http/send-json.ts';

interface Parts {
  readonly nodeTypes: () => Promise<NodeCatalogue>;
  /** What a user can choose from. */
  readonly filesOf: (userId: string) => ChoiceFiles;
}

const Infos = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Node types by name, each with `input.required` and what else editors need to know.',
});

/** What node types there are. */
export const nodeTypesRoutes: Routes<Parts> =
  ({ nodeTypes, filesOf }) =>
  async (app) => {
    const parameters = { type: 'The `class_type`; upper and lower case count.' };
    const route = createRouteDefiner(app, { ...HOST, tag: 'node types', parameters });
    route('GET', '/object_info', {
      operation: 'nodeTypes.list',
      summary: 'Every node type',
      description:
        'In the format of ComfyUI. Inputs that choose a file offer the files of the caller, so the answer is different for each user.',
      response: { 200: Infos },
      handle: async ({ actor, reply }) => {
        const catalogue = await nodeTypes();
        return await sendJson(reply, await describe(catalogue, catalogue.all(), filesOf(actor.userId)));
      },
    });
    route('GET', '/object_info/:type', {
      operation: 'nodeTypes.one',
      summary: 'One node type, or an empty object when there is none of that name',
      description:
        'The name is the only key of the answer. Inputs that choose a file offer the files of the caller.',
      response: { 200: Infos },
      handle: async ({ actor, params, reply }) => {
        const catalogue = await nodeTypes();
        const type = catalogue.get(params.type);
        return await sendJson(reply, await describe(catalogue, type ? [type] : [], filesOf(actor.userId)));
      },
    });
  };

/** What does not depend on the files of the caller is written once: a fleet may have thousands of types. */
const written = new WeakMap<NodeDescription, string>();

/** Node types as JSON, in which large numbers stay exact. */
async function describe(catalogue: NodeCatalogue, types: readonly NodeDescription[], files: ChoiceFiles) {
  // Several node types list the same folder.
  const lists = new Map<string, Promise<readonly string[]>>();
  const once: ChoiceFiles = {
    list: async (folder, subfolder) =>
      await lists.getOrInsertComputed(`${folder}/${subfolder}`, () => files.list(folder, subfolder)),
  };
  const infos: string[] = [];
  for (const type of types) {
    let text = written.get(type);
    if (text === undefined) {
      const module = catalogue.packOf(type.type)?.name ?? '';
      text = `${JSON.stringify(type.type)}:${toJson(await toNodeInfo(type, { module, files: once }))}`;
      if (!offersFiles(type.inputs)) written.set(type, text);
    }
    infos.push(text);
  }
  return `{${infos.join(',')}}`;
}
