import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The installation folder of Atelier: the current folder or a parent, or the one this command belongs to. */
export function findInstallation(): string | undefined {
  return [process.cwd(), dirname(fileURLToPath(import.meta.url))].flatMap(withParents).find(isInstallation);
}

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** A clone, or a release in `node_modules`. Checked by name, because other projects have a `packages` folder too. */
function isInstallation(folder: string): boolean {
  if (!existsSync(join(folder, 'packages', 'server', 'start.js'))) return false;
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return name === 'atelier' || name === '@atelier/server';
  } catch {
    return false;
  }
}
