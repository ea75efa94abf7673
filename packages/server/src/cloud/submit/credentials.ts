/** The fields in which clients send their key. */
export const KEY_NAMES = ['api_key_platform_org', 'api_key_comfy_org'] as const;
/** Fields that are never stored or shown. */
const CREDENTIALS = new Set<string>([...KEY_NAMES, 'auth_token_comfy_org', 'auth_token_platform_org']);

type Fields = Readonly<Record<string, unknown>>;

/** Removes credentials at any depth. Copies only objects that contain some, because most workflows have none. */
export function withoutCredentials(fields: Fields): Fields {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    const kept = CREDENTIALS.has(name) ? undefined : strip(fields[name]);
    if (kept === fields[name]) continue;
    copy ??= { ...fields };
    if (kept === undefined) delete copy[name];
    else copy[name] = kept;
  }
  return copy ?? fields;
}

function strip(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return withoutCredentials(value as Fields);
  let copy: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const kept = strip(item);
    if (kept === item) continue;
    copy ??= [...(value as unknown[])];
    copy[index] = kept;
  }
  return copy ?? value;
}
