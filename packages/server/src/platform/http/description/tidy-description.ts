interface Document {
  tags?: readonly { name: string }[];
  paths?: Record<string, unknown>;
  components?: { schemas?: Record<string, object>; securitySchemes?: Record<string, object> };
}

/** Makes a generated description readable: hoists titled schemas, and drops HEAD and unused tags and security schemes. */
export function tidyDescription<T extends Document>(document: T): T {
  const { components, ...rest } = withoutHead(document);
  const { value, schemas } = hoistSchemas(rest);
  const used = JSON.stringify(value);
  const securitySchemes = Object.fromEntries(
    Object.entries(components?.securitySchemes ?? {}).filter(([name]) => used.includes(`{"${name}":[]}`)),
  );
  const { tags = [] } = value as Document;
  const usedTags = tags.filter(({ name }) => used.includes(`"tags":["${name}"]`));
  return { ...(value as T), tags: usedTags, components: { ...components, securitySchemes, schemas } };
}

function withoutHead<T extends Document>(document: T): T {
  const paths = Object.entries(document.paths ?? {}).map(([path, operations]) => {
    const { head: _understood, ...others } = operations as Record<string, unknown>;
    return [path, others];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Replaces every schema that has a title with a reference. Different schemas with one title are a bug. */
function hoistSchemas(document: unknown): { value: unknown; schemas: Record<string, object> } {
  const schemas = new Map<string, object>();

  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isContainer(value)) return value;
    const visited = Object.fromEntries(
      Object.entries(value)
        // Our own annotation, for error messages.
        .filter(([key, member]) => key !== 'expects' || typeof member !== 'string')
        // An example may look like a schema.
        .map(([key, member]) => [key, key === 'example' ? member : visit(member)]),
    );
    const { title, description: _ofTheUse, ...schema } = visited;
    if (typeof title !== 'string' || !isSchema(schema)) return visited;
    const known = schemas.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas have the title ${title}`);
    }
    schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };

  const value = visit(document);
  const sorted = [...schemas].toSorted(([left], [right]) => left.localeCompare(right));
  return { value, schemas: Object.fromEntries(sorted) };
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isSchema(value: Record<string, unknown>): boolean {
  return typeof value['type'] === 'string' || Array.isArray(value['enum']) || Array.isArray(value['anyOf']);
}
