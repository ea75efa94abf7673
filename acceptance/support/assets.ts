import assert from 'node:assert/strict';

import type { Client } from './http-client.ts';
import { type Field, sendForm } from './user-files.ts';

export const NO_HASH = `blake3:${'0'.repeat(64)}`;

export interface Asset {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly asset_hash: string;
  readonly size: number;
  readonly mime_type: string;
  readonly tags: readonly string[];
  readonly user_metadata: Readonly<Record<string, unknown>>;
  readonly preview_id?: string;
  readonly preview_url?: string;
  readonly loader_path: string;
  readonly file_path: string;
  readonly job_id?: string;
  readonly prompt_id?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_access_time: string;
  readonly created_new?: boolean;
}

export interface Page {
  readonly assets: readonly Asset[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

/** Sends a form to the assets. */
export const send = async (api: Client, ...fields: readonly Field[]) =>
  await sendForm<Asset & { readonly code?: string; readonly message?: string }>(api, '/api/assets', fields);

export const file = (bytes: Uint8Array, name = 'cat.png'): Field => ['file', bytes, name];

/** A new input. */
export async function add(api: Client, bytes: Uint8Array, ...fields: readonly Field[]): Promise<Asset> {
  const { status, body } = await send(api, file(bytes), ['tags', 'input'], ...fields);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

export async function page(api: Client, query = ''): Promise<Page> {
  const { status, body } = await api.get<Page>(`/api/assets?${query}`);
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
  return body;
}

export async function names(api: Client, query = ''): Promise<string[]> {
  return (await page(api, query)).assets.map(({ name }) => name);
}
