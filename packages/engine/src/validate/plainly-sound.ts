import type { NodeCatalogue } from '../catalogue.ts';
import { fixedInputs } from '../declare/flat-inputs.ts';
import type { Input } from '../declare/inputs.ts';
import type { NodeType } from '../declare/node-type.ts';
import type { Draft, DraftNode } from './prompt-draft.ts';
import { typesMatch } from './type-match.ts';

interface Parts {
  readonly catalogue: NodeCatalogue;
  readonly draft: Draft;
}

/**
 * Whether nothing is wrong with a node and no value of it needs to be converted, as far as that shows without asking anybody. Most nodes
 * are such, and what `validateNode` waits for costs several times what this does. When it says no, `validateNode` decides.
 */
export function isPlainlySound(parts: Parts, node: DraftNode, type: NodeType): boolean {
  const inputs = type.validate ? undefined : fixedInputs(type);
  if (!inputs) return false;
  for (const { name, input, optional } of inputs.values()) {
    if (!Object.hasOwn(node.inputs, name)) {
      if (optional) continue;
      return false;
    }
    const value = node.inputs[name];
    if (Array.isArray(value) ? !isSoundLink(parts, input, value) : !isSoundConstant(input, value)) {
      return false;
    }
  }
  return true;
}

function isSoundLink({ catalogue, draft }: Parts, input: Input, link: readonly unknown[]): boolean {
  const [from, slot] = link;
  const wanted = socketOf(input);
  if (link.length !== 2 || typeof from !== 'string' || typeof slot !== 'number' || wanted === undefined) {
    return false;
  }
  const source = draft.get(from);
  const given = source && catalogue.get(source.class_type)?.outputs[slot];
  return given !== undefined && typesMatch(given.socket, wanted);
}

const SOCKETS: Readonly<Record<string, string>> = {
  int: 'INT',
  float: 'FLOAT',
  string: 'STRING',
  boolean: 'BOOLEAN',
};

/** Only where it is one whatever the user's files are. */
function socketOf(input: Input): string | undefined {
  return input.kind === 'link' ? input.socket : SOCKETS[input.kind];
}

function isSoundConstant(input: Input, value: unknown): boolean {
  if (input.kind === 'string') return typeof value === 'string';
  if (input.kind === 'int') {
    return Number.isSafeInteger(value) && !Object.is(value, -0) && isWithin(input.options, value);
  }
  if (input.kind === 'float') return Number.isFinite(value) && isWithin(input.options, value);
  if (input.kind === 'boolean') return typeof value === 'boolean';
  if (input.kind !== 'combo' || typeof value !== 'string') return false;
  return Array.isArray(input.choices) && input.choices.includes(value);
}

interface Bounds {
  readonly min?: number | bigint | undefined;
  readonly max?: number | bigint | undefined;
}

function isWithin({ min, max }: Bounds, value: unknown): boolean {
  return (
    typeof value === 'number' && !(min !== undefined && value < min) && !(max !== undefined && value > max)
  );
}
