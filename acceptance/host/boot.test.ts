import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin, cookieOf, newKey, newPerson, type Person, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';

const DOORS = ['', '/api'];
const FILE_INFO = ['created', 'modified', 'path', 'size'];

/** What a frontend asks for at its start, and what it gets without having anything. */
const EMPTIES: Readonly<Record<string, unknown>> = {
  '/settings': {},
  '/v2/userdata': [],
  '/extensions': [],
  '/i18n': {},
  '/embeddings': [],
  '/models/checkpoints': [],
  '/experiment/models/loras': [],
  '/workflow_templates': {},
  '/templates/index_logo.json': {},
  '/global_subgraphs': {},
  '/node_replacements': {},
  '/internal/logs': '',
  '/internal/logs/raw': { entries: [], size: { cols: 80, rows: 24 } },
  '/internal/files/input': [],
  '/internal/files/output': [],
  '/internal/files/temp': [],
};

const MISSING = [
  '/models/nope',
  '/models/..%2F..%2Fetc',
  '/experiment/models/nope',
  '/templates/cat.webp',
  '/templates/..%2Findex.json',
];
/** Not even routes. */
const NOWHERE = [
  '/experiment/models/preview/loras/0/cat.safetensors',
  '/view_metadata/loras?filename=cat.safetensors',
  '/global_subgraphs/nope',
];

const OTHERS = [
  '/system_stats',
  '/models',
  '/experiment/models',
  '/internal/folder_paths',
  '/userdata?dir=.',
];
const ONLY_UNDER_API = ['/api/users', '/api/user', '/api/features', '/api/usage'];

