import {
  RelightRequest,
  SkinCreativeRequest,
  SkinFaithfulRequest,
  SkinFlexibleRequest,
  VideoTaskRequest,
} from '@atelier/contracts';

interface Field {
  readonly type: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly expects?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly properties?: Readonly<Record<string, Field>>;
}
interface Request {
  readonly properties: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}
type Row = Readonly<Record<string, unknown>>;

const SKIN_MODES = {
  faithful: SkinFaithfulRequest,
  creative: SkinCreativeRequest,
  flexible: SkinFlexibleRequest,
} as unknown as Readonly<Record<string, Request>>;
/** What is worked on, which is asked for apart from the others. */
const SUBJECT = 'image';
const LINE_WIDTH = 110;

/** The fields of generation requests for the command line and the console, which have no schemas when they run. */
export function renderGenerationFields(): string {
  const tables = {
    skin: skinFields(),
    relight: fieldsOf(RelightRequest as unknown as Request),
    video: fieldsOf(VideoTaskRequest as unknown as Request),
  };
  const body = Object.entries(tables).map(
    ([name, rows]) => `  ${name}: [\n${rows.map(render).join('')}  ],\n`,
  );
  return `// Made from packages/contracts by \`npm run generate\`. Change it there.

/* oxlint-disable max-lines */

import type { GenerationField } from './generation-field.ts';

export const SKIN_MODES = [${Object.keys(SKIN_MODES).map(literal).join(', ')}] as const;

export const GENERATION_FIELDS: Readonly<Record<'skin' | 'relight' | 'video', readonly GenerationField[]>> = {
${body.join('')}};
`;
}

function skinFields(): Row[] {
  const modes = Object.entries(SKIN_MODES);
  const common = (name: string) => modes.every(([, { properties }]) => name in properties);
  const [[, first] = []] = modes;
  if (!first) throw new Error('there is no mode');
  return [
    ...fieldsOf(first).filter(({ field }) => common(String(field))),
    ...modes.flatMap(([mode, request]) =>
      fieldsOf(request)
        .filter(({ field }) => !common(String(field)))
        .map((row) => ({ ...row, mode })),
    ),
  ];
}

function fieldsOf({ properties, required = [] }: Request, parent?: string): Row[] {
  return Object.entries(properties).flatMap(([field, schema]) => {
    if (field === SUBJECT) return [];
    if (schema.properties) return fieldsOf({ properties: schema.properties }, field);
    return {
      field,
      parent,
      type: typeOf(schema),
      about: (schema.description ?? '').replace(/\.$/, ''),
      isRequired: required.includes(field) || undefined,
      min: schema.minimum,
      max: schema.maximum,
      maxLength: schema.maxLength,
      pattern: schema.pattern,
      expects: schema.expects,
      choices: schema.enum,
      default: schema.default,
    };
  });
}

function typeOf({ type, description = '', enum: choices, pattern }: Field): string {
  if (type === 'array') return 'pictures';
  if (type === 'integer') return 'integer';
  if (type === 'boolean') return 'switch';
  if (type !== 'string') throw new Error(`no field has the type ${type}`);
  if (choices) return 'choice';
  if (description.includes('base64')) return 'picture';
  return pattern === undefined ? 'text' : 'address';
}

function render(row: Row): string {
  const lines = Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => renderField(`      ${name}: `, value));
  return `    {\n${lines.join('')}    },\n`;
}

/** As the formatter would have it. */
function renderField(start: string, value: unknown): string {
  if (!Array.isArray(value)) {
    const line = `${start}${literal(value)},`;
    return line.length <= LINE_WIDTH ? `${line}\n` : `${start.trimEnd()}\n        ${literal(value)},\n`;
  }
  const line = `${start}[${value.map(literal).join(', ')}],`;
  if (line.length <= LINE_WIDTH) return `${line}\n`;
  return `${start}[\n${value.map((one) => `        ${literal(one)},\n`).join('')}      ],\n`;
}

function literal(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
