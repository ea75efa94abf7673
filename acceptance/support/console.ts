import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { startBrowser } from './browser.ts';
import { until } from './until.ts';

const BUILD = join(import.meta.dirname, '../../packages/console/build.ts');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Console extends AsyncDisposable {
  readonly server: RunningServer;
  readonly browser: Browser;
  /** A page of somebody who is signed in: the administrator unless said otherwise. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** An empty page of nobody, in a browser that knows nothing yet. */
  openSignedOut(options?: Pick<OpenOptions, 'width' | 'height' | 'theme'>): Promise<Page>;
  /** After each test: pages that stay open follow the server, and slow the next tests down. */
  closePages(): Promise<void>;
}

interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly as?: { readonly email: string; readonly password: string };
  readonly context?: BrowserContext;
}

/** A server with its console, and a browser. A page that breaks the content-security policy or throws fails its test. */
export async function startConsole(environment: Readonly<Record<string, string>> = {}): Promise<Console> {
  await promisify(execFile)(process.execPath, [BUILD]);
  await using started = new AsyncDisposableStack();
  const server = started.use(await startServer({ environment: { ATELIER_CONSOLE: 'on', ...environment } }));
  await until('the console', async () => (await fetch(`${server.url}/console/`)).ok);
  const browser = await startBrowser();
  started.defer(async () => await browser.close());
  const problems: string[] = [];
  const contexts: BrowserContext[] = [];

  async function newContext({ width = 1280, height = 800, theme = 'light' }: OpenOptions) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      baseURL: server.url,
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    return context;
  }

  async function newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) problems.push(`${page.url()}: ${message.text()}`);
    });
    return page;
  }

  async function open(path: string, options: OpenOptions = {}): Promise<Page> {
    const context = options.context ?? (await newContext(options));
    if (!options.context) {
      const { email, password } = options.as ?? server.admin;
      const headers = { origin: server.url };
      const answer = await context.request.post('/auth/session', { data: { email, password }, headers });
      if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}.`);
    }
    const page = await newPage(context);
    await page.goto(`/console${path}`);
    return page;
  }

  const parts = started.move();
  return {
    server,
    browser,
    open,
    openSignedOut: async (options = {}) => await newPage(await newContext(options)),
    async closePages() {
      await Promise.all(contexts.splice(0).map(async (context) => await context.close()));
    },
    async [Symbol.asyncDispose]() {
      await parts.disposeAsync();
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}

/** What axe finds serious or critical on a page, with the colors of both themes. */
export async function findBarriers(page: Page): Promise<string[]> {
  // `evaluate` is not bound by the policy of the page, a script element would be.
  await page.evaluate(AXE);
  // Without transitions, so that the colors are there at once: also when the next look at the same page follows.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const found = await runAxe(page, "{ resultTypes: ['violations'] }");
  await page.emulateMedia({ colorScheme: 'dark' });
  const inTheDark = await runAxe(page, "{ runOnly: ['color-contrast'], resultTypes: ['violations'] }");
  await page.emulateMedia({ colorScheme: 'light' });
  return [...found, ...inTheDark];
}

async function runAxe(page: Page, options: string): Promise<string[]> {
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** Waits until a page shows its content in place of skeletons. There is always a stream open, so the network never rests. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('.animate-pulse') === null);
}
