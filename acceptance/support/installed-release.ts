import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@atelier/testing';

import { runIn } from './sdk-package.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Installed extends AsyncDisposable {
  /** The tarballs, by the names of their packages. */
  readonly tarballs: string;
  /** An empty project with the server and the worker in its `node_modules`. */
  readonly project: string;
}

/** Builds a release and installs it as npm would, without a network: what it needs is taken from the repository. */
export async function installRelease(): Promise<Installed> {
  const folder = await temporaryFolder();
  const [tarballs, project] = [join(folder.path, 'tarballs'), join(folder.path, 'project')];
  const modules = join(project, 'node_modules');
  await runIn(ROOT, process.execPath, ['scripts/release.ts', tarballs]);
  for (const file of (await readdir(tarballs)).filter((name) => name.endsWith('.tgz'))) {
    const name = /^atelier-(\w+)-/.exec(file)?.[1] ?? '';
    const place = join(modules, '@atelier', name);
    await mkdir(place, { recursive: true });
    await runIn(place, 'tar', ['xzf', join(tarballs, file), '--strip-components=1']);
  }
  const others = (await readdir(join(ROOT, 'node_modules'))).filter((name) => name !== '@atelier');
  for (const name of others) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  await writeFile(join(project, 'package.json'), '{"private":true}');
  return { tarballs, project, [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose]() };
}
