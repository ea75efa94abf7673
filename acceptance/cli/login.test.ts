import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { PATIENCE_MS, type RunningServer, startServer, temporaryFolder } from '@atelier/testing';

import { type CliOptions, type CliResult, runCli } from '../support/cli.ts';
import { KEYS, openTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

interface Saved {
  readonly current?: string;
  readonly profiles: Record<
    string,
    { url: string; apiKey?: string; scopes?: string[]; isFromLogin?: boolean }
  >;
}

describe('atelier login', { timeout: 4 * PATIENCE_MS }, () => {
  let server: RunningServer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let config: string;
  before(async () => {
    server = await startServer();
  });
  after(async () => await server?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = await temporaryFolder();
    config = join(folder.path, 'atelier', 'profiles.json');
  });
  afterEach(async () => await folder[Symbol.asyncDispose]());

  const atelier = async (args: readonly string[], { env, ...options }: CliOptions = {}): Promise<CliResult> =>
    await runCli(args, { ...options, env: { ATELIER_CONFIG: config, ...env } });
  const saved = async (): Promise<Saved> => JSON.parse(await readFile(config, 'utf8')) as Saved;

  /** Runs it, and gives what it says to a person as soon as the pattern is there. */
  const attended = async (
    args: readonly string[],
    pattern: RegExp,
    person: (found: string[]) => Promise<void>,
  ) => {
    let said = '';
    let ended = false;
    const result = atelier(args, {
      // Starts, does nothing, and so leaves the page to the test.
      env: { BROWSER: 'true' },
      onStart: (child) => void child.stderr?.on('data', (chunk: Buffer) => (said += String(chunk))),
    }).finally(() => {
      ended = true;
    });
    const found = await until('the page to open', () => pattern.exec(said) ?? (ended ? null : undefined));
    if (found) await person([...found]);
    return await result;
  };
  const PAGE = /(http\S+\/oauth\/authorize\S+)\n/;

  /** What the form of the page sends. Follows the answer to where the command waits. */
  const decide = async (page: string, decision: 'allow' | 'deny'): Promise<Response> => {
    const { email, password } = server.admin;
    const answer = await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ decision, email, password }),
      headers: { origin: server.url },
      redirect: 'manual',
    });
    const location = answer.headers.get('location');
    return location === null ? answer : await fetch(location);
  };

  const isGood = async (key: string | undefined): Promise<boolean> =>
    (await fetch(`${server.url}/customers/me`, { headers: { 'x-api-key': key ?? '' } })).ok;

  test('[CLI-7] opens a page in the browser, and keeps the key in a file that only its owner can read', async () => {
    const { code, stdout, stderr } = await attended(
      ['login', '--url', server.url],
      PAGE,
      async ([, page]) => {
        const shown = await fetch(page ?? '');
        assert.match(await shown.text(), /Atelier command line/);
        const done = await decide(page ?? '', 'allow');
        assert.match(await done.text(), /go back to the terminal/);
      },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`Signed in to ${server.url} as ${server.admin.email}`));
    const { profiles, current } = await saved();
    const profile = profiles[current ?? ''];
    assert.deepEqual(profile?.scopes, ['workflows', 'generation', 'registry', 'account']);
    assert.ok(await isGood(profile?.apiKey));
    assert.equal(stdout.includes(profile?.apiKey ?? '') || stderr.includes(profile?.apiKey ?? ''), false);
    assert.equal((await stat(config)).mode & 0o777, 0o600);
    assert.match((await atelier(['whoami'])).stdout, new RegExp(server.admin.email));

    const out = await atelier(['logout', '--json']);
    assert.deepEqual(JSON.parse(out.stdout), { profile: current, url: server.url, revoked: true });
    assert.equal(await isGood(profile?.apiKey), false);
    const signedOut = await atelier(['whoami']);
    assert.equal(signedOut.code, 3);
    assert.match(signedOut.stderr, /not signed in.*\n.*atelier login/);
  });

  test('says that it was denied', async () => {
    const { code, stderr } = await attended(['login', '--url', server.url], PAGE, async ([, page]) => {
      await decide(page ?? '', 'deny');
    });
    assert.equal(code, 3);
    assert.match(stderr, /error: Signing in was denied\./);
  });

  test('takes no answer that belongs to another sign-in', async () => {
    const { code } = await attended(['login', '--url', server.url], PAGE, async ([, page]) => {
      const back = new URL(new URL(page ?? '').searchParams.get('redirect_uri') ?? '');
      back.search = '?code=stolen&state=wrong';
      assert.equal((await fetch(back)).status, 400);
      assert.equal((await fetch(new URL('/', back))).status, 404);
      await decide(page ?? '', 'allow');
    });
    assert.equal(code, 0);
  });

  test('shows a code where there is no browser', async () => {
    const args = [
      'login',
      '--device',
      '--url',
      server.url,
      '--scope',
      'workflows,account',
      '--profile',
      'box',
      '--json',
    ];
    const { code, stdout, stderr } = await attended(
      args,
      /(http\S+\/device)\n\s+(\S+)\n/,
      async ([, page, userCode]) => {
        const url = `${page}?user_code=${userCode}`;
        assert.match(await (await fetch(url)).text(), /Run workflows/);
        assert.equal((await decide(url, 'allow')).status, 200);
      },
    );
    assert.equal(code, 0, stderr);
    const { email } = server.admin;
    assert.deepEqual(JSON.parse(stdout), {
      profile: 'box',
      url: server.url,
      email,
      scopes: ['workflows', 'account'],
    });
    assert.ok(await isGood((await saved()).profiles['box']?.apiKey));
  });

  test('a profile that cannot be written leaves no key behind', async () => {
    const keys = async () =>
      (await (
        await fetch(`${server.url}/customers/api-keys`, { headers: { 'x-api-key': server.admin.api_key } })
      ).json()) as unknown;
    const earlier = await keys();
    const { code, stderr } = await attended(
      ['login', '--url', server.url, '--json'],
      PAGE,
      async ([, page]) => {
        await mkdir(config, { recursive: true });
        await decide(page ?? '', 'allow');
      },
    );
    assert.equal(code, 2, stderr);
    assert.deepEqual(await keys(), earlier);
  });

  test('needs no --device over ssh, and asks for a scope that there is', async () => {
    const env = { SSH_CONNECTION: 'here there' };
    const { code, stderr } = await atelier(['login', '--url', server.url, '--scope', 'everything'], { env });
    assert.equal(code, 3);
    assert.match(stderr, /scope has words that are not known here/);
  });

  test('takes a key from standard input, which logout then leaves alone', async () => {
    const input = `${server.admin.api_key}\n`;
    const args = ['login', '-q', '--with-key', '--url', `${server.url}/`, '--profile', 'ci'];
    const { code, stdout } = await atelier(args, { input });
    assert.deepEqual([code, stdout], [0, '']);
    assert.equal((await saved()).profiles['ci']?.url, server.url);
    assert.equal(JSON.parse((await atelier(['logout', '--json'])).stdout).revoked, false);
    assert.ok(await isGood(server.admin.api_key));
  });

  test('asks for a key in a terminal and does not show it', async () => {
    const env = { ATELIER_CONFIG: config };
    const terminal = openTerminal(['login', '--with-key', '--url', server.url], { env, columns: 40 });
    await terminal.sees(/API key/);
    terminal.types(`${server.admin.api_key}${KEYS.enter}`);
    await terminal.sees(/Signed in/);
    assert.equal(await terminal.exit, 0);
    assert.equal(terminal.text().includes(server.admin.api_key.slice(8, 20)), false);
  });

  test('ends with Ctrl-C while it waits for the browser', async () => {
    const env = { ATELIER_CONFIG: config, BROWSER: 'true' };
    const terminal = openTerminal(['login', '--url', server.url], { env });
    await terminal.sees(/Sign in on this page/);
    terminal.types(KEYS.interrupt);
    assert.equal(await terminal.exit, 130);
  });

  test('refuses a wrong key and keeps what was there', async () => {
    const first = await atelier(['login', '--with-key', '--url', server.url], {
      input: server.admin.api_key,
    });
    assert.equal(first.code, 0);
    const kept = await saved();
    for (const [input, status] of [
      ['atelier_wrong', 3],
      ['two\nlines', 2],
      ['', 2],
    ] as const) {
      const { code, stderr } = await atelier(['login', '--with-key'], { input });
      assert.equal(code, status, stderr);
      assert.match(stderr, /^error: .+\n.+\n$/);
    }
    assert.deepEqual(await saved(), kept);
  });

  test('a second login of a profile ends the key of the first', async () => {
    const key = async () => (await saved()).profiles['p']?.apiKey;
    const signIn = async () =>
      await attended(['login', '--url', server.url, '--profile', 'p'], PAGE, async ([, page]) => {
        await decide(page ?? '', 'allow');
      });
    await signIn();
    const first = await key();
    await signIn();
    assert.equal(await isGood(first), false);
    assert.equal(await isGood(await key()), true);
  });

  test('profiles are listed, chosen, renamed and removed', async () => {
    const input = server.admin.api_key;
    for (const name of ['one', 'two'])
      assert.equal(
        (await atelier(['login', '--with-key', '--url', server.url, '--profile', name], { input })).code,
        0,
      );
    assert.equal((await saved()).current, 'two');
    assert.equal((await atelier(['profiles', 'use', 'one'])).code, 0);
    assert.equal((await atelier(['profiles', 'rename', 'one', 'uno'])).code, 0);
    const listed = await atelier(['profiles', '--json']);
    assert.deepEqual(
      (JSON.parse(listed.stdout) as { profiles: { name: string; current: boolean }[] }).profiles
        .map(({ name, current }) => [name, current])
        .sort(),
      [
        ['two', false],
        ['uno', true],
      ],
    );
    assert.equal(listed.stdout.includes(input), false);
    assert.equal((await atelier(['profiles', 'rename', 'uno', 'two'])).code, 2);
    assert.equal((await atelier(['profiles', 'remove', 'uno'])).code, 0);
    const { current, profiles } = await saved();
    assert.deepEqual([current, Object.keys(profiles)], [undefined, ['two']]);
    const unknown = await atelier(['profiles', 'use', 'three']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /There is no profile three\. Known: two\./);
  });

  test('[CLI-7] several sign-ins at once all leave their profile, also behind a link', async () => {
    const real = join(folder.path, 'real.json');
    await writeFile(real, '{"profiles":{}}', { mode: 0o600 });
    await mkdir(dirname(config), { recursive: true });
    await symlink(real, config);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const results = await Promise.all(
      names.map(
        async (name) =>
          await atelier(['login', '--with-key', '--url', server.url, '--profile', name], {
            input: server.admin.api_key,
          }),
      ),
    );
    assert.deepEqual(
      results.map(({ code }) => code),
      names.map(() => 0),
    );
    assert.deepEqual(Object.keys((await saved()).profiles).sort(), names);
    assert.ok((await lstat(config)).isSymbolicLink());
    assert.deepEqual((await readdir(folder.path)).sort(), ['atelier', 'real.json']);
    await writeFile(`${real}.lock`, '');
    const locked = await atelier(['profiles', 'use', 'a']);
    assert.equal(locked.code, 2);
    assert.match(locked.stderr, /in use by another program\.\nIf there is none, remove .*real\.json\.lock/);
  });

  test('[CLI-7] a profile file that others can read, or that is damaged, is not used', async () => {
    await atelier(['login', '--with-key', '--url', server.url], { input: server.admin.api_key });
    await chmod(config, 0o644);
    const open = await atelier(['whoami']);
    assert.equal(open.code, 2);
    assert.match(open.stderr, /others can read it\.\nRun: chmod 600/);
    await chmod(config, 0o600);
    await writeFile(config, '{');
    assert.match((await atelier(['whoami'])).stderr, /is damaged\.\nRemove it/);
    // Who names server and key needs no profile.
    const env = { ATELIER_URL: server.url, ATELIER_API_KEY: server.admin.api_key };
    assert.equal((await atelier(['whoami'], { env })).code, 0);
  });

  test('a server that is down, or not an Atelier, is named', async () => {
    const down = await atelier(['login', '--url', 'http://127.0.0.1:9']);
    assert.equal(down.code, 4);
    assert.match(down.stderr, /127\.0\.0\.1:9/);
  });
});
