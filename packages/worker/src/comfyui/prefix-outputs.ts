import type { Graph, GraphNode } from '@atelier/engine';

import type { FactsOf } from './node-facts.ts';
import { flatPrefix } from './stage-inputs.ts';

/** An input that no node has. ComfyUI does not pass it on, but includes it in the key of its cache. */
const OWN_INPUT = 'atelier_attempt';

/**
 * Makes the output nodes of a graph write into the folder of their attempt. ComfyUI shares results between users: otherwise a node whose
 * inputs are cached would not run, and would name a file of another user.
 */
export function prefixOutputs(
  graph: Graph,
  { factsOf, folder }: { factsOf: FactsOf; folder: string },
): Graph {
  return Object.fromEntries(
    Object.entries(graph).map(([id, node]) => [id, prefixNode(node, factsOf, folder)]),
  );
}

function prefixNode(node: GraphNode, factsOf: FactsOf, folder: string): GraphNode {
  const facts = factsOf(node.class_type);
  if (!facts?.isOutput) return node;
  const inFolder = node.inputs['folder_name'];
  // Such a node has no other path for its files.
  if (typeof inFolder === 'string')
    return { ...node, inputs: { ...node.inputs, folder_name: `${folder}/${inFolder}` } };
  const given = node.inputs['filename_prefix'] ?? facts.prefix?.default;
  if (facts.prefix && typeof given === 'string' && staysInFolder(given))
    return { ...node, inputs: { ...node.inputs, filename_prefix: `${folder}/${given}` } };
  return { ...node, inputs: { ...node.inputs, [OWN_INPUT]: folder } };
}

/** Removes the folder of the attempt and our own input from texts of ComfyUI, so that files have the names that the user knows. */
export function cleanerFor(folder: string): (text: string) => string {
  const own = new RegExp(`(?:, )?(["'])${OWN_INPUT}\\1: \\1${folder}\\1`, 'g');
  // Windows uses backslashes, which are doubled in quoted texts.
  const path = `(?:3d/)?${folder}/(?:(?:input|output|temp)/)?`;
  const inside = new RegExp(path.replaceAll('/', String.raw`[\\/]+`), 'g');
  const flat = new RegExp(String.raw`${flatPrefix(folder)}\d+-`, 'g');
  return (text) => text.replaceAll(own, '').replaceAll(inside, '').replaceAll(flat, '');
}

/** ComfyUI refuses other prefixes, and must still do so. A prefix without a name would use the folder as the name. */
function staysInFolder(prefix: string): boolean {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(prefix)) return false;
  let depth = 0;
  for (const part of prefix.split(/[\\/]/)) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return depth > 0;
}
