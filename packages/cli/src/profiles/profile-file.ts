import { randomUUID } from 'node:crypto';
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { CliError } from '../exit-codes.ts';
import { makeFolder } from '../make-folder.ts';

/** A server, and a key for it. */
export interface Profile {
  readonly url: string;
  readonly apiKey?: string;
  readonly email?: string;
  /** The key was created by signing in, so signing out revokes it. */
  readonly isFromLogin?: boolean;
  /** The scopes of the key. */
  readonly scopes?: readonly string[];
}

export interface Profiles {
  /** The profile that commands use by default. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const EMPTY: Profiles = { profiles: {} };

/** The path of the profile file, following the conventions of the system. */
export function profilePath(env: Environment): string {
  if (env['ATELIER_CONFIG']) return env['ATELIER_CONFIG'];
  const folder =
    process.platform === 'win32'
      ? (env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'))
      : (env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'));
  return join(folder, 'atelier', 'profiles.json');
}

export async function readProfiles(path: string): Promise<Profiles> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CliError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
  if (text === undefined) return EMPTY;
  await assertPrivate(path);
  const value = parse(text);
  if (!value)
    throw new CliError(`${path} is damaged.`, {
      advice: 'Remove it, and sign in again with "atelier login".',
    });
  return value;
}

/** A key that other users can read is not used. */
async function assertPrivate(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(path);
  if ((mode & OTHERS) === 0) return;
  throw new CliError(`${path} holds keys, and others can read it.`, { advice: `Run: chmod 600 '${path}'` });
}

function parse(text: string): Profiles | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isRecord(value['profiles'])) return undefined;
  const { current, profiles } = value;
  const isWhole = Object.values(profiles).every(isProfile);
  if (!isWhole || (current !== undefined && typeof current !== 'string')) return undefined;
  return value as unknown as Profiles;
}

function isProfile(value: unknown): boolean {
  if (!isRecord(value) || typeof value['url'] !== 'string') return false;
  const isText = (one: unknown): boolean => one === undefined || typeof one === 'string';
  const { apiKey, email, scopes = [] } = value;
  return isText(apiKey) && isText(email) && Array.isArray(scopes) && scopes.every(isText);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Created so that only its owner can read it. */
export async function writeProfiles(path: string, profiles: Profiles): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await makeFolder(dirname(path), 0o700);
    await writeFile(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    await chmod(temporary, OWNER_ONLY);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(`${path} cannot be written (${code ?? message}).`, { cause: error });
  }
}
