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
import type { Routes } from '../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../platform/http/route-defaults.ts';
import { sendJson } from '../platform/http/send-json.ts';

export interface NodeTypesParts {
  readonly nodeTypes: () => Promise<NodeCatalogue>;
  /** What a user can choose from. */
  readonly filesOf: (userId: string) => ChoiceFiles;
}

const Infos = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Node types by name, each with `input.required` and what else editors need to know.',
});

/** What node types there are. */
export const nodeTypesRoutes: Routes<NodeTypesParts> =
  ({ nodeTypes, filesOf }) =>
  async (app) => {
    const parameters = { type: 'The `class_type`; upper and lower case count.' };
    const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'node types', parameters });
    route('GET', '/object_info', {
      operation: 'nodeTypes.list',
      summary: 'Every node type',
      description:
        'In the format of ComfyUI. Inputs that choose a file offer the files of the caller, so the answer is different for each user.',
      response: { 200: Infos },
      handle: async ({ actor, reply }) => {
        const catalogue = await nodeTypes();
        return await sendJson(reply, await describeAll(catalogue, filesOf(actor.userId)));
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
        const describe = createDescriber(catalogue, filesOf(actor.userId));
        return await sendJson(reply, type ? `{${await describe(type)}}` : '{}');
      },
    });
  };

/** A node type whose entry depends on the files of the caller; or the entries of several others, as JSON. */
type Part = Uint8Array | NodeDescription;

/** Cached for each catalogue, which may have thousands of types: four times the rate of joining their texts. */
const written = new WeakMap<NodeCatalogue, Promise<readonly Part[]>>();
const [OPEN, COMMA, CLOSE] = ['{', ',', '}'].map((sign) => Buffer.from(sign)) as [Buffer, Buffer, Buffer];

/** All node types as JSON, in which large numbers stay exact. */
async function describeAll(catalogue: NodeCatalogue, files: ChoiceFiles): Promise<Uint8Array> {
  const describe = createDescriber(catalogue, files);
  const parts = await written.getOrInsertComputed(catalogue, async () => await writeParts(catalogue));
  const bytes = await Promise.all(
    parts.map(async (part) => (part instanceof Uint8Array ? part : Buffer.from(await describe(part)))),
  );
  const separated = bytes.flatMap((some, index) => (index === 0 ? [some] : [COMMA, some]));
  return Buffer.concat([OPEN, ...separated, CLOSE]);
}

async function writeParts(catalogue: NodeCatalogue): Promise<readonly Part[]> {
  const describe = createDescriber(catalogue, { list: async () => [] });
  const parts: Part[] = [];
  let run: string[] = [];
  const endRun = () => {
    if (run.length > 0) parts.push(Buffer.from(run.join(',')));
    run = [];
  };
  for (const type of catalogue.all()) {
    if (!offersFiles(type.inputs)) {
      run.push(await describe(type));
      continue;
    }
    endRun();
    parts.push(type);
  }
  endRun();
  return parts;
}

/** Makes the entry of a node type. */
function createDescriber(catalogue: NodeCatalogue, files: ChoiceFiles) {
  // Several node types list the same folder.
  const lists = new Map<string, Promise<readonly string[]>>();
  const once: ChoiceFiles = {
    list: async (folder, subfolder) =>
      await lists.getOrInsertComputed(`${folder}/${subfolder}`, () => files.list(folder, subfolder)),
  };
  return async (type: NodeDescription): Promise<string> => {
    const module = catalogue.packOf(type.type)?.name ?? '';
    return `${JSON.stringify(type.type)}:${toJson(await toNodeInfo(type, { module, files: once }))}`;
  };
}
