import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import { lockByName } from '../../platform/db/lock-by-name.ts';
import type { SigningKeyRow } from '../../platform/db/schema/accounts.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { deleteSigningKeys, hasSigningKey, insertSigningKey, listSigningKeys } from './signing-keys.repo.ts';

export const SIGNING_ALGORITHM = 'EdDSA';
/** A key's id is the thumbprint of its public part. */
const KEY_ID = /^[\w-]{43}$/;
const DAY_MS = 86_400_000;
/** Clocks of several servers differ a little. */
const GRACE_MS = 5 * 60_000;

type SigningKey = Awaited<ReturnType<typeof toSigningKey>>;

interface Parts extends ServiceParts {
  readonly keyDays: number;
  readonly tokenSeconds: number;
}

export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>;

/** The keys that sign bearer tokens: rows that all servers on one database share. */
export async function openSigningKeys({ db, clock, keyDays, tokenSeconds }: Parts) {
  let keys: SigningKey[] = [];

  const load = async (): Promise<void> => {
    const rows = await listSigningKeys(db);
    keys = await Promise.all(rows.map(async (row) => await toSigningKey(row)));
  };

  /** Makes a new key now. Tokens of the old one stay valid until they expire. `note` is part of the transaction. */
  const rotate = async (note?: (tx: Db) => Promise<void>): Promise<void> => {
    const key = await makeSigningKey(clock());
    await withTransaction(db, async (tx) => {
      await insertSigningKey(tx, key);
      await note?.(tx);
    });
    await load();
  };

  /** A key signs until the next one is made. Its last token lives `tokenSeconds` longer. */
  const isRetired = (index: number): boolean => {
    const successor = keys[index - 1];
    return successor !== undefined && successor.createdAt + tokenSeconds * 1000 + GRACE_MS < clock();
  };

  /** Rotates when the current key is old enough and forgets keys whose last token has expired. */
  const maintain = async (): Promise<void> => {
    // Two servers that start together must not each make a first key.
    await withTransaction(db, async (tx) => {
      await lockByName(tx, 'signing-keys');
      const [newest] = await listSigningKeys(tx);
      if (newest && newest.created_at + keyDays * DAY_MS > clock()) return;
      await insertSigningKey(tx, await makeSigningKey(clock()));
    });
    await load();
    const retired = keys.filter((_, index) => isRetired(index)).map((key) => key.id);
    if (retired.length === 0) return;
    await deleteSigningKeys(db, retired);
    await load();
  };

  await maintain();

  return {
    current(): SigningKey {
      const newest = keys[0];
      if (!newest) throw new Error('there is no signing key');
      return newest;
    },
    /** Whether tokens of that key are still accepted, as far as this server knows. */
    isKnown: (id: string) => keys.some((key) => key.id === id),
    async find(id: string): Promise<CryptoKey | undefined> {
      const known = keys.find((key) => key.id === id);
      if (known) return known.publicKey;
      // Another server may have made it. A forged id costs one read by primary key, like a forged API key.
      if (!KEY_ID.test(id) || !(await hasSigningKey(db, id))) return undefined;
      await load();
      return keys.find((key) => key.id === id)?.publicKey;
    },
    /** The public keys whose tokens may still be valid, newest first. */
    published: () => keys.filter((_, index) => !isRetired(index)).map((key) => key.publicJwk),
    rotate,
    maintain,
  };
}

async function makeSigningKey(now: number): Promise<SigningKeyRow> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const id = await calculateJwkThumbprint(publicJwk);
  const described = { ...publicJwk, kid: id, alg: SIGNING_ALGORITHM, use: 'sig' };
  return {
    id,
    public_jwk: JSON.stringify(described),
    private_jwk: JSON.stringify(await exportJWK(pair.privateKey)),
    created_at: now,
  };
}

async function toSigningKey(row: SigningKeyRow) {
  const publicJwk = JSON.parse(row.public_jwk) as JWK;
  const privateJwk = JSON.parse(row.private_jwk) as JWK;
  return {
    id: row.id,
    publicKey: (await importJWK(publicJwk, SIGNING_ALGORITHM)) as CryptoKey,
    privateKey: (await importJWK(privateJwk, SIGNING_ALGORITHM)) as CryptoKey,
    publicJwk,
    createdAt: row.created_at,
  };
}
