import { type Graph, isLink, type NodeCatalogue, toApiFormat } from '@atelier/engine/editor-format';

import { isObject, type Json, textOf } from './json.ts';
import { isEditorJson } from './workflow-nodes.ts';

/** The submitted workflow: in the API format, without nodes that do not run. Throws an `UnreadableWorkflow`. */
export function toPrompt(json: Json, catalogue: NodeCatalogue): Graph {
  return isEditorJson(json) ? toApiFormat(json, { catalogue }).prompt : withoutSkipped(json, catalogue);
}

type Link = readonly [node: string, slot: number];

/** Muted nodes are left out with everything that depends on them; a bypassed node passes on its input of the same type. */
function withoutSkipped(json: Json, catalogue: NodeCatalogue): Graph {
  const modeOf = (id: string) => {
    const node = json[id];
    return isObject(node) && isObject(node['_meta']) ? node['_meta']['mode'] : undefined;
  };
  /** The real source of a value; `undefined` if there is none left. */
  function trace([id, slot]: Link, seen: ReadonlySet<string> = new Set()): Link | undefined {
    const mode = modeOf(id);
    if (mode !== 'mute' && mode !== 'bypass') return [id, slot];
    const node = json[id];
    if (mode === 'mute' || seen.has(id) || !isObject(node)) return undefined;
    const description = catalogue.get(textOf(node['class_type']) ?? '');
    const wanted = description?.outputs[slot]?.socket;
    const inputs = Object.entries(isObject(node['inputs']) ? node['inputs'] : {});
    const [, source] =
      inputs.find(([name, value]) => {
        const input = description?.inputs[name];
        return isLink(value) && input?.kind === 'link' && input.socket === wanted;
      }) ?? [];
    return isLink(source) ? trace(source, new Set([...seen, id])) : undefined;
  }
  const entries = Object.entries(json).flatMap(([id, node]) => {
    const mode = modeOf(id);
    if (!isObject(node) || mode === 'mute' || mode === 'bypass') return [];
    const inputs = Object.entries(isObject(node['inputs']) ? node['inputs'] : {}).flatMap(([name, value]) => {
      const source = isLink(value) ? trace(value) : value;
      return source === undefined ? [] : [[name, source]];
    });
    return [[id, { ...node, inputs: Object.fromEntries(inputs) as Json }]];
  });
  return Object.fromEntries(entries) as Graph;
}
