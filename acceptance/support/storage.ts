import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RunningServer } from '@atelier/testing';

import { type Answer, type Client, client } from './http-client.ts';
import { newKey, newPerson, tokenOf } from './people.ts';

export interface Upload {
  readonly upload_url: string;
  readonly download_url: string;
  readonly expires_at: string;
  readonly existing_file: boolean;
}

export interface Refusal {
  readonly error?: string;
  readonly message?: string;
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A new account, by its API key. */
export async function newUploader(server: RunningServer): Promise<Client> {
  const owner = client(server.url, { bearer: await tokenOf(server, await newPerson(server)) });
  const { secret } = await newKey(owner);
  return client(server.url, { apiKey: secret });
}

export async function announce(
  caller: Client,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Upload> {
  const answer = await caller.post<Upload>('/customers/storage', { file_name: 'cat.bin', ...body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Puts bytes behind a link, without a credential; the server may have another port than when the link was made. */
export async function put(
  server: RunningServer,
  uploadUrl: string,
  bytes: Uint8Array | string,
  contentType?: string,
): Promise<Answer<Refusal>> {
  const { pathname, search } = new URL(uploadUrl);
  assert.match(pathname, /^\/storage\/uploads\//);
  const body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  return await client(server.url).request('PUT', pathname + search, { headers, body });
}

export async function get(server: RunningServer, downloadUrl: string, init: RequestInit = {}) {
  const { pathname, search } = new URL(downloadUrl);
  assert.match(pathname, /^\/storage\/files\//);
  const answer = await fetch(server.url + pathname + search, init);
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}
