import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { before, describe, test } from 'node:test';
import { startServer } from '@atelier/testing';

const ROOT = join(import.meta.dirname, '..');
const TABLE = join(import.meta.dirname, 'COVERAGE.md');
const DESCRIPTIONS = ['/openapi', '/api/openapi.json'];
const TEST_TITLE = /\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;
const QUOTED_RULE = /\[([A-Z]+-\d+)\]/g;
const RULE = /^- \*\*([A-Z]+-\d+)\*\*/gm;

interface Row {
  readonly route: string;
  readonly files: readonly string[];
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const files = (...patterns: readonly string[]) => globSync([...patterns], { cwd: ROOT }).toSorted();

/** Rows of the table: `| route | file, file |`, each in backticks. */
function rowsOfTable(): Row[] {
  const rows = [...readFileSync(TABLE, 'utf8').matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(
    ([, route = '', named = '']) => ({
      route: route.replaceAll('`', '').trim(),
      files: named.split(',').map((file) => file.replaceAll('`', '').trim()),
    }),
  );
  return rows.filter(({ route }) => route.includes(' /'));
}

async function describedRoutes(): Promise<string[]> {
  await using server = await startServer();
  const routes: string[] = [];
  for (const address of DESCRIPTIONS) {
    const answer = await fetch(server.url + address);
    const { paths } = (await answer.json()) as { paths: Record<string, object> };
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) routes.push(`${method.toUpperCase()} ${path}`);
    }
  }
  return routes;
}

/** The text of a test together with that of the support it imports. */
function textOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = read(file);
  const imported = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
    relative(ROOT, join(ROOT, dirname(file), path)),
  );
  return text + imported.map((one) => textOf(one, seen)).join('\n');
}

function quotesByFile(): Map<string, Set<string>> {
  const quotes = new Map<string, Set<string>>();
  for (const file of files('acceptance/**/*.test.ts', 'packages/*/{src,test}/**/*.test.ts')) {
    const titles = [...read(file).matchAll(TEST_TITLE)].map(([, , title = '']) => title);
    const ids = titles.flatMap((title) => [...title.matchAll(QUOTED_RULE)].map(([, id = '']) => id));
    if (ids.length > 0) quotes.set(file, new Set(ids));
  }
  return quotes;
}

/** Acceptance tests are named from their own folder, others from the root. */
function toPath(file: string): string {
  return file.startsWith('packages/') ? file : `acceptance/${file}`;
}

const rules = files('docs/rules/*.md').flatMap((file) =>
  [...read(file).matchAll(RULE)].map(([, id = '']) => id),
);

describe('routes', () => {
  const rows = rowsOfTable();
  let described: readonly string[] = [];
  before(async () => {
    described = await describedRoutes();
  });

  test('every route that the server describes has its tests in COVERAGE.md', () => {
    assert.ok(described.length > 0);
    const covered = new Set(rows.map(({ route }) => route));
    assert.deepEqual(
      described.filter((route) => !covered.has(route)),
      [],
    );
  });

  test('COVERAGE.md has no route that the server does not describe, and none twice', () => {
    const known = new Set(described);
    const subjects = rows.map(({ route }) => route);
    assert.deepEqual(
      subjects.filter((route) => !known.has(route)),
      [],
    );
    assert.equal(new Set(subjects).size, subjects.length);
  });

  test('every file that is named for a route is a test, and speaks of every word of its path', () => {
    const tests = new Set(files('acceptance/**/*.test.ts', 'packages/*/{src,test}/**/*.test.ts'));
    for (const { route, files: named } of rows) {
      const [, path = ''] = route.split(' ', 2);
      const words = path.split('/').filter((word) => word !== '' && !word.startsWith('{'));
      for (const file of named.map(toPath)) {
        assert.ok(tests.has(file), `${route}: there is no test ${file}`);
        const text = textOf(file);
        for (const word of words) assert.ok(text.includes(word), `${file} does not speak of ${route}`);
      }
    }
  });
});

describe('rules', () => {
  const quotes = quotesByFile();

  test('every rule has an id of its own', () => {
    assert.ok(rules.length > 0);
    assert.deepEqual(
      rules.filter((id, index) => rules.indexOf(id) !== index),
      [],
    );
  });

  test('every rule is quoted by a test', () => {
    const quoted = new Set([...quotes.values()].flatMap((ids) => [...ids]));
    assert.deepEqual(
      rules.filter((id) => !quoted.has(id)),
      [],
    );
  });

  test('every rule that a test quotes exists', () => {
    const known = new Set(rules);
    for (const [file, ids] of quotes) {
      assert.deepEqual(
        [...ids].filter((id) => !known.has(id)),
        [],
        file,
      );
    }
  });
});
