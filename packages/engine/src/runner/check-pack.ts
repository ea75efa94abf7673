import { isObject } from '@atelier/contracts/is-object';
import {
  findDescriptionFault,
  findMemberFault,
  isName,
  maybe,
  type Shape,
} from '../declare/description-fault.ts';

/** Says in a sentence what is wrong with the `pack` that a module exports, which may be plain JavaScript. */
export function findPackFault(pack: unknown): string | undefined {
  if (!isObject(pack) || typeof pack['name'] !== 'string' || !Array.isArray(pack['nodes'])) {
    return 'it does not export a `pack` made with `definePack`.';
  }
  const names = new Set<unknown>();
  for (const [index, node] of pack['nodes'].entries()) {
    if (!isObject(node)) return `node ${index + 1} is not an object; declare it with \`defineNode\`.`;
    const { type } = node;
    if (!isName(type)) return `node ${index + 1} has a \`type\` that is not a name.`;
    const fault = findDescriptionFault(node) ?? findMemberFault(node, CODE);
    if (fault) return `node type ${type}: ${fault}. Declare it with \`defineNode\`.`;
    if (names.has(type)) return `it declares ${type} twice.`;
    names.add(type);
  }
  return undefined;
}

const FUNCTION: Shape = ['a function', (value) => typeof value === 'function'];
const CODE: Readonly<Record<string, Shape>> = {
  run: FUNCTION,
  fingerprint: maybe(FUNCTION),
  check: maybe(FUNCTION),
  needs: maybe(FUNCTION),
};
