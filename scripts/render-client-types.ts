import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@atelier/contracts';

import { ROOT } from './run-command.ts';

/** As much of JSON Schema as the contracts use. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

const FOLDER = 'packages/sdk/src';
const WIRE = `${FOLDER}/wire.ts`;
const ANSWERS = `${FOLDER}/answers.ts`;
const HEADER = '// Made from packages/contracts by `npm run generate`. Change it there.\n\n';
/** They are TypeScript without imports already. */
const COPIED = ['job-messages.ts', 'prompt-errors.ts'];

/**
 * The types of the client, without a package that declares them: whoever installs it needs nothing else of this repository. Only what
 * the client uses is there.
 */
export function renderClientTypes(): Record<string, string> {
  const copied = COPIED.map(readContract).join('\n');
  const named = namedSchemas();
  const answers = answerNames(named);
  const rendered = new Map<string, string>();
  const visit = (name: string): void => {
    const schema = named.get(name);
    if (!schema || rendered.has(name)) return;
    rendered.set(name, '');
    rendered.set(name, renderNamed(name, schema, named, visit));
  };
  for (const name of [...importedNames(), ...answers]) {
    if (!named.has(name) && !new RegExp(`(?:interface|type) ${name}\\b`).test(copied)) {
      throw new Error(`The contracts have no schema ${name}, which ${FOLDER} imports.`);
    }
    visit(name);
  }
  const interfaces = [...rendered].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return {
    [WIRE]: `${HEADER}/* oxlint-disable max-lines */\n\n${interfaces.join('\n')}\n${copied}`,
    [ANSWERS]: renderAnswers(answers, named),
    [`${FOLDER}/error-codes.ts`]: HEADER + readContract('error-codes.ts'),
  };
}

function readContract(name: string): string {
  return readFileSync(join(ROOT, 'packages/contracts/src', name), 'utf8');
}

function namedSchemas(): ReadonlyMap<string, Schema> {
  return new Map(
    Object.values(contracts as Record<string, unknown>)
      .filter((value): value is Schema & { title: string } => isSchema(value) && value.title !== undefined)
      .map((schema) => [nameOf(schema.title), schema]),
  );
}

function sources(): string[] {
  return globSync(`${FOLDER}/**/*.ts`, { cwd: ROOT, exclude: [ANSWERS] }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
}

const CALL = /\b(?:get|post|put|patch|delete|create|sendForm)\(\s*(?:transport,\s*)?'([A-Z]\w+)(?:\[\])?'/g;

/** What calls name as their answer: `transport.get('Account', …)`, `transport.get('Member[]', …)`. */
function answerNames(named: Named): string[] {
  const quoted = sources().flatMap((text) => [...text.matchAll(CALL)]);
  return [...new Set(quoted.map(([, name = '']) => name))].filter((name) => named.has(name)).toSorted();
}

/** What an answer must have, so that what is no Atelier, or an old one, is told at once. `[]` marks a list and `{}` an object. */
function renderAnswers(names: readonly string[], named: Named): string {
  const fields = names.map((name) => {
    const { required = [], properties = {} } = named.get(name) ?? {};
    const shown = required.map((key) => {
      const type = properties[key]?.type;
      return key + (type === 'array' ? '[]' : type === 'object' ? '{}' : '');
    });
    return `  ${name}: '${shown.join(' ')}',`;
  });
  return [
    `${HEADER}import type * as wire from './wire.ts';\n`,
    '/** What the server answers, by name. */',
    'export interface Answers {',
    ...names.map((name) => `  ${name}: wire.${name};`),
    '}\n',
    '/** The fields that each must have. `[]` marks a list and `{}` an object. */',
    'export const ANSWER_FIELDS: Readonly<Record<keyof Answers, string>> = {',
    ...fields,
    '};\n',
  ].join('\n');
}

function importedNames(): Set<string> {
  const imports = sources().flatMap((text) => [
    ...text.matchAll(/import type \{([^}]+)\} from '[./]+\/wire\.ts'/g),
  ]);
  return new Set(
    imports.flatMap(([, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim().split(' ', 1)[0] ?? '')
        .filter((name) => name !== ''),
    ),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'title' in value && 'type' in value;
}

/** What the wire calls a node of the registry is a pack everywhere else; a node is part of a workflow. */
function nameOf(title: string): string {
  return title.replace(/^(Admin|New|AdminNew)?Node/, '$1Pack');
}

type Visit = (name: string) => void;
type Named = ReadonlyMap<string, Schema>;

function renderNamed(name: string, schema: Schema, named: Named, visit: Visit): string {
  const comment = commentOf(schema, '');
  const shape = renderShape(schema, named, visit, '');
  return shape.startsWith('{')
    ? `${comment}export interface ${name} ${shape}\n`
    : `${comment}export type ${name} = ${shape};\n`;
}

function render(schema: Schema, named: Named, visit: Visit, indent: string): string {
  const name = schema.title === undefined ? undefined : nameOf(schema.title);
  if (name !== undefined && isSame(schema, named.get(name))) {
    visit(name);
    return name;
  }
  return renderShape(schema, named, visit, indent);
}

/** Where it stands among others a schema may have another description. */
function isSame(schema: Schema, other: Schema | undefined): boolean {
  const bare = (one: Schema): string => JSON.stringify({ ...one, description: undefined });
  return other !== undefined && bare(schema) === bare(other);
}

function renderShape(schema: Schema, named: Named, visit: Visit, indent: string): string {
  const inner = (part: Schema): string => render(part, named, visit, indent);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(inner))].join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const items = inner(schema.items ?? {});
      return items.includes(' | ') && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
    }
    case 'object':
      return renderObject(schema, named, visit, indent);
    case undefined:
    default:
      return 'unknown';
  }
}

function renderObject(schema: Schema, named: Named, visit: Visit, indent: string): string {
  const { properties, required = [], additionalProperties, patternProperties = {} } = schema;
  if (!properties) {
    const [values = typeof additionalProperties === 'object' ? additionalProperties : {}] =
      Object.values(patternProperties);
    return `Record<string, ${render(values, named, visit, indent)}>`;
  }
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(([key, part]) => {
    const name = /^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`;
    const isOptional = !required.includes(key);
    const type = render(part, named, visit, deeper);
    return `${commentOf(part, deeper)}${deeper}${name}${isOptional ? '?' : ''}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** What an editor shows: the description, the bounds and the default. */
function commentOf(schema: Schema, indent: string): string {
  const { description, minimum, maximum, maxLength, maxItems } = schema;
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const sentences = [
    description,
    isBounded && `${minimum} to ${maximum}.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
    maxItems !== undefined && `At most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}.`,
    schema.default !== undefined && `Default: ${JSON.stringify(schema.default)}.`,
  ].filter((sentence) => typeof sentence === 'string');
  return sentences.length === 0 ? '' : `${indent}/** ${sentences.join(' ')} */\n`;
}
