import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startServer } from '@atelier/testing';
import { parseAllDocuments } from 'yaml';

import { measure } from '../support/metrics.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
/** Read by the worker, which has no other setting. */
const OF_WORKER = 'ATELIER_WORKER_TOKEN';

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');

/** The documents of a YAML file, which must have no mistake and no key twice. */
function documents(path: string): unknown[] {
  return parseAllDocuments(read(path)).map((document) => {
    assert.deepEqual(document.errors, [], path);
    assert.deepEqual(document.warnings, [], path);
    return document.toJS() as unknown;
  });
}

function at(tree: unknown, ...path: readonly string[]): unknown {
  return path.reduce((node, key) => (node as Record<string, unknown> | undefined)?.[key], tree);
}

const keysOf = (tree: unknown): string[] => Object.keys(tree ?? {});
const listOf = (tree: unknown): string[] => (Array.isArray(tree) ? tree.map(String) : []);

/** Every value under one of these keys, however deep. */
function valuesOf(tree: unknown, keys: readonly string[]): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) =>
    keys.includes(key) && typeof value === 'string' ? [value] : valuesOf(value, keys),
  );
}

function findKind(kind: string, name: unknown, path = 'kubernetes/server.yaml'): unknown {
  const found = documents(path).find(
    (each) => at(each, 'kind') === kind && at(each, 'metadata', 'name') === name,
  );
  assert.ok(found, `${kind} in ${path}`);
  return found;
}

describe('the files in deploy', () => {
  test('ask for series, labels and values that a server has', async () => {
    await using server = await startServer();
    // Requests are measured once there are some.
    await measure(server.url);
    const { text } = await measure(server.url);
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const queries = [
      ...valuesOf(JSON.parse(read('monitoring/grafana-dashboard.json')), ['expr', 'query']),
      ...documents('monitoring/alerts.yaml').flatMap((each) => valuesOf(each, ['expr'])),
      ...documents('kubernetes/worker-autoscaler.yaml').flatMap((each) => valuesOf(each, ['query'])),
    ];
    assert.ok(queries.length > 50);
    for (const query of queries) {
      for (const [, name = '', matchers = ''] of query.matchAll(
        /\b((?:atelier|process|nodejs)_\w+)(?:\{([^}]*)\})?/g,
      )) {
        const own = series.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
        assert.ok(own.length > 0, `${name} of ${query}`);
        for (const [, label, value] of matchers.matchAll(/(\w+)="(\w+)"/g))
          assert.ok(
            own.some((line) => line.includes(`${label}="${value}"`)),
            `${name} with ${label} ${value}`,
          );
      }
    }
    // The other way round: whatever is measured can be seen.
    const shown = read('monitoring/grafana-dashboard.json');
    for (const [, name = ''] of text.matchAll(/^# TYPE (atelier_\w+)/gm))
      assert.ok(shown.includes(name), name);
  });

  test('ask for paths that answer', async () => {
    await using server = await startServer();
    const pod = findKind('Deployment', 'atelier-server');
    const paths = [
      ...valuesOf(pod, ['path']),
      ...documents('kubernetes/monitoring.yaml').flatMap((each) => valuesOf(each, ['path'])),
      ...[...read('Dockerfile').matchAll(/\+ '(\/\w+)'/g)].map(([, path = '']) => path),
    ];
    assert.deepEqual([...new Set(paths)].toSorted(), ['/health', '/metrics', '/ready', '/version']);
    for (const path of paths) assert.equal((await fetch(server.url + path)).status, 200, path);
  });

  test('use settings that exist', () => {
    const known = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
    const files = globSync(['**/*', '.env.example'], { cwd: DEPLOY, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    assert.ok(files.length > 10);
    for (const file of files)
      for (const [name] of readFileSync(file, 'utf8').matchAll(/\bATELIER_\w+/g))
        assert.ok(name === OF_WORKER || known.includes(`\`${name}\``), `${name} in ${file}`);
  });

  test('start programs that a release has, as a user who is not root', () => {
    const files = ['Dockerfile', 'compose.yaml', ...globSync(['systemd/*', 'kubernetes/*'], { cwd: DEPLOY })];
    const programs = files.flatMap((file) => [
      ...read(file).matchAll(/node_modules\/@atelier\/(server|worker)\/((?:packages\/\w+\/)?start\.js)/g),
    ]);
    assert.ok(programs.length >= 5);
    for (const [, name = '', path = ''] of programs)
      assert.ok(existsSync(join(ROOT, name === 'server' ? path : `packages/${name}/${path}`)), path);
    assert.match(read('Dockerfile'), /^USER 10001:10001$/m);
    assert.match(read('Dockerfile'), /--uid 10001 /);
    for (const file of ['server', 'worker']) {
      const text = read(`kubernetes/${file}.yaml`);
      assert.match(text, /runAsUser: 10001/);
      assert.match(text, /runAsNonRoot: true/);
    }
  });

  test('fit together', () => {
    const settings = Object.fromEntries(
      read('kubernetes/server.env')
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2)),
    ) as Record<string, string>;
    const server = at(findKind('Deployment', 'atelier-server'), 'spec', 'template');
    const needed = Number(settings['ATELIER_DRAIN_SECONDS']) + Number(settings['ATELIER_STOP_SECONDS']) + 5;
    assert.ok(Number(at(server, 'spec', 'terminationGracePeriodSeconds')) > needed);
    const labels = at(server, 'metadata', 'labels');
    assert.deepEqual(at(findKind('Service', 'atelier'), 'spec', 'selector'), labels);
    const budget = findKind('PodDisruptionBudget', 'atelier-server');
    assert.deepEqual(at(budget, 'spec', 'selector', 'matchLabels'), labels);
    const scaled = findKind('ScaledObject', 'atelier-worker', 'kubernetes/worker-autoscaler.yaml');
    findKind('Deployment', at(scaled, 'spec', 'scaleTargetRef', 'name'), 'kubernetes/worker.yaml');
    // Kubernetes would set ATELIER_PORT, for the service of that name.
    for (const name of ['server', 'worker']) {
      const deployment = findKind('Deployment', `atelier-${name}`, `kubernetes/${name}.yaml`);
      assert.equal(at(deployment, 'spec', 'template', 'spec', 'enableServiceLinks'), false);
    }
    const [kustomization] = documents('kubernetes/kustomization.yaml');
    for (const path of listOf(at(kustomization, 'resources'))) assert.ok(documents(`kubernetes/${path}`));

    const [compose] = documents('compose.yaml');
    const services = at(compose, 'services');
    const volumes = keysOf(at(compose, 'volumes'));
    for (const name of keysOf(services)) {
      for (const other of keysOf(at(services, name, 'depends_on')))
        assert.ok(at(services, other, 'healthcheck') ?? other === 'server', `${name} waits for ${other}`);
      for (const mount of listOf(at(services, name, 'volumes')))
        assert.ok(volumes.includes(mount.split(':')[0] ?? ''), `${name}: ${mount}`);
    }
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)(?::-|:\?)/g)].map(([, name = '']) => name);
    const given = read('.env.example');
    for (const name of new Set(asked))
      assert.ok(name === 'ATELIER_RUNNERS' || given.includes(`${name}=`), name);
  });
});
