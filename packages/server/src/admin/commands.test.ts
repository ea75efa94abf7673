import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { type AdminCommand, BadUse } from './command.ts';

const signal = new AbortController().signal;
const readConfig = () => assert.fail('the settings are not needed to see that');

async function load(name: string): Promise<AdminCommand> {
  const [command] = Object.values(await import(`./commands/${name}.command.ts`)) as AdminCommand[];
  return command ?? assert.fail(`${name} has no command`);
}

describe('commands for operators', () => {
  it('[ADM-19] have help in sentences', async () => {
    const files = globSync('*.command.ts', { cwd: join(import.meta.dirname, 'commands') });
    assert.ok(files.length >= 15);
    for (const file of files) {
      const { usage, help } = await load(file.replace('.command.ts', ''));
      assert.match(help, /^[A-Z][\s\S]+\.$/, file);
      assert.match(usage, /^(\[?[A-Z-]|$)/, file);
    }
  });

  const reason = ['--reason', 'x'];
  const wrong: readonly (readonly [name: string, args: readonly string[], sentence: RegExp])[] = [
    ['delete-user', ['a@example.org', '--force'], /^Unknown option '--force'\. See --help\.$/],
    ['delete-user', [], /^USER is missing\./],
    ['list-users', ['a', 'b'], /^There is one argument too many: b\./],
    ['list-users', ['--limit', '0'], /^--limit must be an integer/],
    ['list-jobs', ['--user'], /argument missing/],
    ['list-audit', ['--actor', 'somebody'], /^--actor is user:ID/],
    ['list-audit', ['--action', 'bogus'], /^--action is a name such as user\.ban/],
    ['rotate-key', ['toString', '--yes'], /^There is no key toString\./],
    ['rotate-key', ['webhook-secret', '--yes'], /^--user goes with webhook-secret/],
    ['cancel-jobs', ['--yes'], /^Give the id of a job, or --user/],
    ['cancel-jobs', ['a', '--user', 'b', '--yes'], /^Give the id of a job, or --user/],
    ['ban-user', ['a@example.org', '--yes'], /^--reason is missing\./],
    ['change-credits', ['a@example.org', '1'], /^--reason is missing\./],
    ['change-credits', ['a@example.org', ...reason], /^AMOUNT is missing\./],
    ...['0', '-0', '1e99', '0.5', 'x', '99999999999999999999', '-1x'].map(
      (amount) =>
        ['change-credits', ['a@example.org', amount, ...reason], /^AMOUNT is a whole number/] as const,
    ),
  ];
  for (const [name, args, sentence] of wrong) {
    it(`[ADM-19] refuse wrong use with a sentence: ${name} ${args.join(' ')}`, async () => {
      const command = await load(name);
      await assert.rejects(command.run({ args: [...args], readConfig, signal }), (error) => {
        assert.ok(error instanceof BadUse, String(error));
        assert.match(error.message, sentence);
        return true;
      });
    });
  }
});
