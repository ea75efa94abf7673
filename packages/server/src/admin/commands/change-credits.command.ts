import { type AdminCommand, BadUse, say } from '../command.ts';
import { readArgs } from '../read-args.ts';
import { plain } from '../terminal.ts';
import { userPath, withUser } from '../users.ts';

export const command: AdminCommand = {
  usage: 'USER AMOUNT --reason TEXT',
  help: 'Adds credits, or takes some away when AMOUNT has a minus sign: change-credits ada@example.com -20 --reason "charged twice". The ledger of the user shows the reason.',
  async run(options) {
    // An argument that begins with a minus sign is an option to every parser.
    const args = options.args.map((arg) => (/^-\d/.test(arg) ? `--minus=${arg}` : arg));
    const given = { reason: { type: 'string' }, minus: { type: 'string' } } as const;
    const { values, positionals } = readArgs(args, ['USER', 'AMOUNT?'], given);
    const amount = readAmount(values.minus ?? positionals[1]);
    const { reason } = values;
    if (!reason?.trim()) throw new BadUse('--reason is missing. See --help.');
    await withUser(options, positionals, async (operator, user) => {
      const path = userPath(user, '/credits');
      const { balance } = await operator.call<{ readonly balance: number }>('POST', path, { amount, reason });
      say(`${plain(user.email)} has ${balance} credits.`);
    });
  },
};

function readAmount(text: string | undefined): number {
  if (text === undefined) throw new BadUse('AMOUNT is missing. See --help.');
  const amount = Number(text);
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(amount) && amount !== 0) return amount;
  throw new BadUse(
    `AMOUNT is a whole number other than 0, from -1000000000 to 1000000000, not ${plain(text)}.`,
  );
}
