import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { finish, newSubmitter, setTier, statusOf, submit } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { filesWith } from '../support/files-with.ts';
import { HOLDING, runHeld, submitHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { measure } from '../support/metrics.ts';
import { admin, newKey, newPerson, tokenOf } from '../support/people.ts';
import { newName, newStudio, newToken, publish, publishActive } from '../support/registry-publishing.ts';
import { onEachEngine } from '../support/servers.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

interface AdminJob {
  readonly id: string;
  readonly number: number;
  readonly user: { readonly id: string; readonly email: string };
  readonly status: string;
  readonly error_message?: string;
}

interface AdminJobPage {
  readonly jobs: readonly AdminJob[];
  readonly next_before?: number;
}

onEachEngine(
  'administrators',
  (server) => {
    const root = () => admin(server.current);
    const list = async (query: string) => (await root().get<AdminJobPage>(`/admin/jobs?${query}`)).body;
    const open = async () => {
      const measured = await measure(server.current.url);
      return ['waiting', 'running'].map((state) => measured.of('atelier_jobs', { state }));
    };

    test('[ADM-1] see the jobs of all users, newest first, by user, by state and page by page', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const done = await finish(ada.api, textWorkflow());
      const failed = await finish(ada.api, failingWorkflow());
      const held = await runHeld(server.current, bob.api);
      const three = [held.prompt_id, failed.prompt_id, done.prompt_id];

      const page = await list('limit=3');
      assert.deepEqual(
        page.jobs.map(({ id }) => id),
        three,
      );
      const seen: string[] = [];
      for (let before: number | undefined; seen.length < 3; ) {
        const one = await list(`limit=1${before === undefined ? '' : `&before=${before}`}`);
        seen.push(...one.jobs.map(({ id }) => id));
        before = one.next_before;
      }
      assert.deepEqual(seen, three);

      const ofAda = await list(`user_id=${ada.id}`);
      assert.deepEqual(
        ofAda.jobs.map(({ status, user }) => [status, user.id]),
        [
          ['failed', ada.id],
          ['completed', ada.id],
        ],
      );
      assert.match(ofAda.jobs[0]?.error_message ?? '', /\S/);
      assert.match(ofAda.jobs[0]?.user.email ?? '', /@example\.org$/);
      const running = await list('status=pending,in_progress');
      assert.deepEqual(
        running.jobs.map(({ id }) => id),
        [held.prompt_id],
      );
      assert.deepEqual((await list(`user_id=${bob.id}&status=completed`)).jobs, []);
      for (const bad of ['status=done', 'status=pending,', 'limit=0', 'before=x']) {
        assert.equal((await root().get(`/admin/jobs?${bad}`)).status, 400, bad);
      }
      assert.equal((await ada.api.get('/admin/jobs')).status, 403);
      assert.equal((await client(server.current.url).get('/admin/jobs')).status, 401);
      await bob.api.post(`/api/jobs/${held.prompt_id}/cancel`);
    });

    test('[ADM-2] [ADM-20] cancel a job of any user, which is noted once and not for users', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const held = await runHeld(server.current, ada.api);
      const path = `/admin/jobs/${held.prompt_id}/cancel`;
      assert.equal((await bob.api.post(path)).status, 403);
      assert.equal(await statusOf(ada.api, held.prompt_id), 'in_progress');
      assert.deepEqual((await root().post(path)).body, { cancelled: true });
      assert.equal(await statusOf(ada.api, held.prompt_id), 'cancelled');
      assert.deepEqual((await root().post(path)).body, { cancelled: false });
      const { body: audit } = await root().get<{ entries: readonly { subject: string }[] }>(
        `/admin/audit?action=job.cancel&subject=user:${ada.id}`,
      );
      assert.deepEqual(
        audit.entries.map(({ subject }) => subject),
        [`user:${ada.id}/job:${held.prompt_id}`],
      );
      for (const caller of [root(), bob.api]) {
        const { status, body } = await caller.post(`/admin/jobs/${randomUUID()}/cancel`);
        assert.equal(status, 404);
        assertShape(body, 'error');
      }
    });

    test('[ADM-3] [JOB-23] a ban cancels the jobs of the user, waiting and running, and they leave the gauges', async () => {
      const { id, api } = await newSubmitter(server.current, 'standard');
      const held = await runHeld(server.current, api);
      const second = await submitHeld(server.current, api);
      assert.deepEqual(await open(), [1, 1]);
      assert.equal((await root().post(`/admin/users/${id}/ban`, { reason: 'test' })).status, 204);
      assert.deepEqual(await open(), [0, 0]);
      assert.deepEqual(
        (await list(`user_id=${id}`)).jobs.map(({ status }) => status),
        ['cancelled', 'cancelled'],
      );
      await root().post(`/admin/users/${id}/unban`);
      for (const job of [held, second]) assert.equal(await statusOf(api, job.prompt_id), 'cancelled');
      assert.equal((await finish(api, textWorkflow())).status, 'completed');
    });

    test('[ADM-4] find users by a part of their e-mail or name, whatever its case', async () => {
      const word = randomUUID();
      const make = async (email: string, name: string) =>
        (await root().post<{ id: string }>('/admin/users', { email, name, password: 'long enough' })).body.id;
      const byEmail = await make(`Ada.${word}@example.org`, 'somebody');
      const byName = await make(`${randomUUID()}@example.org`, `Ada 100% ${word.toUpperCase()}`);
      const find = async (search: string) => {
        const query = new URLSearchParams({ search });
        const { body } = await root().get<{ total: number; users: { id: string }[] }>(
          `/admin/users?${query}`,
        );
        assert.equal(body.total, body.users.length);
        return body.users.map(({ id }) => id);
      };
      assert.deepEqual(await find(word), [byEmail, byName]);
      assert.deepEqual(await find(` ADA.${word} `), [byEmail]);
      assert.deepEqual(await find(`100% ${word}`), [byName]);
      assert.deepEqual(await find(`ada_${word}`), [], 'a wildcard is a character');
      assert.deepEqual(await find(`%${word}`), []);
    });

    test('[ADM-5] deleting a user deletes everything that is theirs, and frees the e-mail address', async () => {
      const person = await newPerson(server.current);
      const { id, email } = person;
      await setTier(server.current, id, 'standard');
      await root().post(`/admin/users/${id}/credits`, { amount: 50 });
      const bearer = await tokenOf(server.current, person);
      const owner = client(server.current.url, { bearer });
      const { secret } = await newKey(owner);
      const api = client(server.current.url, { apiKey: secret });
      const studio = await newStudio(server.current);
      const nodeId = newName('node');
      await publishActive(server.current, studio, nodeId);
      assert.equal((await owner.post(`/nodes/${nodeId}/reviews?star=2`)).status, 200);
      assert.equal((await owner.post('/publishers', { id: newName(), name: 'empty' })).status, 201);
      await api.get('/webhooks/secret');
      await api.post('/api/settings', { theme: 'dark' });
      const mark = randomUUID();
      const put = await api.post<{ upload_url: string }>('/customers/storage', { file_name: 'a.txt' });
      const upload = await fetch(put.body.upload_url, { method: 'PUT', body: mark });
      assert.ok(upload.ok);
      const text2video = { model: 'clipq1', prompt: 'a lake', off_peak: true };
      assert.equal((await api.post('/proxy/videovendor/text2video', text2video)).status, 200);
      const made = await finish(api, pictureWorkflow());
      const hook = { webhook_url: 'https://93.184.215.14/hook' };
      assert.equal((await finish(api, textWorkflow(mark), hook)).status, 'completed');
      await runHeld(server.current, api);
      await submit(api, textWorkflow());
      assert.ok(existsSync(join(server.current.dataFolder, 'users', id)));

      const path = `/admin/users/${id}`;
      assert.equal((await root().delete(path)).status, 204);
      assert.equal((await root().get(path)).status, 404);
      assert.equal((await root().delete(path)).status, 404);
      for (const caller of [owner, api]) assert.equal((await caller.get('/customers/me')).status, 401);
      assert.deepEqual(await open(), [0, 0]);
      assert.deepEqual((await list(`user_id=${id}`)).jobs, []);
      assert.equal((await root().post(`/admin/jobs/${made.prompt_id}/cancel`)).status, 404);
      const { body: node } = await root().get<{ rating: number }>(`/nodes/${nodeId}`);
      assert.equal(node.rating, 0);
      assert.equal(existsSync(join(server.current.dataFolder, 'users', id)), false);
      assert.deepEqual(await filesWith(join(server.current.dataFolder, 'uploads'), mark), []);
      const again = await root().post('/admin/users', { email, password: 'long enough' });
      assert.equal(again.status, 201);
    });

    test('[ADM-6] the only owner of a publisher with nodes is not deleted, nor is the last administrator', async () => {
      const studio = await newStudio(server.current);
      await publish(server.current, studio, newName('node'));
      const path = `/admin/users/${studio.person.id}`;
      const { status, body } = await root().delete(path);
      assert.equal(status, 409);
      assertShape(body, 'error');
      assert.match(String(body['message']), new RegExp(`"${studio.id}"`));
      assert.equal((await root().get(path)).body['status'], 'active');

      const heir = await newPerson(server.current);
      const member = { email: heir.email, role: 'owner' };
      assert.equal((await studio.owner.post(`/publishers/${studio.id}/members`, member)).status, 201);
      assert.equal((await root().delete(path)).status, 204);
      await newToken(client(server.current.url, { bearer: await tokenOf(server.current, heir) }), studio.id);

      const { body: me } = await root().get('/customers/me');
      assert.equal((await root().delete(`/admin/users/${String(me['id'])}`)).status, 409);
    });

    test('[ADM-7] credits are taken away with a reason, and never below zero', async () => {
      const person = await newPerson(server.current);
      const path = `/admin/users/${person.id}/credits`;
      const change = async (body: object) => await root().post(path, body);
      assert.deepEqual((await change({ amount: 50 })).body, { balance: 50 });
      const correction = { amount: -20, reason: 'charged twice' };
      assert.deepEqual((await change(correction)).body, { balance: 30 });
      for (const bad of [{ amount: 0 }, { amount: -1 }, { amount: -1, reason: ' ' }, { amount: 1.5 }]) {
        const { status, body } = await change(bad);
        assert.equal(status, 400, JSON.stringify(bad));
        assert.doesNotMatch(String(body['message']), /NOT be valid/);
      }
      const tooMuch = await change({ amount: -31, reason: 'all of it' });
      assert.equal(tooMuch.status, 409);
      assert.match(String(tooMuch.body['message']), /has 30 credits/);
      const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
      const { body } = await owner.get<{ balance: number; entries: Record<string, unknown>[] }>(
        '/customers/credits',
      );
      assert.equal(body.balance, 30);
      const { kind, amount, reason } = body.entries[0] ?? {};
      assert.deepEqual({ kind, amount, reason }, { kind: 'correction', ...correction });
    });
  },
  { environment: HOLDING },
);
