import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { ROOT } from './run-command.ts';

interface Locked {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

describe('package-lock.json', () => {
  // npm leaves out what its registry does not have, and `npm ci` then refuses the file.
  it('has an entry for every optional package, so that npm ci works on every platform', () => {
    for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
      for (const name of Object.keys(optionalDependencies)) {
        const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
        assert.ok(
          places.some((place) => place in packages),
          `${name}, wanted by ${path}, is missing`,
        );
      }
    }
  });

  it('names no download addresses', () => {
    for (const [path, { resolved, link }] of Object.entries(packages)) {
      assert.ok(resolved === undefined || link, path);
    }
  });
});
