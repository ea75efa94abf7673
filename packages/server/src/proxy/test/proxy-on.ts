import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import sharp from 'sharp';

import { aUser } from '../../../test/support/a-user.ts';
import { createCredits } from '../../accounts/credits/credits.service.ts';
import { countStorage } from '../../cloud/files/assets.repo.ts';
import type { Db } from '../../platform/db/database.ts';
import { createLocalFileStore } from '../../platform/files/local-file-store.ts';
import { newId } from '../../platform/ids.ts';
import { createMeters } from '../../platform/metrics/create-meters.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import { allowing } from '../../platform/net/test/loopback-server.ts';
import { Secret } from '../../platform/secret.ts';
import { createProxy, type Proxy } from '../create-proxy.ts';
import { readSkinRequest } from '../requests/read-image-request.ts';
import { readVideoRequest } from '../requests/read-video-request.ts';
import type { TaskRequest } from '../requests/task-request.ts';
import { fingerprintOf, type TaskWithFiles } from '../tasks.service.ts';
import type { ScriptedVendor } from './scripted-adapter.ts';

export interface ToldChange {
  readonly type: string;
  readonly subject: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ProxyUnderTest extends Proxy {
  /** Set it to travel in time. */
  readonly time: { now: number };
  readonly folder: string;
  readonly told: readonly ToldChange[];
  readonly errors: readonly unknown[];
  /** Measurements in Prometheus form. */
  readonly measure: () => Promise<string>;
  /** Makes a task, of a faithful skin enhancer unless told otherwise. */
  add(userId: string, request?: Partial<TaskRequest>, key?: string): Promise<TaskWithFiles>;
  balanceOf(userId: string): Promise<number>;
  /** An account with credits. */
  anAccount(amount?: number): Promise<string>;
}

type Options = Partial<Omit<Parameters<typeof createProxy>[0], 'adapters' | 'db'>> & {
  readonly time?: { now: number };
  /** Of another server whose files this one shares. */
  readonly folder?: string;
};

let picture: string | undefined;

/** A small JPEG as base64. */
export async function aPicture(): Promise<string> {
  if (picture === undefined) {
    const blank = { width: 32, height: 24, channels: 3, background: '#c08060' } as const;
    picture = (await sharp({ create: blank }).jpeg().toBuffer()).toString('base64');
  }
  return picture;
}

/** A server of its own on the database: nothing is polled, `drain` takes the steps that are due. */
export async function proxyOn(
  t: TestContext,
  db: Db,
  adapters: readonly ScriptedVendor[],
  options: Options = {},
): Promise<ProxyUnderTest> {
  const { time = { now: Date.now() }, folder: shared, ...rest } = options;
  const clock = () => time.now;
  const folder = shared ?? (await mkdtemp(join(tmpdir(), 'proxy-')));
  const told: ToldChange[] = [];
  const errors: unknown[] = [];
  const meters = createMeters({ onError: (error) => errors.push(error) });
  const credits = createCredits(clock);
  const signer = { sign: (hash: string) => `https://atelier.test/files/${hash}` };
  const outbound = createOutbound({ allow: allowing('127.0.0.0/8') });
  await mkdir(join(folder, 'work'), { recursive: true });
  const proxy = createProxy({
    db,
    clock,
    store: await createLocalFileStore({ folder: join(folder, 'files'), signer }),
    workFolder: join(folder, 'work'),
    outbound,
    openOwnLink: async () => undefined,
    credits,
    countStorage: async (tx, userId, change) => void (await countStorage(tx, userId, change)),
    webhooks: {
      async enqueue(_tx, { type, subject, body }) {
        told.push({ type, subject, body: JSON.parse(body) as ToldChange['body'] });
      },
      wake: () => {},
      assertUrl: async () => {},
    },
    adapters,
    callbackKey: new Secret<Uint8Array>(randomBytes(32)),
    publicUrl: undefined,
    meters,
    acceptAliases: true,
    prices: { 'skin-enhancer': 10, 'image-relight': 10 },
    localRendering: { isFree: false, refusesUnknownPrompts: false },
    maxPictureBytes: 50 * 2 ** 20,
    maxBodyBytes: 72 * 2 ** 20,
    maxInFlight: 5,
    taskMs: 60 * 60_000,
    keptMs: 30 * 86_400_000,
    onError: (error) => errors.push(error),
    random: () => 0.5,
    ...rest,
  });
  t.after(async () => {
    await proxy.close();
    outbound.close();
    if (shared === undefined) await rm(folder, { recursive: true, force: true });
  });
  return {
    ...proxy,
    folder,
    time,
    told,
    errors,
    measure: meters.render,
    async add(userId, request = {}, idempotencyKey) {
      const complete = { ...(await aSkinRequest()), ...request };
      const fingerprint = () => fingerprintOf(complete.kind, complete.settings);
      return await proxy.tasks.create({ userId, request: complete, idempotencyKey, fingerprint });
    },
    async balanceOf(userId) {
      const { balance, entries } = await credits.ledger(db, userId, { limit: 100 });
      const sum = entries.reduce((total, entry) => total + entry.amount, 0);
      assert.equal(sum, balance, 'the entries add up to the balance');
      return balance;
    },
    async anAccount(amount = 100) {
      const { id } = await aUser(db);
      if (amount > 0) await credits.grant(db, { userId: id, amount, reference: newId() });
      return id;
    },
  };
}

async function aSkinRequest(): Promise<TaskRequest> {
  const body = { image: await aPicture(), webhook_url: 'https://hooks.test/skin' };
  return readSkinRequest('faithful', body, 10);
}

export async function forgetAll(db: Db): Promise<void> {
  for (const table of ['task_files', 'task_keys', 'tasks'] as const) await db.deleteFrom(table).execute();
}

export function anOffPeakVideo(): TaskRequest {
  const body = { model: 'clipq3-pro', prompt: 'waves', duration: 1, off_peak: true } as const;
  return readVideoRequest(body, { needsImage: false, acceptAliases: false });
}

/** Writes a finished picture for a scripted vendor to hand over. */
export async function writeResult(folder: string): Promise<string> {
  const path = join(folder, 'result.jpg');
  await writeFile(path, Buffer.from(await aPicture(), 'base64'));
  return path;
}
