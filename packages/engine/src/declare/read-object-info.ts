import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@atelier/contracts/is-object';
import { catalogueOf, type NodeCatalogue, type PackInfo } from '../catalogue.ts';
import { parsePlainPythonJson } from '../parse-prompt.ts';
import { toJson } from '../python/exact-json.ts';
import { DescriptionError, MAX_NODE_TYPES } from './describe-nodes.ts';
import { findDescriptionFault, isChoice } from './description-fault.ts';
import type { Inputs } from './inputs.ts';
import {
  type CheckDescription,
  DEFAULTS,
  type ForeignInfo,
  type InputSection,
  type Media,
  type NodeDescription,
} from './node-description.ts';
import { orderOf, toMembers } from './object-info.ts';
import type { Output } from './outputs.ts';
import { readSection, Unreadable } from './read-input-config.ts';

const MAX_TEXT_LENGTH = 64 * 2 ** 20;
/** What is announced must fit in a frame of 32 MB, within a text whose quotes are escaped. */
const MAX_DESCRIBED_LENGTH = 24 * 2 ** 20;
/** Far below what a parser of the announcement takes. */
const MAX_DEPTH = 50;
const MAX_PROBLEMS = 100;
const SECTIONS: readonly InputSection[] = ['required', 'optional', 'hidden'];

export interface ObjectInfoTypes {
  readonly catalogue: NodeCatalogue;
  /** A sentence for each type that was left out; of many the first. */
  readonly problems: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what a ComfyUI server answers to `GET /object_info`: the inverse of `toObjectInfo`. A type that cannot be used is left out. Throws
 * a `DescriptionError` when the answer as a whole is not one.
 *
 * Lost on the way: sections of `input` that ComfyUI has no meaning for, choices that no graph can name, files of that machine.
 */
export function readObjectInfo(text: string): ObjectInfoTypes {
  const entries: { readonly node: NodeDescription; readonly pack: PackInfo }[] = [];
  const problems: string[] = [];
  let left = 0;
  let length = 0;
  for (const [type, given] of Object.entries(parse(text))) {
    try {
      if (entries.length >= MAX_NODE_TYPES) throw new Unreadable(`${MAX_NODE_TYPES} types are the limit`);
      const entry = readType(type, given);
      const size = toJson(entry.node).length;
      if (length + size > MAX_DESCRIBED_LENGTH) throw new Unreadable('all types together are too long');
      length += size;
      entries.push(entry);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      left += 1;
      if (left <= MAX_PROBLEMS) problems.push(`${type.slice(0, 100)} is left out: ${error.message}.`);
    }
  }
  if (left > MAX_PROBLEMS) problems.push(`${left - MAX_PROBLEMS} more types are left out.`);
  return { catalogue: catalogueOf(entries), problems };
}

function parse(text: string): Fields {
  if (text.length > MAX_TEXT_LENGTH) throw new DescriptionError('it is longer than 64 MB');
  let given: unknown;
  try {
    given = parsePlainPythonJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new DescriptionError(`it is not JSON (${error.message})`);
    throw error;
  }
  if (!isObject(given)) throw new DescriptionError('it is not an object');
  return given;
}

function readType(type: string, given: unknown) {
  if (!isObject(given)) throw new Unreadable('it is not an object');
  if (isDeeper(given, MAX_DEPTH)) throw new Unreadable(`it is nested more than ${MAX_DEPTH} levels deep`);
  const { python_module: module } = given;
  const pack = { name: typeof module === 'string' ? module : '' };
  const bare = readMembers(type, given);
  const sections = readSections(given['input'] ?? {});
  const uploads = new Map<string, Media | undefined>();
  const place = { name: '', uploads, depth: 0 };
  // ComfyUI looks for an input among the required ones first.
  const inputs: Inputs = {
    ...readSection(sections.required ?? {}, { ...place, optional: false }),
    ...readSection(without(sections.optional, sections.required), { ...place, optional: true }),
  };
  const made: Fields = { ...toMembers(bare, pack.name), input_order: orderOf(sections) };
  const foreign: ForeignInfo = {
    members: Object.fromEntries(
      Object.entries(given).filter(
        ([member, value]) => member !== 'input' && !isDeepStrictEqual(value, made[member]),
      ),
    ),
    sections: SECTIONS.filter((section) => sections[section] !== undefined),
    hidden: sections.hidden ?? {},
  };
  const node: NodeDescription = { ...bare, inputs, validate: fileCheck(uploads), foreign };
  const fault = findDescriptionFault({ ...node });
  if (fault) throw new Unreadable(fault);
  return { node, pack };
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1));
}

function readSections(input: unknown): { readonly [S in InputSection]?: Fields } {
  if (!isObject(input)) throw new Unreadable('`input` is not an object');
  const sections = SECTIONS.filter((section) => input[section] !== undefined).map((section) => {
    const named = input[section];
    if (!isObject(named)) throw new Unreadable(`\`input.${section}\` is not an object`);
    return [section, named];
  });
  return Object.fromEntries(sections);
}

function without(section: Fields = {}, others: Fields = {}): Fields {
  return Object.fromEntries(Object.entries(section).filter(([name]) => !Object.hasOwn(others, name)));
}

/** All but the inputs. What is not as it should be stays in `foreign.members`. */
function readMembers(type: string, given: Fields): NodeDescription {
  const aliases = given['search_aliases'];
  return {
    ...DEFAULTS,
    type,
    title: textOf(given['display_name']) ?? type,
    category: textOf(given['category']) ?? '',
    description: textOf(given['description']) ?? '',
    searchAliases:
      Array.isArray(aliases) && aliases.every((alias) => typeof alias === 'string') ? aliases : [],
    essentialsCategory: textOf(given['essentials_category']),
    inputs: {},
    outputs: readOutputs(given),
    outputNode: given['output_node'] === true,
    hasIntermediateOutput: given['has_intermediate_output'] === true,
    deprecated: given['deprecated'] === true,
    experimental: given['experimental'] === true,
    apiNode: given['api_node'] === true,
    inputIsList: given['is_input_list'] === true,
  };
}

function readOutputs(given: Fields): readonly Output[] {
  const [names, lists, tooltips, templates] = [
    given['output_name'],
    given['output_is_list'],
    given['output_tooltips'],
    given['output_matchtypes'],
  ].map((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  const { output = [] } = given;
  if (!Array.isArray(output)) throw new Unreadable('`output` is not a list');
  return output.map((type: unknown, index): Output => {
    const choices = Array.isArray(type) ? type.filter(isChoice) : undefined;
    const socket = choices ? 'COMBO' : textOf(type);
    if (socket === undefined) throw new Unreadable(`the type of output ${index} is not a text`);
    return {
      socket,
      name: textOf(names?.[index]) ?? socket,
      isList: lists?.[index] === true,
      tooltip: textOf(tooltips?.[index]),
      template: textOf(templates?.[index]),
      ...(choices ? { choices } : {}),
    };
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function fileCheck(uploads: ReadonlyMap<string, Media | undefined>): CheckDescription | undefined {
  if (uploads.size === 0) return undefined;
  const [media, ...others] = new Set(uploads.values());
  const check = { kind: 'file', ...(media && others.length === 0 ? { media } : {}) } as const;
  return { inputs: [...uploads.keys()], check };
}
