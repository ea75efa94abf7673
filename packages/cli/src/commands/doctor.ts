import type { Command } from 'commander';

import type { Context } from '../context.ts';
import type { Finding } from '../doctor/finding.ts';
import { EXIT } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';
import type { WithContext } from '../program.ts';

const HELP = `
The exit code is that of the worst finding: 0 when nothing is broken (warnings too), 1 no worker, 2 wrong settings,
3 the key is refused, 4 the server cannot be reached or does not fit.`;

export function addDoctorCommand(program: Command, withContext: WithContext): void {
  program
    .command('doctor')
    .summary('check the connection to the server, and what to do about it')
    .description(
      'Checks settings, network, server, key, plan and workers. Says what is wrong and what to do.',
    )
    .addHelpText('after', HELP)
    .action(withContext(doctor));
}

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

async function doctor(context: Context): Promise<number> {
  const { output } = context;
  const { examine } = await import('../doctor/examine.ts');
  const findings: Finding[] = [];
  for await (const finding of examine(context)) {
    findings.push(finding);
    if (!output.isJson) output.stdout.write(`${describe(finding)}\n`);
  }
  const exitCode = findings.reduce<number>(
    (worst, one) => Math.max(worst, one.exitCode ?? EXIT.done),
    EXIT.done,
  );
  const checks = findings.map(({ name, status, message, advice, data }) => ({
    ...data,
    name,
    status,
    message,
    advice,
  }));
  if (output.isJson) output.result({ checks, exit_code: exitCode }, () => '');
  return exitCode;

  function describe({ name, status, message, advice }: Finding): string {
    const [color, mark] = MARKS[status];
    const what = `${output.styled(color, mark)} ${name.padEnd(11)} ${plainLine(message)}`;
    return advice === undefined ? what : `${what} ${plainLine(advice)}`;
  }
}
