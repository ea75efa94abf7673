import {
  type ChoiceFiles,
  type Input,
  type Inputs,
  type NodeCatalogue,
  type NodeType,
  toJson,
  toNodeInfo,
} from '@atelier/engine';

export type NodeInfos = ReturnType<typeof createNodeInfos>;

/**
 * Node types as JSON. Those without choices of files are written once: all 150 take 1.5 ms to make, the few that depend on
 * the caller a tenth of that.
 */
export function createNodeInfos(nodeTypes: () => Promise<NodeCatalogue>) {
  const kept = new WeakMap<NodeType, string>();

  const write = async (catalogue: NodeCatalogue, type: NodeType, files: ChoiceFiles): Promise<string> => {
    const known = kept.get(type);
    if (known !== undefined) return known;
    const module = catalogue.packOf(type.type)?.name ?? '';
    const text = `${JSON.stringify(type.type)}:${toJson(await toNodeInfo(type, { module, files }))}`;
    if (!asksForFiles(type.inputs)) kept.set(type, text);
    return text;
  };

  return {
    async all(files: ChoiceFiles): Promise<string> {
      const catalogue = await nodeTypes();
      const listed = listedOnce(files);
      const texts = catalogue.all().map(async (type) => await write(catalogue, type, listed));
      return `{${(await Promise.all(texts)).join(',')}}`;
    },

    async one(name: string, files: ChoiceFiles): Promise<string> {
      const catalogue = await nodeTypes();
      const type = catalogue.get(name);
      return type ? `{${await write(catalogue, type, files)}}` : '{}';
    },
  };
}

/** Whether a list of choices is made when somebody asks, at any depth. */
function asksForFiles(inputs: Inputs): boolean {
  return Object.values(inputs).some(isAsking);
}

function isAsking(input: Input): boolean {
  if (input.kind === 'combo') return typeof input.choices === 'function';
  if (input.kind === 'dynamicCombo') return Object.values(input.choices).some(asksForFiles);
  return input.kind === 'autogrow' && isAsking(input.item);
}

/** Several node types list the same folder. */
function listedOnce(files: ChoiceFiles): ChoiceFiles {
  const lists = new Map<string, Promise<readonly string[]>>();
  return {
    async list(folder, subfolder) {
      const key = `${folder}/${subfolder}`;
      const list = lists.get(key) ?? files.list(folder, subfolder);
      lists.set(key, list);
      return await list;
    },
  };
}
