import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer } from '@atelier/testing';

import { runCli, runJson } from '../support/cli.ts';
import { client } from '../support/http-client.ts';
import { newKey, newPerson, tokenOf } from '../support/people.ts';
import { newName, newUser } from '../support/registry-publishing.ts';

let server: RunningServer;
before(async () => {
  server = await startServer();
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
});

const asAdmin = () => ({ url: server.url, key: server.admin.api_key });

async function asUser() {
  return { url: server.url, key: (await newKey(await newUser(server))).secret };
}

describe('what an account has', () => {
  test('keys are made, listed and revoked', async () => {
    const me = await asUser();
    const created = await runJson<{ key: { id: string; plaintext_key: string } }>(
      ['keys', 'create', 'render farm', '--description', 'for nights'],
      me,
    );
    assert.equal(created.code, 0);
    const { id, plaintext_key: key } = created.json.key;
    const listed = await runCli(['keys', 'list'], { url: server.url, key });
    assert.equal(listed.code, 0);
    assert.match(listed.stdout, new RegExp(`^${id} +render farm `, 'm'));
    assert.ok(!listed.stdout.includes(key));
    assert.equal((await runCli(['keys', 'revoke', id], me)).code, 0);
    const revoked = await runJson<{ error: { code: string; exit_code: number; advice: string } }>(
      ['keys', 'list'],
      { url: server.url, key },
    );
    assert.equal(revoked.code, 3);
    assert.equal(revoked.json.error.exit_code, 3);
    assert.match(revoked.json.error.advice, /atelier login/);
  });

  test('a key is limited to scopes', async () => {
    const me = await asUser();
    const args = ['keys', 'create', 'small', '--scope', 'workflows'];
    const { code, json } = await runJson<{ key: { scopes: string[] } }>(args, me);
    assert.equal(code, 0);
    assert.deepEqual(json.key.scopes, ['workflows']);
    assert.match((await runCli(['keys', 'list'], me)).stdout, / small .* workflows /);
    const wrong = await runCli(['keys', 'create', 'small', '--scope', 'all'], me);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /Allowed choices are workflows/);
  });

  test('credits and webhooks are shown', async () => {
    const me = await asUser();
    const credits = await runJson<{ balance: number; entries: unknown[] }>(['credits'], me);
    assert.deepEqual(credits.json, { balance: 0, entries: [] });
    const first = await runCli(['webhooks', 'secret'], me);
    assert.match(first.stdout, /^whsec_\S+\n$/);
    const rotated = await runCli(['webhooks', 'rotate'], me);
    assert.match(rotated.stdout, /^whsec_\S+\n$/);
    assert.notEqual(rotated.stdout, first.stdout);
    assert.deepEqual((await runJson(['webhooks', 'deliveries'], me)).json, { deliveries: [] });
    assert.deepEqual((await runJson(['webhooks', 'endpoints'], me)).json, { endpoints: [] });
    assert.equal((await runCli(['webhooks', 'redeliver', 'none'], me)).code, 3);
  });

  test('publishers, members and tokens', async () => {
    const me = await asUser();
    const id = newName();
    assert.equal((await runCli(['publishers', 'create', id, '--name', 'Acme'], me)).stdout, `${id}\n`);
    assert.equal((await runCli(['publishers', 'create', id], me)).code, 3);
    const mine = await runJson<{ publishers: { id: string }[] }>(['publishers', 'list'], me);
    assert.deepEqual(
      mine.json.publishers.map((publisher) => publisher.id),
      [id],
    );
    assert.match((await runCli(['publishers', 'info', id], me)).stdout, /^name +Acme$/m);
    const { email } = await newPerson(server);
    const added = await runCli(['publishers', 'add-member', id, email], me);
    assert.equal(added.code, 0, added.stderr);
    assert.match((await runCli(['publishers', 'members', id], me)).stdout, new RegExp(` member .*${email}`));
    assert.equal((await runCli(['publishers', 'remove-member', id, added.stdout.trim()], me)).code, 0);

    const token = (await runCli(['tokens', 'create', id, 'build server'], me)).stdout.trim();
    assert.ok(token.length > 20);
    const { json } = await runJson<{ tokens: { id: string; token: string }[] }>(['tokens', 'list', id], me);
    assert.equal(json.tokens.length, 1);
    assert.notEqual(json.tokens[0]?.token, token);
    assert.equal((await runCli(['tokens', 'revoke', id, json.tokens[0]?.id ?? ''], me)).code, 0);
    assert.equal((await runCli(['tokens', 'list', id], me)).stdout, 'No tokens.\n');
  });
});

