import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A name that the browser takes for this machine, though it does not look like it. */
export const OTHER_NAME = 'atelier.test';

/**
 * Made for functions in a cloud: they hide what a page does wrong, end the browser with its first page, or draw with an emulated GPU, which
 * takes longer than drawing without.
 */
const UNWANTED = new Set([
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]);

/** A real browser from an npm package. */
export async function startBrowser(): Promise<Browser> {
  return await playwright.launch({
    executablePath: await unpackedBrowser(),
    args: [
      ...chromium.args.filter((arg) => !UNWANTED.has(arg)),
      '--disable-gpu',
      `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`,
    ],
    headless: true,
  });
}

const PACKAGE = import.meta.resolve('@sparticuz/chromium');
const UNPACK = `import chromium from '${PACKAGE}'; await chromium.executablePath();`;

/**
 * The package unpacks its browser into the folder for temporary files, under the final names from the start: another process, or the next
 * run after one that was stopped, would start half a browser. So it does that in a folder of its own, which then gets its name.
 */
async function unpackedBrowser(): Promise<string> {
  const folder = fileURLToPath(new URL('../../unpacked', PACKAGE));
  if (!existsSync(folder)) {
    const part = await mkdtemp(`${folder}-`);
    const env = { ...process.env, TMPDIR: part };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], { env });
    // Another process may have been faster.
    await rename(part, folder).catch(async () => await rm(part, { recursive: true }));
  }
  return join(folder, 'chromium');
}
