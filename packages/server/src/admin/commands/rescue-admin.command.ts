import type { Rescued } from '@atelier/contracts';

import { type AdminCommand, say } from '../command.ts';
import { withOperator } from '../operator.ts';
import { readArgs } from '../read-args.ts';
import { confirm, JSON_OPTION, plain, YES } from '../terminal.ts';

export const command: AdminCommand = {
  usage: '[EMAIL] [--yes] [--json]',
  help: `For when the administrator's password and API key are lost. Prints a new password and a new key, which are shown once. The account is the
one with that e-mail address, or without one the oldest administrator. It becomes an active administrator, and is made where it is missing. Its
sessions and tokens end; older API keys stay good.`,
  async run(options) {
    const { values, positionals } = readArgs(options.args, ['EMAIL?'], { ...YES, ...JSON_OPTION });
    const [email] = positionals;
    const whom = email === undefined ? 'the oldest administrator' : plain(email);
    const question = `Make ${whom} an active administrator with a new password and key?`;
    await confirm(question, values.yes, options.signal);
    const body = email === undefined ? {} : { email };
    const rescued = await withOperator(
      options,
      async (operator) => await operator.call<Rescued>('POST', '/admin/rescue', body),
    );
    if (values.json) return say(JSON.stringify(rescued, null, 2));
    say(`${plain(rescued.email)} is an administrator${rescued.created ? ' and was made now' : ''}.`);
    say(`Password: ${rescued.password}`);
    say(
      rescued.api_key === undefined
        ? 'The account has as many API keys as it may have. Sign in and delete some to make a new one.'
        : `API key: ${rescued.api_key}`,
    );
  },
};
