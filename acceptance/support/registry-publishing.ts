import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PATIENCE_MS, type RunningServer } from '@atelier/testing';

import { type Answer, type Client, client } from './http-client.ts';
import { newPerson, type Person, tokenOf } from './people.ts';
import { cleanPack, suspiciousPack } from './registry-archives.ts';
import { type NodeVersion, type Published, STATUS } from './registry-wire.ts';

const STEP_MS = 20;

/** A publisher of a person of its own, and a token to publish with. */
export interface Studio {
  readonly id: string;
  readonly person: Person;
  readonly owner: Client;
  readonly token: string;
}

/** An id that nobody else in the run uses; good for publishers and nodes. */
export function newName(word = 'studio'): string {
  return `${word}-${randomUUID().slice(0, 13)}`;
}

export async function newUser(server: RunningServer): Promise<Client> {
  return client(server.url, { bearer: await tokenOf(server, await newPerson(server)) });
}

export async function newStudio(server: RunningServer, name = 'A studio'): Promise<Studio> {
  const person = await newPerson(server);
  const owner = client(server.url, { bearer: await tokenOf(server, person) });
  const id = newName();
  assert.equal((await owner.post('/publishers', { id, name })).status, 201);
  return { id, person, owner, token: await newToken(owner, id) };
}

export async function newToken(owner: Client, publisherId: string): Promise<string> {
  const { status, body } = await owner.post<{ token: string }>(`/publishers/${publisherId}/tokens`, {
    name: 'made by a test',
  });
  assert.equal(status, 201);
  return body.token;
}

interface PublishOptions {
  readonly version?: string;
  readonly node?: Readonly<Record<string, unknown>>;
  readonly nodeVersion?: Readonly<Record<string, unknown>>;
  readonly token?: string;
}

/** Announces a version, whatever the answer; nobody is signed in. */
export async function tryPublish(
  server: RunningServer,
  studio: Pick<Studio, 'id' | 'token'>,
  nodeId: string,
  { version = '1.0.0', node = {}, nodeVersion = {}, token = studio.token }: PublishOptions = {},
): Promise<Answer<Published & { error?: string; message: string }>> {
  return await client(server.url).post(`/publishers/${studio.id}/nodes/${nodeId}/versions`, {
    personal_access_token: token,
    node: { name: nodeId, description: 'Made by a test.', ...node },
    node_version: { version, ...nodeVersion },
  });
}

export async function publish(
  server: RunningServer,
  studio: Pick<Studio, 'id' | 'token'>,
  nodeId: string,
  options: PublishOptions = {},
): Promise<Published> {
  const { status, body } = await tryPublish(server, studio, nodeId, options);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Puts an archive behind a signed link; the server may have another port than when the link was made. */
export async function upload(
  server: RunningServer,
  signedUrl: string,
  archive: Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/zip' },
): Promise<Answer<{ error?: string; message?: string }>> {
  const { pathname, search } = new URL(signedUrl);
  return await client(server.url).request('PUT', pathname + search, { headers, body: archive });
}

/** Polls until `find` finds something. */
export async function eventually<T>(
  what: string,
  find: () => Promise<T | undefined>,
  deadlineMs = PATIENCE_MS,
): Promise<T> {
  const deadline = AbortSignal.timeout(deadlineMs);
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (deadline.aborted) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

/** Every version of a node in whatever state, with the reasons. */
export async function allVersions(server: RunningServer, nodeId: string): Promise<readonly NodeVersion[]> {
  const statuses = Object.values(STATUS).map((status) => `statuses=${status}`);
  const { status, body } = await client(server.url).get<NodeVersion[]>(
    `/nodes/${nodeId}/versions?include_status_reason=true&${statuses.join('&')}`,
  );
  assert.equal(status, 200);
  return body;
}

/** The version once its archive has been checked. */
export async function checked(
  server: RunningServer,
  { node_id: nodeId, id }: Pick<NodeVersion, 'node_id' | 'id'>,
): Promise<NodeVersion> {
  return await eventually(`the checks of ${nodeId}`, async () =>
    (await allVersions(server, nodeId)).find((one) => one.id === id && one.status !== STATUS.pending),
  );
}

/** Publishes a version with an archive and waits for the verdict. */
export async function publishArchive(
  server: RunningServer,
  studio: Pick<Studio, 'id' | 'token'>,
  nodeId: string,
  archive: Uint8Array,
  options: PublishOptions = {},
): Promise<NodeVersion> {
  const { node_version: version, signedUrl } = await publish(server, studio, nodeId, options);
  assert.equal((await upload(server, signedUrl, archive)).status, 200);
  return await checked(server, version);
}

/** A version that has passed the checks; its sources define nodes of the given names. */
export async function publishActive(
  server: RunningServer,
  studio: Pick<Studio, 'id' | 'token'>,
  nodeId: string,
  { innerNodes = [], ...options }: PublishOptions & { innerNodes?: readonly string[] } = {},
): Promise<NodeVersion> {
  const version = await publishArchive(server, studio, nodeId, cleanPack(...innerNodes), options);
  assert.equal(version.status, STATUS.active, JSON.stringify(version));
  return version;
}

export async function publishFlagged(
  server: RunningServer,
  studio: Pick<Studio, 'id' | 'token'>,
  nodeId: string,
  options: PublishOptions = {},
): Promise<NodeVersion> {
  const version = await publishArchive(server, studio, nodeId, suspiciousPack(), options);
  assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
  return version;
}

/** Fails on a `null` anywhere in an answer. */
export function assertNoNull(value: unknown, path = ''): void {
  assert.notEqual(value, null, `${path || 'the answer'} is null`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) assertNoNull(member, `${path}.${key}`);
}
