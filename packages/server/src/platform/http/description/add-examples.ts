import { EXAMPLE_ANSWERS, EXAMPLE_ENDINGS, EXAMPLE_VALUES } from './examples.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Media {
  schema?: Schema;
  example?: unknown;
}
interface Operation {
  operationId?: string;
  parameters?: { name: string; schema?: Schema; example?: unknown }[];
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, { content?: Record<string, Media> }>;
}

/**
 * Adds an example to every parameter, body and successful answer. Examples are composed from the schemas, so they cannot become
 * outdated: a schema's own `examples` come first, then the value for the member's name, then the name itself.
 */
export function addExamples(document: { paths?: Record<string, unknown> }): void {
  for (const methods of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(methods as Record<string, Operation>)) addToOperation(operation);
  }
}

function addToOperation({ operationId = '', parameters = [], requestBody, responses = {} }: Operation): void {
  // Both mounts have the same examples: `cloud.history.list` and `host.history.list`.
  const name = operationId.replace(/^\w+\./, '');
  for (const parameter of parameters) {
    parameter.example = exampleOf(parameter.schema ?? {}, parameter.name, name);
  }
  addToContent(requestBody?.content, `${name} body`);
  for (const [status, answer] of Object.entries(responses)) {
    if (status.startsWith('2')) addToContent(answer.content, name);
  }
}

function addToContent(content: Record<string, Media> = {}, name: string): void {
  for (const media of Object.values(content)) {
    if (!media.schema || media.schema['format'] === 'binary') continue;
    media.example = EXAMPLE_ANSWERS[name] ?? exampleOf(media.schema, name);
  }
}

/** An example for a member called `name` with this schema. */
function exampleOf(schema: Schema, name: string, owner = ''): unknown {
  const own = schema['examples'] ?? schema['enum'];
  if (Array.isArray(own)) return own[0];
  if ('const' in schema) return schema['const'];
  const [choice] = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[];
  if (choice) return exampleOf(choice, name, owner);
  const bare = name.replace(/\[\]$|\{\}$/, '');
  const values = [`${owner}.${name}`, bare].flatMap((key) =>
    Object.hasOwn(EXAMPLE_VALUES, key) ? [EXAMPLE_VALUES[key]] : [],
  );
  const byEnding = EXAMPLE_ENDINGS.filter(([ending]) => ending.test(bare)).map(([, value]) => value);
  const value = [...values, ...byEnding].find((each) => fits(schema, each));
  if (value !== undefined) return value;
  return 'default' in schema ? schema['default'] : composed(schema, bare);
}

function composed(schema: Schema, name: string): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return objectExample(schema, name);
    case 'array':
      return [exampleOf((schema['items'] ?? {}) as Schema, `${name}[]`)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return schema['format'] === 'date-time' ? exampleOf({}, 'date-time') : name.replaceAll(/[_.]/g, ' ');
    default:
      return null;
  }
}

function objectExample(schema: Schema, name: string): unknown {
  const owner = typeof schema['title'] === 'string' ? schema['title'] : '';
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  if (members.length > 0) {
    return Object.fromEntries(members.map(([member, inner]) => [member, exampleOf(inner, member, owner)]));
  }
  const others = schema['additionalProperties'];
  return typeof others === 'object' ? { [name]: exampleOf(others as Schema, `${name}{}`) } : {};
}

function typeOf({ type, properties }: Schema): unknown {
  if (Array.isArray(type)) return type.find((one) => one !== 'null');
  return type ?? (properties ? 'object' : undefined);
}

/** Some names have values of several types. */
function fits(schema: Schema, value: unknown): boolean {
  const type = typeOf(schema);
  if (type === undefined) return true;
  if (schema['properties']) return false;
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  if (typeof schema['pattern'] === 'string' && !new RegExp(schema['pattern'], 'u').test(String(value)))
    return false;
  return type === typeof value;
}
