import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RunningServer } from '@atelier/testing';

import { type Client, client } from './http-client.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** The administrator of the first start, by API key. */
export function admin(server: RunningServer): Client {
  return client(server.url, { apiKey: server.admin.api_key });
}

/** A new account that nobody else in the run uses. */
export async function newPerson(server: RunningServer): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const password = `password of ${email}`;
  const { status, body } = await admin(server).post<{ id: string }>('/admin/users', { email, password });
  assert.equal(status, 201);
  return { id: body.id, email, password };
}

export async function newAdministrator(server: RunningServer): Promise<Person> {
  const person = await newPerson(server);
  const { status } = await admin(server).put(`/admin/users/${person.id}/role`, { role: 'admin' });
  assert.equal(status, 200);
  return person;
}

export type SignInWith = Pick<Person, 'email' | 'password'>;

/** The bearer token of a person. */
export async function tokenOf(server: RunningServer, { email, password }: SignInWith): Promise<string> {
  const { status, body } = await client(server.url).post<{ access_token: string }>('/auth/token', {
    email,
    password,
  });
  assert.equal(status, 200);
  return body.access_token;
}

/** The session cookie of a person, as a Cookie header has it. */
export async function cookieOf(server: RunningServer, { email, password }: SignInWith): Promise<string> {
  const { status, headers } = await client(server.url).post('/auth/session', { email, password });
  assert.equal(status, 204);
  return headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** A new API key of whoever `owner` is. */
export async function newKey(owner: Client): Promise<{ id: string; secret: string }> {
  const { status, body } = await owner.post<{ api_key: { id: string; plaintext_key: string } }>(
    '/customers/api-keys',
    { name: 'made by a test' },
  );
  assert.equal(status, 201);
  return { id: body.api_key.id, secret: body.api_key.plaintext_key };
}
