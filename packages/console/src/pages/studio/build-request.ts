import type { GenerationField } from '@atelier/sdk';

/** The chosen values by field. The server decides absent ones. Pictures are asset ids. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Builds the request from the chosen values. `pictureOf` returns the bytes of an asset. */
export async function buildRequest<Picture>(
  fields: readonly GenerationField[],
  values: Values,
  pictureOf: (assetId: string) => Promise<Picture>,
): Promise<Record<string, unknown>> {
  const request: Record<string, unknown> = {};
  for (const { field, parent, type } of fields) {
    const value = values[field];
    if (value === undefined || value === '') continue;
    const sent = type === 'picture' ? await pictureOf(String(value)) : value;
    if (parent === undefined) request[field] = sent;
    else request[parent] = { ...(request[parent] as object | undefined), [field]: sent };
  }
  return request;
}

/** Why a value is invalid, or `undefined`. The server validates it again. */
export function problemOf(
  { pattern, maxLength, min, max }: GenerationField,
  value: Values[string],
): 'pattern' | 'length' | 'bounds' | undefined {
  if (typeof value === 'string' && value !== '') {
    if (maxLength !== undefined && value.length > maxLength) return 'length';
    if (pattern !== undefined && !new RegExp(pattern).test(value)) return 'pattern';
  }
  if (typeof value === 'number') {
    const isBelow = min !== undefined && value < min;
    if (isBelow || (max !== undefined && value > max)) return 'bounds';
  }
  return undefined;
}
