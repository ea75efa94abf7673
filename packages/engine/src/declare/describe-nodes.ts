import { isObject } from '@atelier/contracts/is-object';
import { catalogueOf, type NodeCatalogue } from '../catalogue.ts';
import { parseJson } from '../parse-prompt.ts';
import { exactNumber } from '../python/exact-json.ts';
import { floatRepr, isIntegerNumber } from '../python/python-number.ts';
import { findDescriptionFault } from './description-fault.ts';
import { DEFAULTS, type NodeDescription } from './node-description.ts';

/** What a worker may announce. The built-in node types are 151, in 0.14 MB. */
const MAX_NODE_TYPES = 20_000;
const MAX_TEXT_LENGTH = 32 * 2 ** 20;

/** Node types that cannot be used as they are described; the message names the first one. */
export class DescriptionError extends Error {
  constructor(why: string) {
    super(`The description of the node types cannot be used: ${why}.`);
    this.name = 'DescriptionError';
  }
}

const MEMBERS = new Set(['type', 'title', 'category', 'inputs', 'outputs', ...Object.keys(DEFAULTS)]);

/** Everything about node types but their code, as JSON for `readNodeDescriptions`. */
export function describeNodes(catalogue: NodeCatalogue): string {
  const nodes = catalogue
    .all()
    .map((node) => ({ pack: catalogue.packOf(node.type)?.name ?? '', ...pick(node) }));
  return JSON.stringify({ nodes }, (_key, item: unknown) => {
    if (typeof item === 'bigint') return exactNumber(item);
    return typeof item === 'number' && !isIntegerNumber(item) ? exactFloat(item) : item;
  });
}

/** Node types without their code. They may come from anywhere: throws a `DescriptionError` for what is wrong with them. */
export function readNodeDescriptions(json: string): NodeCatalogue {
  if (json.length > MAX_TEXT_LENGTH) throw new DescriptionError('it is longer than 32 MB');
  const described = parse(json);
  const nodes = isObject(described) ? described['nodes'] : undefined;
  if (!Array.isArray(nodes)) throw new DescriptionError('it has no list of nodes');
  if (nodes.length > MAX_NODE_TYPES) {
    throw new DescriptionError(`it has ${nodes.length} node types, and ${MAX_NODE_TYPES} is the limit`);
  }
  return catalogueOf(nodes.map(readNode));
}

function readNode(given: unknown, index: number) {
  if (!isObject(given)) throw new DescriptionError(`node ${index + 1} is not an object`);
  const { type, pack } = given;
  const node = { ...DEFAULTS, ...pick(given) };
  const fault = typeof pack === 'string' ? findDescriptionFault(node) : '`pack` must be a text';
  if (fault) throw new DescriptionError(`node ${index + 1} (${String(type).slice(0, 100)}): ${fault}`);
  return { node: node as unknown as NodeDescription, pack: { name: String(pack) } };
}

function parse(json: string): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    throw new DescriptionError(`it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function pick(node: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(node).filter(([member, value]) => MEMBERS.has(member) && value !== undefined),
  );
}

/** With its point or exponent, so that it does not come back as an integer; 1e999 is read as infinity. */
function exactFloat(value: number): unknown {
  if (Number.isNaN(value)) return undefined;
  return JSON.rawJSON(Number.isFinite(value) ? floatRepr(value) : value > 0 ? '1e999' : '-1e999');
}
