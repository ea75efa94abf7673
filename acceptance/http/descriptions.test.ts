import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '@atelier/testing';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Browser } from 'playwright-core';

import { OTHER_NAME, startBrowser } from '../support/browser.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';

interface Described {
  readonly schema?: {
    readonly format?: string;
    readonly pattern?: string;
    readonly anyOf?: readonly { readonly pattern?: string }[];
  };
  readonly example?: unknown;
}

type Content = Readonly<Record<string, Described>>;

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Described & {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
  })[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
}

interface Description {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

/** Every promise of the foundation that has a route. */
const PROMISED = [
  'GET /health',
  'GET /metrics',
  'GET /openapi',
  'GET /.well-known/jwks.json',
  'POST /auth/token',
  'POST /auth/session',
  'DELETE /auth/session',
  'GET /customers/api-keys',
  'POST /customers/api-keys',
  'DELETE /customers/api-keys/{}',
  'POST /admin/users',
  'GET /admin/users',
  'PUT /admin/users/{}/subscription',
  'POST /admin/users/{}/credits',
  'POST /admin/users/{}/ban',
  'POST /admin/users/{}/unban',
];

let browser: Browser | undefined;
after(async () => await browser?.close());

onEachEngine('descriptions', (server) => {
  const read = async (path: string) => (await client(server.current.url).get<Description>(path)).body;

  test('areas A and B are described in OpenAPI 3.0.2, version 1.0', async () => {
    const { openapi, info } = await read('/openapi');
    assert.equal(openapi, '3.0.2');
    assert.equal(info.version, '1.0');
  });

  test('the workflow API is described in OpenAPI 3.1', async () => {
    const { openapi } = await read('/api/openapi.json');
    assert.match(openapi, /^3\.1\.\d$/);
  });

  test('each description has its own area', async () => {
    const isCloud = (path: string) => path === '/api' || path.startsWith('/api/') || path === '/ws';
    assert.equal(Object.keys((await read('/openapi')).paths).some(isCloud), false);
    assert.equal(Object.keys((await read('/api/openapi.json')).paths).every(isCloud), true);
  });

  test('every promised route is described', async () => {
    const described = new Set<string>();
    for (const [path, methods] of Object.entries((await read('/openapi')).paths)) {
      for (const method of Object.keys(methods)) {
        described.add(`${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`);
      }
    }
    for (const route of PROMISED) assert.ok(described.has(route), route);
  });

  for (const address of ['/openapi', '/api/openapi.json']) {
    test(`every operation of ${address} has an id of its own, tags, a summary and answers`, async () => {
      const { paths, tags } = await read(address);
      const known = new Set(tags.map(({ name }) => name));
      const ids = new Set<string>();
      for (const [path, methods] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          const where = `${method} ${path}`;
          const { operationId = '', responses = {} } = operation;
          assert.match(operationId, /^[a-z][\w.]*$/i, where);
          assert.equal(ids.has(operationId), false, `${operationId} names two operations`);
          ids.add(operationId);
          assert.ok(operation.summary, where);
          assert.ok(operation.description, `${where} has no description`);
          assert.ok(operation.tags?.length, where);
          for (const tag of operation.tags)
            assert.ok(known.has(tag), `${where}: the tag ${tag} is not described`);
          assert.ok(
            Object.keys(responses).some((status) => /^(?:101|[23]\d\d)$/.test(status)),
            `${where} never succeeds`,
          );
          for (const [status, { description }] of Object.entries(responses)) {
            assert.ok(description, `${where} ${status} has no description`);
          }
        }
      }
    });

    test(`every parameter, body and good answer of ${address} has an example that its schema accepts`, async () => {
      const document = await read(address);
      const ajv = new Ajv({ strict: false, schemas: { document } });
      addFormats.default(ajv);
      let count = 0;
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          for (const [place, { schema, example }] of describedValues(operation)) {
            if (schema?.format === 'binary') continue;
            const where = `${method} ${path} ${place}`;
            assert.notEqual(example, undefined, `${where} has no example`);
            assert.doesNotMatch(
              JSON.stringify(example),
              /"<[^"]*>"/,
              `${where}: add values to example-values.ts`,
            );
            const $ref = `document#/paths/${pointer(path)}/${method}/${place}/schema`;
            const isValid = ajv.compile({ $ref });
            assert.ok(isValid(example), `${where}: ${ajv.errorsText(isValid.errors)}`);
            count += 1;
          }
        }
      }
      assert.ok(count > 100, `only ${count}`);
    });

    test(`${address} is whole: references lead somewhere, parameters are declared, schemes exist`, async () => {
      const description = await read(address);
      for (const reference of referencesIn(description)) {
        assert.ok(resolve(description, reference) !== undefined, reference);
      }
      for (const [path, methods] of Object.entries(description.paths)) {
        const wanted = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name).toSorted();
        for (const [method, { parameters = [], security = [], responses = {} }] of Object.entries(methods)) {
          const declared = parameters.filter((parameter) => parameter.in === 'path');
          assert.deepEqual(declared.map(({ name }) => name).toSorted(), wanted, `${method} ${path}`);
          assert.ok(declared.every(({ required }) => required === true));
          for (const scheme of security.flatMap((entry) => Object.keys(entry))) {
            assert.ok(scheme in description.components.securitySchemes, `${method} ${path}: ${scheme}`);
          }
          assert.equal(security.length > 0 && !('401' in responses), false, `${method} ${path} has no 401`);
        }
      }
    });
  }

  test('a value is accepted exactly where its described pattern accepts it', async () => {
    const api = admin(server.current);
    for (const [address, path, name, values] of [
      ['/openapi', '/nodes', 'sort', ['id', 'downloads;desc', 'downloads;up', 'hue', '']],
      [
        '/openapi',
        '/nodes/{nodeId}/install',
        'version',
        ['1.2.3', 'v2', '1.2.3-rc.1', 'newest', '1..2', '01.2'],
      ],
      ['/api/openapi.json', '/api/jobs', 'status', ['pending', 'failed, completed', '', 'done', 'failed,']],
      [
        '/api/openapi.json',
        '/api/assets/hash/{hash}',
        'hash',
        [`blake3:${'a'.repeat(64)}`, 'blake3:a', 'sea'],
      ],
    ] as const) {
      const parameters = (await read(address)).paths[path]?.['get']?.parameters ?? [];
      const { schema } = parameters.find((parameter) => parameter.name === name) ?? {};
      const pattern = schema?.pattern ?? schema?.anyOf?.[0]?.pattern;
      assert.ok(pattern, `${path} ${name} has no pattern`);
      for (const value of values) {
        const isParameter = path.includes(`{${name}}`);
        const filled = path.replace(`{${name}}`, encodeURIComponent(value)).replace('{nodeId}', 'none');
        const query = isParameter ? '' : `?${name}=${encodeURIComponent(value)}`;
        const { status } = await api.get(filled + query);
        assert.equal(status === 400, !new RegExp(pattern, 'u').test(value), `${filled}${query}: ${status}`);
      }
    }
  });

  test('members that may be null are described so, and every operation tells of headers that are too large', async () => {
    const api = admin(server.current);
    for (const path of ['/api/queue', '/api/history']) {
      assert.equal((await api.post(path, { delete: null })).status, 200);
    }
    const { paths: cloud, components: of31 } = await read('/api/openapi.json');
    const { paths: service, components: of30 } = await read('/openapi');
    assert.deepEqual(memberOf(of31.schemas?.['QueueChange'], 'delete')?.type, ['array', 'null']);
    assert.equal(memberOf(of30.schemas?.['HistoryChange'], 'delete')?.nullable, true);
    for (const methods of [...Object.values(cloud), ...Object.values(service)]) {
      for (const { operationId, responses = {} } of Object.values(methods)) {
        assert.ok('431' in responses, operationId ?? '');
      }
    }
    const large = await client(server.current.url, { apiKey: 'a'.repeat(20_000) }).get('/customers/me');
    assert.equal(large.status, 431);
  });

  test('a description is JSON that may be read without a credential', async () => {
    for (const address of ['/openapi', '/api/openapi.json']) {
      const { status, headers } = await client(server.current.url).get(address);
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
    }
  });

  // Browsers treat a loopback address better than other names, so both are tried: one on each engine saves time.
  const where = server.engine === 'sqlite' ? 'its address' : 'a name';
  test(`the reference page works in a browser under ${where}, without anything from outside`, async () => {
    const url = new URL(server.current.url);
    if (where === 'a name') url.hostname = OTHER_NAME;
    await using folder = await temporaryFolder();
    browser ??= await startBrowser();
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    const requested = new Set<string>();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => requested.add(request.url()));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });

    await page.goto(`${url.origin}/docs`);
    await page.getByRole('heading', { name: /workflow cloud/i }).waitFor();
    const isAuthorized = page.locator('.auth-wrapper .authorize.locked');
    await page.locator('.auth-wrapper .authorize').click();
    const keyForm = page.locator('.auth-container', { hasText: 'X-API-Key' });
    await keyForm.locator('input').fill('a-key');
    await keyForm.getByRole('button', { name: 'Apply' }).click();
    await keyForm.getByRole('button', { name: 'Close' }).click();
    await isAuthorized.waitFor();
    await page.locator('.topbar select').selectOption({ label: 'Registry and proxy' });
    await page.getByRole('heading', { name: /registry and generation/i }).waitFor();
    // The key is kept in the other document.
    await isAuthorized.waitFor();
    await page.screenshot({ path: join(folder.path, 'docs.png') });
    assert.ok((await stat(join(folder.path, 'docs.png'))).size > 10_000, 'the page is empty');

    await page.getByText('Submit a workflow').first().click();
    await page.getByText('filename_prefix').first().waitFor();
    await page.close();

    const outside = [...requested].filter(
      (address) => /^(https?|wss?):/.test(address) && new URL(address).origin !== url.origin,
    );
    assert.deepEqual(outside, []);
    assert.deepEqual(complaints, []);
  });

  test('the root answers 200 with a page that leads to the reference', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await client(server.current.url).request<string>(method, '/');
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^text\/html/);
      if (method === 'GET') assert.match(body, /href="\/docs\/"/);
    }
  });
});

/** What has a schema, with its place below the operation. */
function describedValues({ parameters = [], requestBody, responses = {} }: Operation): [string, Described][] {
  const inContent = (place: string, content: Content = {}) =>
    Object.entries(content).map(([type, value]): [string, Described] => [
      `${place}/content/${pointer(type)}`,
      value,
    ]);
  return [
    ...parameters.map((parameter, index): [string, Described] => [`parameters/${index}`, parameter]),
    ...inContent('requestBody', requestBody?.content),
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content }]) => inContent(`responses/${status}`, content)),
  ];
}

function memberOf(schema: unknown, name: string): { type?: unknown; nullable?: boolean } | undefined {
  return (schema as { properties?: Record<string, object> } | undefined)?.properties?.[name];
}

function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : referencesIn(member),
  );
}

function resolve(document: unknown, reference: string): unknown {
  assert.match(reference, /^#\//);
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}
