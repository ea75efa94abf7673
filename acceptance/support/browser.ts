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
    executablePath: await chromium.executablePath(),
    args: [
      ...chromium.args.filter((arg) => !UNWANTED.has(arg)),
      '--disable-gpu',
      `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`,
    ],
    headless: true,
  });
}
