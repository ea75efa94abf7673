import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { before, describe, test } from 'node:test';

import { runCli } from '../support/cli.ts';

const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

describe('atelier completion', () => {
  const scripts: Record<string, string> = {};
  before(async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      scripts[shell] = (await runCli(['completion', shell])).stdout;
  });

  /** What bash would offer for the last of these words. */
  const offered = (...words: string[]): string[] => {
    const ask = `${scripts['bash']}
COMP_WORDS=(atelier "$@"); COMP_CWORD=$#; COMPREPLY=(); _atelier; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', ask, 'bash', ...words], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean);
  };

  test('offers commands, subcommands, options and their values in bash', { skip: !has('bash') }, () => {
    assert.deepEqual(offered('lo'), ['login', 'logout']);
    assert.deepEqual(offered('profiles', 're'), ['rename', 'remove']);
    assert.deepEqual(offered('login', '--de'), ['--device']);
    assert.deepEqual(offered('jobs', '--status', 'c'), ['completed', 'cancelled']);
    assert.deepEqual(offered('completion', ''), ['bash', 'zsh', 'fish']);
    // The value of an option is no command.
    assert.deepEqual(offered('--profile', 'run', 'job'), ['jobs', 'job']);
    // What the program does not know is left to the names of files.
    assert.deepEqual(offered('run', ''), []);
    assert.deepEqual(offered('run', 'workflow.json', 'lo'), []);
    assert.deepEqual(offered('run', '--out', ''), []);
  });

  for (const [shell, args] of [
    ['bash', ['-n']],
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const)
    test(`is a script that ${shell} can read`, { skip: !has(shell) }, () => {
      execFileSync(shell, args, { input: scripts[shell] ?? '' });
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
