import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of Atelier itself: the current one or one above, or where this command is from. */
export function findInstallation(): string | undefined {
  return [process.cwd(), dirname(fileURLToPath(import.meta.url))].flatMap(withParents).find(isInstallation);
}

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** A clone, or a release in `node_modules`. Other projects have a folder of that name too, and nothing of theirs is started. */
function isInstallation(folder: string): boolean {
  if (!existsSync(join(folder, 'packages', 'server', 'start.js'))) return false;
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return name === 'atelier' || name === '@atelier/server';
  } catch {
    return false;
  }
}
