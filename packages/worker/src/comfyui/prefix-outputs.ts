import type { Graph, GraphNode } from '@atelier/engine';

import type { FactsOf } from './node-facts.ts';
import { flatPrefix } from './stage-inputs.ts';

/** An input that no node has. ComfyUI does not pass it on, but has it in the key of its cache. */
const OWN_INPUT = 'atelier_attempt';

/**
 * Makes the output nodes of a graph write into a folder of their own. ComfyUI shares results between users: without it a node whose
 * inputs were the same before would not run, and name a file of somebody else.
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
  // Its files have no path but this one.
  if (typeof inFolder === 'string')
    return { ...node, inputs: { ...node.inputs, folder_name: `${folder}/${inFolder}` } };
  const given = node.inputs['filename_prefix'] ?? facts.prefix?.default;
  if (facts.prefix && typeof given === 'string' && staysInFolder(given))
    return { ...node, inputs: { ...node.inputs, filename_prefix: `${folder}/${given}` } };
  return { ...node, inputs: { ...node.inputs, [OWN_INPUT]: folder } };
}

/** Texts of ComfyUI name the folders of an attempt and our own input. To the user, files have the names that they know. */
export function cleanerFor(folder: string): (text: string) => string {
  const own = new RegExp(`(?:, )?(["'])${OWN_INPUT}\\1: \\1${folder}\\1`, 'g');
  // Windows separates by backslashes, which are doubled where texts are quoted.
  const path = `(?:3d/)?${folder}/(?:(?:input|output|temp)/)?`;
  const inside = new RegExp(path.replaceAll('/', String.raw`[\\/]+`), 'g');
  const flat = new RegExp(String.raw`${flatPrefix(folder)}\d+-`, 'g');
  return (text) => text.replaceAll(own, '').replaceAll(inside, '').replaceAll(flat, '');
}

/** ComfyUI refuses others, and should go on doing so. One without a name would take the folder for it. */
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
