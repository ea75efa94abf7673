import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { shareFiles, temporaryFolder } from '@atelier/testing';
import { download, finish, newSubmitter, statusOf, submit } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { admin, newPerson, tokenOf } from '../support/people.ts';
import { runAdmin, startAdmin } from '../support/run-admin.ts';
import { onEachEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { unzip } from '../support/unzip.ts';
import { pictureWorkflow, textWorkflow } from '../support/workflows.ts';

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

onEachEngine(
  'operators administer people',
  (server) => {
    const run = async (...args: readonly string[]) => await runAdmin(server.current.settings, args);
    /** The output of a command that must succeed. */
    const output = async (...args: readonly string[]) => {
      const { code, out, err } = await run(...args);
      assert.deepEqual({ code, err }, { code: 0, err: '' }, out);
      return out;
    };
    const read = async <T>(...args: readonly string[]) => JSON.parse(await output(...args, '--json')) as T;
    const signIn = async (email: string, password: string) =>
      await client(server.current.url).post<{ access_token: string }>('/auth/token', { email, password });

    test('[ADM-10] [ADM-12] an operator makes an account and gives it a new password, which ends its tokens', async () => {
      const email = `Ödön+${randomUUID()}@exämple.org`;
      const made = await output('create-user', email, '--name', 'Ödön \u001B[31m∑', '--administrator');
      const [, password = ''] = /^Password: (\S+)$/m.exec(made) ?? [];
      const first = await signIn(email, password);
      assert.equal(first.status, 200);
      const old = client(server.current.url, { bearer: first.body.access_token });
      const { body: me } = await old.get<{ id: string; role: string }>('/customers/me');
      assert.equal(me.role, 'admin');
      const taken = await run('create-user', email.toUpperCase());
      assert.equal(taken.code, 1);
      assert.match(taken.err, /already an account/);

      const given = `${randomUUID()} given`;
      const args = ['reset-password', email, '--password-stdin'];
      const reset = await runAdmin(server.current.settings, args, `${given}\nrest`);
      assert.deepEqual([reset.code, reset.out.includes(given)], [0, false], reset.err);
      assert.equal((await old.get('/customers/me')).status, 401);
      assert.equal((await signIn(email, password)).status, 401);
      assert.equal((await signIn(email, given)).status, 200);
      const table = await output('list-users', email);
      assert.ok(table.includes(me.id) && table.includes('Ödön ∑') && !table.includes('\u001B'), table);
    });

    test('[ADM-10] [ADM-14] a ban on the command line closes sockets and stops jobs of the server that runs', async () => {
      const { id, key, api } = await newSubmitter(server.current, 'standard');
      using watcher = await watch(server.current.url, key);
      const closed = once(watcher.socket, 'close');
      const job = await runHeld(server.current, api);
      const waiting = await submit(api, textWorkflow());
      assert.match(await output('ban-user', id, '--reason', 'spam '.repeat(150), '--yes'), /is banned/);
      await closed;
      assert.equal((await api.get('/customers/me')).status, 403);
      const jobs = await read<readonly { readonly id: string; readonly status: string }[]>(
        'list-jobs',
        '--user',
        id,
      );
      assert.deepEqual(Object.fromEntries(jobs.map((one) => [one.id, one.status])), {
        [job.prompt_id]: 'cancelled',
        [waiting.prompt_id]: 'cancelled',
      });
      assert.match(await output('unban-user', id), /is active/);
      assert.equal((await api.get('/customers/me')).status, 200);
      const cancel = ['cancel-jobs', job.prompt_id, '--yes'];
      assert.equal(await output(...cancel), 'The job had ended before.\n');
    });

    test('[ADM-10] [ADM-14] on PostgreSQL a command on another machine stops a job, and all who watch see its end', {
      skip: server.engine === 'sqlite',
    }, async () => {
      await using folder = await temporaryFolder();
      await shareFiles(server.current.dataFolder, folder.path);
      const elsewhere = { ...server.current.settings, ATELIER_DATA_DIR: folder.path };
      const { id, key, api } = await newSubmitter(server.current);
      using watcher = await watch(server.current.url, key);
      const job = await runHeld(server.current, api);
      const cancelled = await runAdmin(elsewhere, ['cancel-jobs', '--user', id, '--yes']);
      assert.deepEqual([cancelled.code, cancelled.err], [0, ''], cancelled.out);
      await watcher.end(job.prompt_id);
      assert.equal(watcher.about(job.prompt_id).at(-2)?.type, 'execution_interrupted');
      assert.equal(await statusOf(api, job.prompt_id), 'cancelled');
      // Its slot is free again.
      assert.equal((await finish(api, textWorkflow())).status, 'completed');
      const closed = once(watcher.socket, 'close');
      const banned = await runAdmin(elsewhere, ['ban-user', id, '--reason', 'spam', '--yes']);
      assert.equal(banned.code, 0, banned.err);
      await closed;
    });

    test('[ADM-15] [ADM-16] a user is exported with every byte and then deleted, by two commands at once', async () => {
      const { id, api } = await newSubmitter(server.current);
      const made = await finish(api, pictureWorkflow());
      const [file] = Object.values(made.outputs).flatMap((node) => node['images'] ?? []);
      const picture = await download(api, file ?? assert.fail());
      await api.post('/api/settings', { theme: 'dark' });
      await api.request('POST', '/api/userdata/workflows%2F..%20a%3Ab.json', { body: '{"a":1}' });
      const target = join(server.current.dataFolder, `${id}.zip`);
      assert.equal(await output('export-user', id, '--to', target), `${target}\n`);
      const files = await unzip(await readFile(target));
      const json = (name: string) => JSON.parse(files.get(name)?.toString() ?? '') as Record<string, unknown>;
      assert.equal(json('account.json')['id'], id);
      assert.deepEqual(json('settings.json'), { theme: 'dark' });
      assert.deepEqual(Buffer.from(files.get(`files/output/${file?.filename}`) ?? ''), Buffer.from(picture));
      assert.equal(files.get('user-data/workflows/.. a_b.json')?.toString(), '{"a":1}');
      const job = json('jobs.jsonl');
      assert.deepEqual([job['id'], typeof job['workflow']], [made.prompt_id, 'object']);
      assert.equal(files.has('missing-files.txt'), false);
      assert.doesNotMatch(files.get('api-keys.json')?.toString() ?? '', /secret|hash|plaintext/);
      assert.equal((await run('export-user', id, '--to', target)).code, 2, 'nothing is overwritten');

      const ends = await Promise.all([run('delete-user', id, '--yes'), run('delete-user', id, '--yes')]);
      assert.ok(
        ends.every(({ code, err }) => code === 0 || (code === 1 && /no user|There is no/.test(err))),
        JSON.stringify(ends),
      );
      assert.equal((await admin(server.current).get(`/admin/users/${id}`)).status, 404);
      const entries = await read<readonly Entry[]>('list-audit', '--user', id);
      assert.equal(entries.filter(({ action }) => action === 'user.delete').length, 1);
      assert.ok(entries.every(({ details }) => !JSON.stringify(details).includes('@')));
      assert.ok(
        entries.some(({ action, actor }) => action === 'user.export' && actor.startsWith('operator:')),
      );
    });

    test('[ADM-17] credits are changed by a signed whole number with a reason', {
      // The rules of credits are tested on both over HTTP.
      skip: server.engine === 'postgres',
    }, async () => {
      const { id } = await newPerson(server.current);
      assert.match(await output('change-credits', id, '500', '--reason', 'für ∞ Bilder'), /has 500 credits/);
      assert.match(await output('change-credits', id, '-20', '--reason', 'charged twice'), /has 480 credits/);
      const much = await run('change-credits', id, '-481', '--reason', 'x');
      assert.deepEqual([much.code, /at most 480/.test(much.err)], [1, true], much.err);
      const [entry] = await read<readonly Entry[]>('list-audit', '--user', id, '--action', 'user.credits');
      assert.deepEqual(entry?.details, { amount: -20, balance: 480, reason: 'charged twice' });
    });

    test('[ADM-13] [ADM-15] [ADM-18] while the server is stopped, a killed deletion is finished, an administrator rescued and keys replaced', async () => {
      const { api, key } = await newSubmitter(server.current);
      const gone = await newSubmitter(server.current);
      await finish(gone.api, pictureWorkflow());
      const made = await finish(api, pictureWorkflow());
      const [file] = Object.values(made.outputs).flatMap((node) => node['images'] ?? []);
      const { headers } = await api.get(`/api/view?${new URLSearchParams({ ...(file ?? assert.fail()) })}`);
      const link = new URL(headers.get('location') ?? '');
      const { body: before } = await api.get<{ secret: string }>('/webhooks/secret');
      const token = await tokenOf(server.current, server.current.admin);
      const busy = await run('rotate-key', 'file-links', '--yes');
      assert.deepEqual([busy.code, /Stop all servers/.test(busy.err)], [1, true]);
      await output('rotate-key', 'signing-keys', '--yes');
      assert.equal((await client(server.current.url, { bearer: token }).get('/customers/me')).status, 200);

      await server.current.stop();
      const { child, ended } = startAdmin(server.current.settings, ['delete-user', gone.id, '--yes']);
      // Whatever it does by then.
      setTimeout(() => child.kill('SIGKILL'), 700);
      await ended;
      const deleted = await run('delete-user', gone.id, '--yes');
      assert.ok(deleted.code === 0 || deleted.err.startsWith('There is no'), deleted.err);
      for (const name of ['file-links', 'webhook-secrets']) await output('rotate-key', name, '--yes');
      const rescued = await read<{ email: string; password: string; api_key: string }>(
        'rescue-admin',
        '--yes',
      );
      assert.equal(rescued.email, server.current.admin.email);
      await server.restart();
      const atNew = () => `${server.current.url}${link.pathname}${link.search}`;
      assert.equal((await fetch(atNew())).status, 200, 'links stay good');
      const again = client(server.current.url, { apiKey: key });
      assert.deepEqual((await again.get('/webhooks/secret')).body, before);
      const signed = await tokenOf(server.current, rescued);
      assert.equal((await client(server.current.url, { bearer: token }).get('/customers/me')).status, 401);
      const restored = client(server.current.url, { apiKey: rescued.api_key });
      const { body: audit } = await restored.get<{ entries: readonly Entry[] }>(
        '/admin/audit?action=user.rescue',
      );
      assert.deepEqual(audit.entries[0]?.details, { created: false, role: 'admin', status: 'active' });
      assert.equal((await signIn(rescued.email, rescued.password)).status, 200);
      await output('rotate-key', 'webhook-secret', '--user', server.current.admin.email, '--now', '--yes');
      const early = await run('rotate-key', 'signing-keys', '--now', '--yes');
      assert.deepEqual([early.code, /Stop all servers/.test(early.err)], [1, true]);

      await server.current.stop();
      for (const name of ['file-links', 'signing-keys', 'operators'])
        await output('rotate-key', name, '--now', '--yes');
      await server.restart();
      assert.equal((await fetch(atNew())).status, 403, 'links have ended');
      const tokenEnded = await client(server.current.url, { bearer: signed }).get('/customers/me');
      assert.equal(tokenEnded.status, 401, 'tokens have ended');
      assert.equal((await signIn(rescued.email, rescued.password)).status, 200);
    });

    test('[ADM-11] what operators show is good for administration only, and forged it is good for nothing', async () => {
      const forged = `operator_${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
      const { status, body } = await client(server.current.url, { bearer: forged }).get('/admin/users');
      assert.deepEqual([status, body['error']], [401, 'auth.invalid']);
      const rescue = await admin(server.current).post('/admin/rescue', {});
      assert.equal(rescue.status, 403, 'only operators rescue administrators');
      const { code, err } = await run('ban-user', '../jobs', '--reason', 'x', '--yes');
      assert.deepEqual([code, err.startsWith('There is no user ')], [1, true], err);
    });
  },
  { environment: HOLDING },
);

test('[ADM-19] commands are listed, and wrong use is a sentence and exit code 2', async () => {
  assert.match((await runAdmin({}, ['--help'])).out, /^ {2}rescue-admin {4}/m);
  const help = await runAdmin({}, ['delete-user', '--help']);
  assert.deepEqual([help.code, help.out.startsWith('Usage: npm run admin -- delete-user USER')], [0, true]);
  const unasked = await runAdmin({}, ['rescue-admin']);
  assert.deepEqual(
    [unasked.code, unasked.out, /^[^\n]+Add --yes to do it\.\n$/.test(unasked.err)],
    [2, '', true],
  );
  const unknown = await runAdmin({}, ['delete-users']);
  assert.deepEqual(
    [unknown.code, unknown.err.startsWith('There is no command delete-users.\n\nUsage: ')],
    [2, true],
  );
});

test('[ADM-21] a command makes no installation where there is none', async () => {
  await using folder = await temporaryFolder();
  const { code, err } = await runAdmin({ ATELIER_DATA_DIR: folder.path }, ['list-users']);
  assert.deepEqual([code, /There is no installation in /.test(err)], [1, true], err);
  assert.equal(existsSync(join(folder.path, 'atelier.sqlite')), false);
});
