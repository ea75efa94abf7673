import { isObject } from '@atelier/contracts/is-object';

import { AppError } from '../../platform/errors/app-error.ts';

/** Marks an object that takes the place of a file name in a workflow of the Comfy API v2. */
const REFERENCE_TYPE = 'core/ASSET';
const MAX_REFERENCES = 1000;
const MAX_ID_LENGTH = 128;

/** File names by the ids of their assets. */
export type AssetNames = Readonly<Record<string, string>>;

/** The workflow refers to assets whose names must be looked up first. */
export class UnnamedAssets extends Error {
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    super('The workflow refers to assets that have no name yet.');
    this.ids = ids;
  }
}

export function missingAssets(ids: readonly string[]): AppError {
  return new AppError(
    'v2.missing_asset',
    'The workflow refers to assets that you do not have. Upload them with POST /api/v2/assets:',
    { details: ids.map((id) => id.slice(0, MAX_ID_LENGTH)).slice(0, 100) },
  );
}

/** The asset ids that a workflow refers to, each once. Refuses a reference without an id. */
export function findReferences(workflow: unknown): readonly string[] {
  const ids = new Set<string>();
  // Not recursive: the nesting of a body may exceed the stack.
  const waiting = [workflow];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!isReference(value)) {
      for (const member of Object.values(value)) waiting.push(member);
      continue;
    }
    const id = idIn(value);
    if (id === undefined) {
      throw new AppError('v2.missing_asset', 'A reference to an asset needs the id of the asset as info.id.');
    }
    ids.add(id);
    if (ids.size > MAX_REFERENCES) {
      throw new AppError('v2.missing_asset', `A workflow may refer to at most ${MAX_REFERENCES} assets.`);
    }
  }
  return [...ids];
}

/** Replaces the references of a workflow with file names. */
export function nameReferences(value: unknown, names: AssetNames): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => nameReferences(item, names));
  if (isReference(value)) return names[idIn(value) ?? ''];
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, nameReferences(member, names)]),
  );
}

function isReference(value: object): value is { readonly info?: unknown } {
  return '__type' in value && value.__type === REFERENCE_TYPE;
}

function idIn({ info }: { readonly info?: unknown }): string | undefined {
  const id = isObject(info) ? info['id'] : undefined;
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : undefined;
}
