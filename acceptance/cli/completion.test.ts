import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { before, describe, test } from 'node:test';

import { runCli } from '../support/cli.ts';

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const runScript = (shell: string, options: string[], script: string, args: string[]): string[] =>
  execFileSync(shell, [...options, script, ...args], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);

describe('atelier completion', () => {
  const scripts: Record<string, string> = {};
  before(async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      scripts[shell] = (await runCli(['completion', shell])).stdout;
  });

  /** What a shell would offer for the last of these words. */
  const ask: Record<string, (words: string[]) => string[]> = {
    bash: (words) =>
      runScript(
        'bash',
        ['--norc', '-c'],
        `${scripts['bash']}
COMP_WORDS=(atelier "$@"); COMP_CWORD=$#; COMPREPLY=(); _atelier; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ['bash', ...words],
      ),
    zsh: (words) =>
      runScript(
        'zsh',
        ['-f', '-c'],
        `compdef() { :; }; _files() { :; }; _describe() { print -l -- \${(M)items:#\${words[CURRENT]}*} }
${scripts['zsh']}
words=(atelier "$@"); CURRENT=\${#words}; _atelier`,
        ['zsh', ...words],
      ).map((line) => line.split(':', 1)[0] ?? ''),
    fish: (words) =>
      runScript(
        'fish',
        ['--no-config', '-c'],
        `cd /; ${scripts['fish']}\ncomplete -C ${JSON.stringify(['atelier', ...words].join(' '))}`,
        [],
      )
        .map((line) => line.split('\t', 1)[0] ?? '')
        // It offers files, too, where they may stand.
        .filter((word) => !word.endsWith('/')),
  };

  for (const shell of ['bash', 'zsh', 'fish'])
    test(`offers commands, subcommands, options and their values in ${shell}`, { skip: !has(shell) }, () => {
      const offered = (...words: string[]): string[] => ask[shell]?.(words).sort() ?? [];
      assert.deepEqual(offered('lo'), ['login', 'logout']);
      assert.deepEqual(offered('profiles', 're'), ['remove', 'rename']);
      assert.deepEqual(offered('login', '--de'), ['--device']);
      assert.deepEqual(offered('jobs', '--status', 'c'), ['cancelled', 'completed']);
      assert.deepEqual(offered('completion', ''), ['bash', 'fish', 'zsh']);
      // The value of an option is not a command.
      assert.deepEqual(offered('--profile', 'run', 'job'), ['job', 'jobs']);
      // What the program does not know is left to the names of files.
      assert.deepEqual(offered('run', 'lo'), []);
      assert.deepEqual(offered('run', 'workflow.json', 'lo'), []);
      assert.deepEqual(offered('run', '--out', 'lo'), []);
    });

  test('has every command in each script', async () => {
    const { stdout } = await runCli(['--help']);
    const listed = /\nCommands:\n([\s\S]*?)\n\n/.exec(stdout)?.[1] ?? '';
    const commands = [...listed.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name]) => name ?? '');
    assert.ok(commands.length > 10);
    for (const script of Object.values(scripts))
      for (const name of commands) assert.match(script, new RegExp(`\\b${name}\\b`));
  });

  test('names the shells that it knows', async () => {
    const { code, stderr } = await runCli(['completion', 'tcsh']);
    assert.equal(code, 2);
    assert.match(stderr, /bash, zsh, fish/);
  });
});
