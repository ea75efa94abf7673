import { isObject } from '@atelier/contracts/is-object';
import { catalogueOf, type NodeCatalogue } from '../catalogue.ts';
import { parseJson } from '../parse-prompt.ts';
import { exactNumber } from '../python/exact-json.ts';
import { floatRepr, isIntegerNumber } from '../python/python-number.ts';
import { findDescriptionFault } from './description-fault.ts';
import { DEFAULTS, type NodeDescription } from './node-description.ts';

/** What a worker may announce. The built-in node types are 151, in 0.14 MB. */
export const MAX_NODE_TYPES = 20_000;
const MAX_TEXT_LENGTH = 32 * 2 ** 20;

/** Node types that cannot be used as they are described; the message names the first one. */
export class DescriptionError extends Error {
  constructor(why: string) {
    super(`The description of the node types cannot be used: ${why}.`);
    this.name = 'DescriptionError';
  }
}

const MEMBERS = new Set(['type', 'title', 'category', 'inputs', 'outputs', ...Object.keys(DEFAULTS)]);

/** Everything about node types but their code, for `readNodeDescriptions`: a line of JSON for each. */
export function describeNodes(catalogue: NodeCatalogue): string {
  const describe = (node: NodeDescription): string =>
    JSON.stringify(
      { pack: catalogue.packOf(node.type)?.name ?? '', ...pick(node) },
      (_key, item: unknown) => {
        if (typeof item === 'bigint') return exactNumber(item);
        return typeof item === 'number' && !isIntegerNumber(item) ? exactFloat(item) : item;
      },
    );
  return catalogue.all().map(describe).join('\n');
}

/** Node types without their code. They may come from anywhere: throws a `DescriptionError` for what is wrong with them. */
export function readNodeDescriptions(text: string): NodeCatalogue {
  return catalogueOf([...eachNodeDescription(text)]);
}

/** The same, one at a time: a thousand take some 70 ms. */
export function* eachNodeDescription(text: string) {
  if (text.length > MAX_TEXT_LENGTH) throw new DescriptionError('it is longer than 32 MB');
  const lines = text.split('\n');
  if (lines.length > MAX_NODE_TYPES) {
    throw new DescriptionError(`it has ${lines.length} node types, and ${MAX_NODE_TYPES} is the limit`);
  }
  for (const [index, line] of lines.entries()) yield readNode(parse(line, index), index);
}

function readNode(given: unknown, index: number) {
  if (!isObject(given)) throw new DescriptionError(`node ${index + 1} is not an object`);
  const { type, pack } = given;
  const node = { ...DEFAULTS, ...pick(given) };
  const fault = typeof pack === 'string' ? findDescriptionFault(node) : '`pack` must be a text';
  if (fault) throw new DescriptionError(`node ${index + 1} (${String(type).slice(0, 100)}): ${fault}`);
  return { node: node as unknown as NodeDescription, pack: { name: String(pack) } };
}

function parse(line: string, index: number): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DescriptionError(`node ${index + 1} is not JSON (${why})`);
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
