import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { ROOT } from './run-command.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

/** Where Node finds a package: beside the one that wants it, or in a folder above. */
function placeOf(name: string, wantedBy: string): string | undefined {
  const parts = wantedBy.split('/node_modules/');
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'))
    .map((folder) => `${folder}/node_modules/${name}`)
    .concat(`node_modules/${name}`)
    .find((place) => place in packages);
}

describe('package-lock.json', () => {
  // npm leaves out what its registry does not have, and `npm ci` then refuses the file.
  it('has an entry for every optional package, so that npm ci works on every platform', () => {
    for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
      for (const [name, version] of Object.entries(optionalDependencies)) {
        const found = packages[placeOf(name, path) ?? ''];
        assert.ok(found, `${name}, wanted by ${path}, is missing`);
        // Platform packages are asked for by exact version.
        if (/^\d/.test(version)) assert.equal(found.version, version, `${name}, wanted by ${path}`);
      }
    }
  });

  it('names no download addresses', () => {
    for (const [path, { resolved, link }] of Object.entries(packages)) {
      assert.ok(resolved === undefined || link, path);
    }
  });
});
