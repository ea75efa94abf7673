import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach } from 'node:test';
import type { Asset, AssetCreated } from '@atelier/contracts';

import { aUser } from '../../../../test/support/a-user.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type AssetServer, startAssetServer } from './asset-server.ts';

export type Field = readonly [name: string, value: string | Uint8Array, fileName?: string];

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** New every time: after the end of a PNG anything may come. */
export function aPicture(): Buffer {
  return Buffer.concat([PNG, randomBytes(16)]);
}

export function toForm(fields: readonly Field[]): FormData {
  const form = new FormData();
  for (const [name, value, fileName = 'cat.png'] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), fileName);
  }
  return form;
}

export async function read<T = Asset>(response: Response, status = 200): Promise<T> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  return JSON.parse(text) as T;
}

export interface AssetCaller {
  userId: string;
  readonly server: AssetServer;
  call(method: string, path: string, body?: unknown, user?: string): Promise<Response>;
  send(...fields: readonly Field[]): Promise<Response>;
  /** An input of the user's. */
  upload(bytes?: Uint8Array, ...fields: readonly Field[]): Promise<AssetCreated>;
}

/** A server for all tests of a suite, and for each a user of its own who calls it. */
export function anAssetCaller(db: () => Db): AssetCaller {
  let server: AssetServer | undefined;
  const caller: AssetCaller = {
    userId: '',
    get server() {
      if (!server) throw new Error('the server runs only while tests do');
      return server;
    },

    async call(method, path, body, user = caller.userId) {
      return await fetch(`${caller.server.url}/api${path}`, {
        method,
        redirect: 'manual',
        headers: { 'x-user': user, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    },

    async send(...fields) {
      const headers = { 'x-user': caller.userId };
      return await fetch(`${caller.server.url}/api/assets`, {
        method: 'POST',
        headers,
        body: toForm(fields),
      });
    },

    async upload(bytes = aPicture(), ...fields) {
      return await read(await caller.send(['file', bytes], ['tags', 'input'], ...fields), 201);
    },
  };

  before(async () => {
    server = await startAssetServer(db());
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    caller.userId = (await aUser(db())).id;
  });
  return caller;
}
