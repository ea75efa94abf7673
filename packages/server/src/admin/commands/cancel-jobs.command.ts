import type { AdminJobPage } from '@atelier/contracts';

import { type AdminCommand, BadUse, say } from '../command.ts';
import { listRows } from '../lists.ts';
import { type Operator, withOperator } from '../operator.ts';
import { readArgs } from '../read-args.ts';
import { confirm, plain, YES } from '../terminal.ts';
import { findUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'JOB | --user USER [--yes]',
  help: 'Cancels a job of any user, or all jobs of a user that wait and run. What runs is stopped.',
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['JOB?'], { user: { type: 'string' }, ...YES });
    const [job] = positionals;
    const { user: name, yes } = values;
    if ((job === undefined) === (name === undefined))
      throw new BadUse('Give the id of a job, or --user with a user. See --help.');
    await withOperator(options, async (operator) => {
      if (name === undefined) {
        await confirm(`Cancel job ${plain(job ?? '')}?`, yes, options.signal);
        const hasCancelled = await cancel(operator, job ?? '');
        return say(hasCancelled ? 'The job is cancelled.' : 'The job had ended before.');
      }
      const user = await findUser(operator, name);
      await confirm(`Cancel all jobs of ${plain(user.email)}?`, yes, options.signal);
      let count = 0;
      const filter = { user_id: user.id, status: 'pending,in_progress' };
      const open = listRows<AdminJobPage['jobs'][number]>(operator, '/admin/jobs', 'jobs', filter);
      // All are listed first: cancelling moves them.
      for (const { id } of await Array.fromAsync(open)) if (await cancel(operator, id)) count += 1;
      say(`Cancelled ${count} jobs of ${plain(user.email)}.`);
    });
  },
};

async function cancel(operator: Operator, id: string): Promise<boolean> {
  const path = `/admin/jobs/${encodeURIComponent(id)}/cancel`;
  return (await operator.call<{ readonly cancelled: boolean }>('POST', path)).cancelled;
}
