interface Document {
  components?: { schemas?: Record<string, object> };
}

/**
 * Moves every schema that has a title to `components.schemas` and leaves a reference in its place, so that
 * a description names its models once. Two different schemas under one title are a mistake.
 */
export function hoistSchemas<T extends Document>(document: T): T {
  const schemas: Record<string, object> = {};

  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const visited = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visit(member)]));
    const { title, description, ...schema } = visited;
    if (typeof title !== 'string' || !isSchema(visited)) return visited;
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas have the title ${title}`);
    }
    schemas[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  };

  const { components, ...rest } = document;
  const visited = visit(rest) as T;
  return { ...visited, components: { ...components, schemas: sortKeys(schemas) } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isSchema(value: Record<string, unknown>): boolean {
  return typeof value['type'] === 'string' || Array.isArray(value['enum']) || Array.isArray(value['anyOf']);
}

function sortKeys(record: Record<string, object>): Record<string, object> {
  return Object.fromEntries(Object.entries(record).toSorted(([left], [right]) => left.localeCompare(right)));
}
