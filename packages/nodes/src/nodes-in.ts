import type { NodeType } from '@atelier/engine';

export function nodesIn(...modules: readonly object[]): readonly NodeType[] {
  return modules.flatMap((module) => Object.values(module)).filter(isNodeType);
}

function isNodeType(value: unknown): value is NodeType {
  return typeof value === 'object' && value !== null && 'run' in value && 'outputs' in value;
}
