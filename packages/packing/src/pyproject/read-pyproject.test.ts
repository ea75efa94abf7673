import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { makeFolder, PYPROJECT } from '../test/make-folder.ts';
import { readPyproject } from './read-pyproject.ts';

async function read(pyproject: string, files: Readonly<Record<string, string>> = {}) {
  await using folder = await makeFolder({ ...files, 'pyproject.toml': pyproject });
  return await readPyproject(folder.path);
}

const changed = (from: string | RegExp, to: string) => PYPROJECT.replace(from, to);

describe('pyproject.toml', () => {
  it('[PACK-8] is read into the fields of a publish', async () => {
    const support = {
      supported_os: ['OS Independent'],
      supported_accelerators: ['GPU :: NVIDIA CUDA'],
      supported_comfyui_version: '>=0.3.0',
      supported_comfyui_frontend_version: '>=1.20.0',
    };
    assert.deepEqual(await read(PYPROJECT), {
      publisherId: 'acme',
      nodeId: 'acme-blur',
      node: {
        name: 'Acme Blur',
        description: 'Blurs pictures.',
        icon: 'https://example.org/icon.png',
        banner_url: '',
        license: '{"file":"LICENSE"}',
        repository: 'https://example.org/acme/blur',
        ...support,
      },
      nodeVersion: { version: '1.2.0', dependencies: ['numpy'], ...support },
      includes: [],
      warnings: [],
    });
  });

  it('may begin with a byte order mark, have Windows line ends and numbers of any size', async () => {
    const text = `\u{FEFF}${PYPROJECT}\n[tool.other]\nn = 99999999999999999999\n`.replaceAll('\n', '\r\n');
    assert.equal((await read(text)).nodeId, 'acme-blur');
  });

  it('may have a license as a plain text, or none', async () => {
    const withLicense = (line: string) => read(changed(/license = .*\n/, line));
    assert.equal((await withLicense('license = "MIT"\n')).node.license, '{"text":"MIT"}');
    assert.equal((await withLicense('')).node.license, '{}');
  });

  it('[PACK-9] may leave the version to a line of a file that it names', async () => {
    const dynamic = changed('version = "1.2.0"', 'dynamic = ["version"]');
    const named = `${dynamic}[tool.comfy.version]\npath = "src/_version.py"\n`;
    const version = async (source: string) =>
      (await read(named, { 'src/_version.py': source })).nodeVersion.version;
    assert.equal(await version('# x\n__version__: str = "2.0.1"  # now\n'), '2.0.1');
    assert.equal(await version("VERSION = '2.0.2'\r\n"), '2.0.2');
    await assert.rejects(version('__version__ = "2." "0"\n'), /"src\/_version.py" has no line such as/);
    await assert.rejects(read(dynamic), /tool\.comfy\.version\.path is missing/);
    await assert.rejects(read(named), /names "src\/_version.py", which does not exist/);
    await assert.rejects(
      read(named.replace('src/_version.py', '../../etc/passwd')),
      /is a link that leads out of the folder|does not exist/,
    );
  });

  it('[PACK-10] gets warnings for what the registry could not use', async () => {
    const { node, warnings } = await read(
      changed('OS Independent"', 'OS Independent", "Environment :: Console"').replace('>=0.3.0', 'newest'),
    );
    assert.deepEqual(node.supported_accelerators, ['GPU :: NVIDIA CUDA']);
    assert.equal(node.supported_comfyui_version, '');
    assert.equal(warnings.length, 2);
    assert.match(warnings.join('\n'), /"Environment :: Console"[^]*requires-comfyui is "newest"/);
  });

  const wrong: readonly (readonly [what: string, text: string, sentence: RegExp])[] = [
    ['broken TOML', 'a = = 1\n', /^pyproject\.toml is not valid TOML: line 1: .+\. Correct that line\.$/],
    [
      'no name',
      changed(/name = .*\n/, ''),
      /project\.name is missing\. Add name = "my-pack" under \[project\]/,
    ],
    ['no version', changed(/version = .*\n/, ''), /project\.version is missing/],
    [
      'no publisher',
      changed(/PublisherId.*\n/, ''),
      /tool\.comfy\.PublisherId is missing\. .* \[tool\.comfy\]/,
    ],
    ['a table that is none', 'project = 5\n', /project must be a table/],
    ['a number for a text', changed('"1.2.0"', '1.2'), /project\.version must be a text in quotes/],
    [
      'a text for a list',
      changed('["numpy", ', '"numpy" # ['),
      /project\.dependencies must be a list of texts/,
    ],
    [
      'a bad id',
      changed('acme-blur', 'acme blur'),
      /project\.name is "acme blur"\. The id of a pack has 1 to 100/,
    ],
    ['a reserved id', changed('acme-blur', 'Search'), /is not "search" or "export"/],
    [
      'a bad publisher',
      changed('"acme"', '"Acme"'),
      /PublisherId is "Acme"\. A publisher id must be lower-case/,
    ],
    [
      'a bad version',
      changed('1.2.0', 'one'),
      /project\.version is "one"\. It must be a semantic version such as/,
    ],
    ['two lines for a name', changed('Acme Blur', 'a\\nb'), /DisplayName is "a.b"\. A name is one line/],
    [
      'a bad link',
      changed('https://example.org/icon', 'file:///x'),
      /tool\.comfy\.Icon .* must be an address/,
    ],
    ['a long text', changed('Blurs', 'B'.repeat(1001)), /project\.description is "B+…"\. It must not .*1000/],
    [
      'a bad license',
      changed(/license = .*/, 'license = 5'),
      /project\.license must be a text such as "MIT"/,
    ],
  ];
  for (const [what, text, sentence] of wrong) {
    it(`[PACK-10] is refused in one sentence: ${what}`, async () => {
      await assert.rejects(read(text), { name: 'PackError', message: sentence });
    });
  }
});
