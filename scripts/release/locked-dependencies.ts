import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../run-command.ts';

type Versions = Readonly<Record<string, string>>;

interface Locked {
  readonly version: string;
  readonly dependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * These packages and all that they need, in the versions of the lockfile. npm knows no lockfile for a package that is installed, so a release
 * names everything itself: what is installed is what was tested.
 */
export function lockedDependencies(wanted: Versions): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const found = new Map<string, string>();
  const add = (name: string): void => {
    // Second versions of a package are below those that want them, who name them well enough.
    const locked = packages[`node_modules/${name}`];
    if (!locked) throw new Error(`${name} is not in the lockfile.`);
    if (found.has(name)) return;
    found.set(name, locked.version);
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = locked;
    for (const needed of Object.keys(dependencies)) add(needed);
    for (const peer of Object.keys(peerDependencies)) if (!peerDependenciesMeta[peer]?.optional) add(peer);
  };
  for (const name of Object.keys(wanted)) add(name);
  return Object.fromEntries([...found].toSorted(([a], [b]) => a.localeCompare(b)));
}
