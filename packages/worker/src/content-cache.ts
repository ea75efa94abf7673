import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, link, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface CacheOptions {
  readonly folder: string;
  readonly maxBytes: number;
}

export type ContentCache = ReturnType<typeof createContentCache>;

const CONTENT = /^[0-9a-f]{64}$/;
const SCRATCH = /^\.scratch-/;
/** No job uses a scratch folder of this age: its worker was killed. */
const OLD_SCRATCH_MS = 7 * 24 * 3_600_000;
/** The share of `maxBytes` that is left after a removal. */
const KEPT_SHARE = 0.9;
/** Other processes use the same folder, so its size is measured again after this share was added. */
const MEASURE_SHARE = 1 / 8;

/** Files by their SHA-256, for all processes of a worker. The least recently used ones are removed first. */
export function createContentCache({ folder, maxBytes }: CacheOptions) {
  /** A crash of the machine can corrupt a file, so each one is checked once. */
  const checked = new Set<string>();
  let addedBytes = Number.POSITIVE_INFINITY;
  let tidying: Promise<void> = Promise.resolve();

  async function tidy(): Promise<void> {
    const found = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name);
        const info = await stat(path).catch(ifMissing);
        return info && { name, path, size: info.size, usedAt: info.mtimeMs };
      }),
    );
    const entries = found.filter((entry) => entry !== undefined);
    for (const { name, path, usedAt } of entries) {
      if (SCRATCH.test(name) && usedAt < Date.now() - OLD_SCRATCH_MS)
        await rm(path, { recursive: true, force: true });
    }
    const contents = entries.filter(({ name }) => CONTENT.test(name)).toSorted((a, b) => a.usedAt - b.usedAt);
    let bytes = contents.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= maxBytes) return;
    for (const { path, size } of contents) {
      if (bytes <= maxBytes * KEPT_SHARE) break;
      await rm(path, { force: true });
      bytes -= size;
    }
  }

  return {
    /** Links the content to `target`, where it stays when the cache removes it. False when it is not in the cache. */
    async linkTo(sha256: string, target: string): Promise<boolean> {
      const path = join(folder, sha256);
      try {
        await link(path, target);
      } catch (error) {
        return ifMissing(error) ?? false;
      }
      if (!checked.has(sha256) && (await hashOf(target)) !== sha256) {
        await Promise.all([rm(path, { force: true }), rm(target, { force: true })]);
        return false;
      }
      checked.add(sha256);
      const now = new Date();
      await utimes(target, now, now);
      return true;
    },

    /** Adds a finished file, which stays where it is and becomes read-only. */
    async add(path: string, sha256: string): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(path, 0o400);
      await link(path, join(folder, sha256)).catch(ifNoLink);
      checked.add(sha256);
      addedBytes += (await stat(path)).size;
      if (addedBytes < maxBytes * MEASURE_SHARE) return;
      addedBytes = 0;
      tidying = tidying.catch(() => {}).then(tidy);
      await tidying;
    },
  };
}

export async function hashOf(path: string): Promise<string> {
  const running = createHash('sha256');
  await pipeline(createReadStream(path), running);
  return running.digest('hex');
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

/** It is already cached, or a node has created it on another disk. Then it is not cached, which is not an error. */
const NO_LINK = new Set<unknown>(['EEXIST', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP']);

function ifNoLink(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && NO_LINK.has(error.code))) throw error;
}
