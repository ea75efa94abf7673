import { shown } from '../archive/unusable-archive.ts';
import type { InnerNode } from '../inspection.ts';
import { createInterpreter } from '../interpreter/create-interpreter.ts';
import { type ClassValue, GAP } from '../interpreter/values.ts';
import type { Module, Modules } from '../python/modules.ts';
import { rootOf, unreachedTests } from '../python/reached-modules.ts';
import { exportedBy, REGISTERED, schemaClasses } from './exported-classes.ts';
import { readNode, readSchemaNode } from './node-facts.ts';

export function extractNodes(modules: Modules, limit: number) {
  const it = createInterpreter(modules);
  const named = new Map<string, ClassValue | undefined>();
  const listed = new Set<ClassValue>();
  const notes: string[] = [];

  const take = (module: Module): number => {
    const exported = exportedBy(it, module);
    for (const [name, owner] of exported.named) named.set(name, owner ?? named.get(name));
    for (const owner of exported.listed) listed.add(owner);
    if (exported.gaps & GAP.unread) {
      notes.push(`Not all nodes of ${shown(module.file)} could be read: its ${REGISTERED} is computed.`);
    }
    return exported.gaps;
  };

  const root = rootOf(modules);
  const isWhole = root !== undefined && (take(root) & ~GAP.maybe) === 0;
  if (!isWhole) {
    const tests = unreachedTests(modules);
    for (const module of modules.all) {
      if (module === root || tests.has(module.file)) continue;
      take(module);
      for (const owner of schemaClasses(it, module)) listed.add(owner);
    }
    if (root) for (const owner of schemaClasses(it, root)) listed.add(owner);
  }

  const nodes = new Map<string, InnerNode>();
  for (const [name, owner] of named) nodes.set(name, readNode(it, name, owner));
  for (const owner of listed) {
    const node = readSchemaNode(it, owner);
    const name = node?.comfy_node_name;
    if (name === undefined || name === '') {
      if (isWhole) notes.push(`The name of the node ${shown(owner.definition.name)} could not be read.`);
    } else if (!nodes.has(name)) nodes.set(name, { ...node, comfy_node_name: name });
  }
  if (nodes.size > limit) notes.push(`The pack has more than ${limit} nodes; the others are not listed.`);
  const sorted = [...nodes.values()].sort((a, b) => (a.comfy_node_name < b.comfy_node_name ? -1 : 1));
  return { nodes: sorted.slice(0, limit), notes };
}