describe('what administrators do', () => {
  test('an account from its first day to its last', async () => {
    const email = `${newName('user')}@example.org`;
    const password = 'a long sentence';
    const create = ['users', 'create', email, '--name', 'Grace'];
    assert.equal((await runCli(create, asAdmin())).code, 2, 'a password is needed');
    const { stdout, code, stderr } = await runCli(create, { ...asAdmin(), input: `${password}\n` });
    assert.equal(code, 0, stderr);
    const id = stdout.trim();
    await tokenOf(server, { email, password });

    const plan = ['subscriptions', 'set', email, '--tier', 'pro', '--until', '2099-01-31'];
    const { json } = await runJson<{ user_id: string; subscription: object }>(plan, asAdmin());
    assert.equal(json.user_id, id);
    assert.partialDeepStrictEqual(json.subscription, {
      tier: 'pro',
      status: 'active',
      period_end: '2099-01-31T00:00:00.000Z',
    });
    assert.match((await runCli(['subscriptions', 'show', id], asAdmin())).stdout, /^plan +pro$/m);
    assert.equal((await runCli(['users', 'credits', email, '30'], asAdmin())).stdout, '30 credits\n');
    const taken = ['users', 'credits', email, '--reason', 'a mistake', '--', '-20'];
    assert.equal((await runCli(taken, asAdmin())).stdout, '10 credits\n');
    assert.equal((await runCli(['users', 'role', email, 'admin'], asAdmin())).code, 0);
    assert.match(
      (await runCli(['users', 'list', email], asAdmin())).stdout,
      /Grace +admin +active +pro +10$/m,
    );
    assert.equal((await runCli(['users', 'role', email, 'user'], asAdmin())).code, 0);

    const reset = await runCli(['users', 'password', email], { ...asAdmin(), input: 'another sentence' });
    assert.equal(reset.code, 0, reset.stderr);
    await tokenOf(server, { email, password: 'another sentence' });
    assert.equal((await runCli(['users', 'ban', email, '--reason', 'spam'], asAdmin())).code, 0);
    assert.match(
      (await runCli(['users', 'show', email], asAdmin())).stdout,
      /^status +banned\nreason +spam$/m,
    );
    assert.equal((await runCli(['users', 'unban', email], asAdmin())).code, 0);
    const audit = await runCli(['users', 'audit', email, '--action', 'user.ban'], asAdmin());
    assert.match(audit.stdout, new RegExp(`user\\.ban +${email} +\\{"reason":"spam"\\}`));
    assert.equal((await runCli(['users', 'delete', email, '--yes'], asAdmin())).code, 0);
    const gone = await runCli(['users', 'show', email], asAdmin());
    assert.equal(gone.code, 3);
    assert.match(gone.stderr, /There is no user/);
  });

  test('workers are listed, drained, quarantined and released, and have tokens', async () => {
    const list = async () =>
      (
        await runJson<{ workers: { id: string; name: string; state: string }[] }>(
          ['workers', 'list'],
          asAdmin(),
        )
      ).json.workers;
    const [worker] = await list();
    assert.ok(worker);
    assert.equal(worker.state, 'ready');
    assert.match((await runCli(['workers', 'list'], asAdmin())).stdout, /^NAME +STATE +KIND +JOBS +MODELS/);
    assert.match((await runCli(['workers', 'show', worker.id], asAdmin())).stdout, /^state +ready$/m);
    const quarantine = ['workers', 'quarantine', worker.id, '--reason', 'smoke'];
    assert.equal((await runCli(quarantine, asAdmin())).code, 0);
    assert.match((await runCli(['workers', 'show', worker.id], asAdmin())).stdout, /^reason +smoke$/m);
    assert.equal((await runCli(['workers', 'release', worker.id], asAdmin())).code, 0);
    assert.equal((await runCli(['workers', 'drain', worker.id, '--yes'], asAdmin())).code, 0);
    assert.equal((await list())[0]?.state, 'draining');
    assert.equal((await runCli(['workers', 'release', worker.id], asAdmin())).code, 0);
    assert.equal((await runCli(['workers', 'demand'], asAdmin())).code, 0);
    const none = await runCli(['workers', 'drain', 'nobody'], asAdmin());
    assert.equal(none.code, 3);
    assert.match(none.stderr, /There is no worker nobody/);

    const args = ['workers', 'tokens', 'create', 'rack 1', '--label', 'gpu', 'fast'];
    const { json } = await runJson<{ id: string; token: string; labels: string[] }>(args, asAdmin());
    assert.deepEqual(json.labels, ['gpu', 'fast']);
    assert.match((await runCli(['workers', 'tokens', 'list'], asAdmin())).stdout, /rack 1 +gpu fast/);
    assert.equal((await runCli(['workers', 'tokens', 'revoke', json.id], asAdmin())).code, 0);
  });

  test('everybody else is refused', async () => {
    const me = await asUser();
    for (const args of [
      ['users', 'list'],
      ['workers', 'list'],
      ['subscriptions', 'show', 'x@example.org'],
    ]) {
      const { code, stdout, stderr } = await runCli(args, me);
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, /^error: /);
    }
  });
});

test('a server that is down has an exit code of its own', async () => {
  const { code, stderr } = await runCli(['keys', 'list', '--url', 'http://127.0.0.1:9', '--key', 'x']);
  assert.equal(code, 4);
  assert.match(stderr, /^error: Cannot reach http:\/\/127\.0\.0\.1:9/);
  assert.equal((await client(server.url).get('/health')).status, 200);
});
