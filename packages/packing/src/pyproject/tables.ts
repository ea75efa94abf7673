import { isObject } from '@atelier/contracts/is-object';

import { PackError } from '../pack-error.ts';

type Values = Readonly<Record<string, unknown>>;

export type Table = ReturnType<typeof createTable>;

/** The tables of a publish. A missing one is empty. */
export function createTables(document: Values) {
  const project = createTable(document, 'project');
  const tool = createTable(document, 'tool');
  return {
    project,
    urls: createTable(project.values, 'urls', 'project'),
    comfy: createTable(tool.values, 'comfy', 'tool'),
  };
}

function createTable(parent: Values, key: string, above?: string) {
  const title = above === undefined ? key : `${above}.${key}`;
  const values = parent[key] ?? {};
  if (!isObject(values)) throw new PackError(`pyproject.toml: ${title} must be a table. Write [${title}].`);
  const wrong = (name: string, what: string) =>
    new PackError(`pyproject.toml: ${title}.${name} must be ${what}. Correct it under [${title}].`);

  const text = (name: string): string => {
    const value = values[name] ?? '';
    if (typeof value !== 'string') throw wrong(name, 'a text in quotes');
    return value.trim();
  };
  return {
    values,
    text,
    texts(name: string): string[] {
      const value = values[name] ?? [];
      const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
      if (!isList) throw wrong(name, 'a list of texts');
      return value;
    },
    required(name: string, example: string): string {
      const value = text(name);
      if (value !== '') return value;
      throw new PackError(`pyproject.toml: ${title}.${name} is missing. Add ${example} under [${title}].`);
    },
  };
}