onAnyEngine('what a frontend asks for at its start', (server) => {
  let person: Person;
  let caller: Client;
  before(async () => {
    person = await newPerson(server.current);
    caller = client(server.current.url, { bearer: await tokenOf(server.current, person) });
  });
  const all = () => [
    ...DOORS.flatMap((door) => [...Object.keys(EMPTIES), ...MISSING, ...OTHERS].map((path) => door + path)),
    ...ONLY_UNDER_API,
  ];

  test('[HOST-1] [HOST-25] a new account gets the right form with nothing in it, through both doors', async () => {
    for (const door of DOORS) {
      for (const [path, expected] of Object.entries(EMPTIES)) {
        const { status, body, headers } = await caller.get(door + path);
        assert.deepEqual([status, body], [200, expected], door + path);
        assert.match(headers.get('content-type') ?? '', /^application\/json/);
      }
    }
  });

  test('[HOST-26] what is not here gets 404', async () => {
    for (const path of DOORS.flatMap((door) => MISSING.map((one) => door + one))) {
      const { status, body } = await caller.get(path);
      assert.equal(status, 404, path);
      assertShape(body, 'code');
    }
    for (const path of DOORS.flatMap((door) => NOWHERE.map((one) => door + one))) {
      assert.equal((await caller.get(path)).status, 404, path);
    }
  });

  test('[HOST-25] folders of models are named, and all are empty', async () => {
    for (const door of DOORS) {
      const { body: names } = await caller.get<string[]>(`${door}/models`);
      for (const name of ['checkpoints', 'loras', 'vae', 'text_encoders', 'diffusion_models', 'controlnet']) {
        assert.ok(names.includes(name), name);
      }
      for (const name of names) {
        assert.deepEqual((await caller.get(`${door}/models/${name}`)).body, []);
        assert.deepEqual((await caller.get(`${door}/experiment/models/${name}`)).body, []);
      }
      const { body: folders } = await caller.get<unknown[]>(`${door}/experiment/models`);
      assert.deepEqual(
        folders,
        names.map((name) => ({ name, folders: [] })),
      );
      const { body: paths } = await caller.get(`${door}/internal/folder_paths`);
      assert.deepEqual(paths, Object.fromEntries(names.map((name) => [name, []])));
    }
  });

  test('[HOST-25] a subscription to the log is accepted', async () => {
    for (const door of DOORS) {
      const body = { clientId: 'me', enabled: true };
      const { status } = await caller.request('PATCH', `${door}/internal/logs/subscribe`, { body });
      assert.equal(status, 200);
    }
  });

  test('[HOST-2] nothing is answered without a credential', async () => {
    for (const path of all()) {
      const { status, body } = await client(server.current.url).get(path);
      assert.equal(status, 401, path);
      assertShape(body, 'code');
    }
    const wrong = client(server.current.url, { apiKey: 'atelier_wrong' });
    assert.equal((await wrong.get('/settings')).status, 401);
    for (const door of DOORS) {
      for (const [method, path] of [
        ['POST', '/settings'],
        ['POST', '/settings/a'],
        ['POST', '/userdata/a'],
        ['DELETE', '/userdata/a'],
        ['POST', '/userdata/a/move/b'],
        ['PATCH', '/internal/logs/subscribe'],
      ] as const) {
        const { status } = await client(server.current.url).request(method, door + path, { body: {} });
        assert.equal(status, 401, door + path);
      }
    }
  });

  test('[HOST-2] a key, a token and the session cookie are credentials', async () => {
    const { secret } = await newKey(caller);
    const cookie = await cookieOf(server.current, person);
    for (const credential of [{ apiKey: secret }, { bearer: secret }, { cookie }]) {
      const { body } = await client(server.current.url, credential).get('/api/user');
      assert.equal(body['id'], person.id);
    }
    const origin = server.current.url;
    const page = client(server.current.url, { cookie, origin });
    assert.equal((await page.post('/api/settings', { here: true })).status, 200);
    const elsewhere = client(server.current.url, { cookie, origin: 'https://elsewhere.example' });
    assert.equal((await elsewhere.post('/api/settings', { here: false })).status, 403);
    assert.deepEqual((await caller.get('/settings/here')).body, true);
  });

  test('[HOST-2] Comfy-User makes nobody somebody else', async () => {
    const other = await newPerson(server.current);
    const { body } = await caller.get('/api/user', { 'comfy-user': other.id });
    assert.equal(body['id'], person.id);
    await caller.post('/api/settings', { mine: 1 });
    const stranger = client(server.current.url, { bearer: await tokenOf(server.current, other) });
    assert.deepEqual((await stranger.get('/settings', { 'comfy-user': person.id })).body, {});
  });

  test('[HOST-3] there is one user whose things are on the server, and no way to make another', async () => {
    const { body } = await caller.get('/api/users');
    assert.deepEqual(body, { storage: 'server', migrated: true });
    for (const who of [caller, admin(server.current)]) {
      const refused = await who.post<{ message: string }>('/api/users', { username: 'zoe' });
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /administrators/);
    }
    for (const wrong of [{}, [], { username: 5 }]) {
      assert.equal((await caller.post('/api/users', wrong)).status, 400);
    }
  });

  test('[HOST-1] the bare /users is the registry’s, and there is no bare /features', async () => {
    assert.equal((await caller.get('/users')).body['email'], person.email);
    for (const path of ['/features', '/user', '/usage']) assert.equal((await caller.get(path)).status, 404);
  });

  test('[HOST-4] the caller is active', async () => {
    const { status, body } = await caller.get('/api/user');
    assert.deepEqual([status, body], [200, { id: person.id, status: 'active' }]);
  });

  test('[HOST-20] the machine is described in the terms of ComfyUI', async () => {
    interface Stats {
      readonly system: Readonly<Record<string, unknown>>;
      readonly devices: readonly Readonly<Record<string, unknown>>[];
    }
    for (const door of DOORS) {
      const { body } = await caller.get<Stats>(`${door}/system_stats`);
      const { system, devices } = body;
      assert.match(String(system['comfyui_version']), /^\d+\.\d+\.\d+$/);
      assert.match(String(system['required_frontend_version']), /^\d+\.\d+\.\d+$/);
      assert.match(String(system['python_version']), /Atelier on Node\.js \d+/);
      assert.equal(system['embedded_python'], false);
      assert.ok(system['installation_id']);
      assert.ok(Array.isArray(system['argv']));
      assert.ok(Number(system['ram_total']) >= Number(system['ram_free']) && Number(system['ram_free']) > 0);
      for (const name of ['os', 'pytorch_version']) assert.equal(typeof system[name], 'string');
      for (const name of ['installed_templates_version', 'required_templates_version']) {
        assert.ok(name in system);
      }
      const [cpu] = devices;
      assert.deepEqual([devices.length, cpu?.['type'], cpu?.['index']], [1, 'cpu', 0]);
      for (const name of ['vram_total', 'vram_free', 'torch_vram_total', 'torch_vram_free']) {
        assert.equal(typeof cpu?.[name], 'number');
      }
    }
  });

  test('[HOST-21] [HOST-27] the features name what works here, and how many jobs may run', async () => {
    const { body } = await admin(server.current).get('/api/features');
    assert.deepEqual(body, {
      supports_preview_metadata: true,
      supports_model_type_tags: true,
      max_upload_size: 52_428_800,
      extension: { manager: { supports_v4: true } },
      node_replacements: true,
      assets: true,
      asset_deletion_enabled: true,
      partner_run_gate_enabled: false,
      has_editor: false,
      max_concurrent_jobs: 5,
    });
    assert.equal((await caller.get('/api/features')).body['max_concurrent_jobs'], 0);
  });

  test('[HOST-22] a new account uses nothing, and may run what its subscription says', async () => {
    interface Use {
      readonly storage: { readonly used_bytes: number; readonly quota_bytes: number; readonly files: number };
      readonly jobs: object;
    }
    const { body } = await caller.get<Use>('/api/usage');
    assert.deepEqual([body.storage.used_bytes, body.storage.files], [0, 0]);
    assert.ok(body.storage.quota_bytes > 0);
    assert.deepEqual(body.jobs, { waiting: 0, running: 0, max_running: 0 });
    const subscription = { tier: 'creator', status: 'active' };
    await admin(server.current).put(`/admin/users/${person.id}/subscription`, subscription);
    assert.deepEqual((await caller.get<Use>('/api/usage')).body.jobs, {
      waiting: 0,
      running: 0,
      max_running: 3,
    });
  });

  test('[HOST-24] a folder that is none gets 400', async () => {
    for (const door of DOORS) {
      for (const folder of ['models', '..%2Finput', 'Input']) {
        assert.equal((await caller.get(`${door}/internal/files/${folder}`)).status, 400);
      }
    }
  });

  test('[HOST-23] node types are served at both paths, and an unknown one is an empty object', async () => {
    for (const door of DOORS) {
      const { body } = await caller.get<Record<string, { name: string }>>(`${door}/object_info`);
      assert.ok(Object.entries(body).every(([name, info]) => info.name === name));
      const { body: one } = await caller.get(`${door}/object_info/LoadImage`);
      assert.deepEqual(one, { LoadImage: body['LoadImage'] });
      assert.deepEqual((await caller.get(`${door}/object_info/toString`)).body, {});
      const { status, body: refusal } = await client(server.current.url).get(`${door}/object_info`);
      assert.equal(status, 401);
      assertShape(refusal, 'code');
    }
  });

  test('[HOST-1] what is written through one door is read through the other', async () => {
    await caller.post('/api/settings', { door: 'api' });
    assert.equal((await caller.get('/settings/door')).body, 'api');
    const { body } = await caller.request('POST', '/userdata/doors%2Fa?full_info=true', { body: 'x' });
    assert.deepEqual(Object.keys(body).toSorted(), FILE_INFO);
    assert.deepEqual((await caller.get('/api/userdata?dir=doors')).body, ['a']);
  });
});
