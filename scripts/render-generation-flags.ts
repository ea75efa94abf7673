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
type Flag = Readonly<Record<string, unknown>>;

const SKIN_MODES = {
  faithful: SkinFaithfulRequest,
  creative: SkinCreativeRequest,
  flexible: SkinFlexibleRequest,
} as unknown as Readonly<Record<string, Request>>;
/** An argument, not a flag. */
const ARGUMENT = 'image';
const LINE_WIDTH = 110;

/** The fields of generation requests as flags of the command line, which has no schemas when it runs. */
export function renderGenerationFlags(): string {
  const tables = {
    skin: skinFlags(),
    relight: flagsOf(RelightRequest as unknown as Request),
    video: flagsOf(VideoTaskRequest as unknown as Request),
  };
  const body = Object.entries(tables).map(
    ([name, flags]) => `  ${name}: [\n${flags.map(render).join('')}  ],\n`,
  );
  return `// Made from packages/contracts by \`npm run generate\`. Change it there.

/* oxlint-disable max-lines */

import type { GenerationFlag } from './generation-flag.ts';

export const SKIN_MODES = [${Object.keys(SKIN_MODES).map(literal).join(', ')}] as const;

export const GENERATION_FLAGS: Readonly<Record<'skin' | 'relight' | 'video', readonly GenerationFlag[]>> = {
${body.join('')}};
`;
}

function skinFlags(): Flag[] {
  const modes = Object.entries(SKIN_MODES);
  const common = (name: string) => modes.every(([, { properties }]) => name in properties);
  const [[, first] = []] = modes;
  if (!first) throw new Error('there is no mode');
  return [
    ...flagsOf(first).filter(({ field }) => common(String(field))),
    ...modes.flatMap(([mode, request]) =>
      flagsOf(request)
        .filter(({ field }) => !common(String(field)))
        .map((flag) => ({ ...flag, mode })),
    ),
  ];
}

function flagsOf({ properties, required = [] }: Request, parent?: string): Flag[] {
  return Object.entries(properties).flatMap(([field, schema]) => {
    if (field === ARGUMENT) return [];
    if (schema.properties) return flagsOf({ properties: schema.properties }, field);
    const type = typeOf(schema);
    return {
      flag: type === 'pictures' ? '--image' : `--${field.replaceAll('_', '-')}`,
      field,
      parent,
      type,
      about: aboutOf(schema.description ?? '', properties),
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
  if (type !== 'string') throw new Error(`no flag can have the type ${type}`);
  if (choices) return 'choice';
  if (description.includes('base64')) return 'picture';
  return pattern === undefined ? 'text' : 'address';
}

/** In the words of the command line: flags instead of fields, and files instead of base64. */
function aboutOf(description: string, fields: Readonly<Record<string, unknown>>): string {
  return description
    .replaceAll(/`([^`]+)`/g, (_, name: string) => (name in fields ? `--${name.replaceAll('_', '-')}` : name))
    .replace('base64, a data URL, or a public https URL', 'a file or a public https URL')
    .replace(/\.$/, '');
}

function render(flag: Flag): string {
  const lines = Object.entries(flag)
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
