import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { PATIENCE_MS, type RunningServer } from '@atelier/testing';
import sharp from 'sharp';

import type { Answer, Client } from './http-client.ts';

export interface Uploaded {
  readonly name: string;
  readonly subfolder: string;
  readonly type: string;
  readonly asset: {
    readonly id: string;
    readonly name: string;
    readonly asset_hash: string;
    readonly size: number;
    readonly mime_type: string;
    readonly tags: readonly string[];
  };
}

export interface Refusal {
  readonly code?: string;
  readonly message?: string;
}

/** Fields of a form, in order; bytes come with the name of a file. */
export type Field = readonly [name: string, value: string] | readonly [string, Uint8Array, fileName: string];

export function toForm(fields: readonly Field[]): FormData {
  const form = new FormData();
  for (const [name, value, fileName] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), fileName);
  }
  return form;
}

export async function sendForm<Body = Uploaded & Refusal>(
  api: Client,
  path: string,
  fields: readonly Field[],
): Promise<Answer<Body>> {
  return await api.request<Body>('POST', path, { body: toForm(fields) });
}

/** A file of a form as `/upload/…` take it. */
export const image = (bytes: Uint8Array, name: string): Field => ['image', bytes, name];

/** An upload that must be taken. */
export async function upload(api: Client, bytes: Uint8Array, name = 'a.png', ...others: readonly Field[]) {
  const answer = await sendForm(api, '/api/upload/image', [image(bytes, name), ...others]);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** How many files somebody has. */
export async function filesOf(api: Client): Promise<number> {
  const { body } = await api.get<{ storage: { files: number } }>('/api/usage');
  return body.storage.files;
}

/** A file as the server names it. */
export function contentName(bytes: Uint8Array, extension: string): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
}

/** A PNG of these values, two, three or four a pixel. */
export async function png(pixels: readonly number[], width: number, height: number): Promise<Buffer> {
  const channels = (pixels.length / (width * height)) as 1 | 2 | 3 | 4;
  const picture = sharp(Buffer.from(pixels), { raw: { width, height, channels } });
  return await picture
    .toColorspace(channels < 3 ? 'b-w' : 'srgb')
    .png()
    .toBuffer();
}

/** A color that no other test uses. */
export async function newPicture(width = 4, height = 3): Promise<Buffer> {
  const part = () => Math.floor(Math.random() * 256);
  const background = { r: part(), g: part(), b: part(), alpha: 0.5 };
  return await sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
}

/** A PNG whose header alone is large. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(100))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

export async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, pixels: [...data] };
}

export interface Viewed {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Asks for a file as it is; a redirect is not followed. */
export async function view(
  server: RunningServer,
  key: string,
  query: Readonly<Record<string, string>>,
  { path = '/api/view', ...init }: RequestInit & { path?: string } = {},
): Promise<Viewed> {
  return await take(`${server.url}${path}?${new URLSearchParams(query)}`, {
    redirect: 'manual',
    ...init,
    headers: { 'x-api-key': key, ...(init.headers as Record<string, string>) },
  });
}

export async function take(address: string, init: RequestInit = {}): Promise<Viewed> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS), ...init });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}
