import { realpath } from 'node:fs/promises';

import { CliError } from '../exit-codes.ts';
import { withLock } from './lock-file.ts';
import { type Profile, type Profiles, profilePath, readProfiles, writeProfiles } from './profile-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NAME = /^[\w.:@-]{1,64}$/;

/** Reads the profiles, changes them and writes them back. No other program changes them in between. */
export async function editProfiles(
  env: Environment,
  edit: (profiles: Profiles) => Profiles,
): Promise<Profiles> {
  const named = profilePath(env);
  // A symbolic link is kept: its target is written.
  const path = await realpath(named).catch(() => named);
  return await withLock(path, async () => {
    const changed = edit(await readProfiles(path));
    await writeProfiles(path, changed);
    return changed;
  });
}

export function requireProfile({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found) return found;
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new CliError(`There is no profile ${name}. Known: ${known}.`);
}

export function assertProfileName(name: string): void {
  if (NAME.test(name) && name !== '__proto__') return;
  throw new CliError(`"${name}" is not a valid profile name.`, {
    advice: 'A name has at most 64 letters, digits, and any of . _ : @ -',
  });
}

export function withProfile({ current, profiles }: Profiles, name: string, profile: Profile): Profiles {
  return { ...(current !== undefined && { current }), profiles: { ...profiles, [name]: profile } };
}

export function withoutProfile({ current, profiles }: Profiles, name: string): Profiles {
  const rest = Object.fromEntries(Object.entries(profiles).filter(([one]) => one !== name));
  return { ...(current !== undefined && current !== name && { current }), profiles: rest };
}

/** The profile without its key. */
export function withoutSignIn({ url }: Profile): Profile {
  return { url };
}
