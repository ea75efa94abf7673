/** Builds the console into `dist`, from which the server serves it. Run by the server when the sources are newer, or by hand. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = import.meta.dirname;
/** What the server serves. */
export const CONSOLE_FOLDER = join(ROOT, 'dist');
/** Names the sources of what is built. */
const STAMP = 'sources.txt';
const SOURCES = [
  'src/**/*',
  'public/*',
  'index.html',
  'package.json',
  'vite.config.ts',
  '../sdk/src/**/*.ts',
];
/** Larger than their compressed forms would be. */
const MIN_COMPRESSED_BYTES = 1024;

/** Whether `dist` is what the sources give. A release has no sources: what is built is what there is. */
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
  // Built beside and moved: a server never serves half of it, and two that build at once do not meet.
  const folder = join(ROOT, `dist-${randomUUID()}`);
  try {
    // Loaded here, so that asking whether it is built costs nothing.
    const { build: bundle } = await import('vite');
    await bundle({ root: ROOT, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
    await compressFiles(folder);
    await writeFile(join(folder, STAMP), stamp);
    await rm(CONSOLE_FOLDER, { recursive: true, force: true });
    await rename(folder, CONSOLE_FOLDER);
  } catch (error) {
    // Another one was faster with the same.
    if (!(await isBuilt())) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Beside each file, for browsers that take them: compressed once, as well as it can be done. */
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
