/** Builds the console into `dist`, which the server serves. The server runs it when the sources are newer; it can be run by hand too. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = import.meta.dirname;
/** The folder that the server serves. */
export const CONSOLE_FOLDER = join(ROOT, 'dist');
/** Holds the fingerprint of the sources of the build. */
const STAMP = 'sources.txt';
const SOURCES = [
  'src/**/*',
  'public/*',
  'index.html',
  'package.json',
  'vite.config.ts',
  '../sdk/src/**/*.ts',
];
/** Smaller files do not shrink when compressed. */
const MIN_COMPRESSED_BYTES = 1024;

/** Whether `dist` matches the sources. A release has no sources, so its build is always current. */
export async function isBuilt(): Promise<boolean> {
  const stamp = await readFile(join(CONSOLE_FOLDER, STAMP), 'utf8').catch(() => undefined);
  return stamp !== undefined && (!existsSync(join(ROOT, 'src')) || stamp === (await fingerprint()));
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const names = globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  for (const name of names) hash.update(name.slice(ROOT.length)).update(await readFile(name));
  return hash.digest('hex');
}

async function build(): Promise<void> {
  const stamp = await fingerprint();
  // Built in a temporary folder and moved, so that no server serves half a build and parallel builds do not collide.
  const folder = join(ROOT, `dist-${randomUUID()}`);
  try {
    // Loaded here, so that checking whether the build is current stays cheap.
    const { build: bundle } = await import('vite');
    await bundle({ root: ROOT, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
    await compressFiles(folder);
    await writeFile(join(folder, STAMP), stamp);
    await rm(CONSOLE_FOLDER, { recursive: true, force: true });
    await rename(folder, CONSOLE_FOLDER);
  } catch (error) {
    // Another process finished the same build first.
    if (!(await isBuilt())) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes compressed copies next to each file. Done once, so the highest level is used. */
async function compressFiles(folder: string): Promise<void> {
  for (const name of globSync('**/*.{js,css,html,svg}', { cwd: folder })) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    if (bytes.length < MIN_COMPRESSED_BYTES) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

if (import.meta.main && !(await isBuilt())) await build();
