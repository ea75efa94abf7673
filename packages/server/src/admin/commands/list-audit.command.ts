import type { AuditLog } from '@atelier/contracts';

import { type AdminCommand, BadUse } from '../command.ts';
import { type Operator, withOperator } from '../operator.ts';
import { JSON_OPTION, printRows } from '../print.ts';
import { readArgs } from '../read-args.ts';
import { LIMIT_OPTION, readLimit, take } from '../take.ts';
import { findUser } from '../users.ts';

const MAX_DETAILS = 120;
const ACTOR = /^(server$|(user|operator|token):.)/;
const ACTION = /^[a-z_]+\.[a-z_]+$/;

type Entry = AuditLog['entries'][number];

export const listAuditCommand: AdminCommand = {
  usage: '[--user USER] [--actor ACTOR] [--action ACTION] [--limit COUNT] [--json]',
  help: `Lists who did what to users and in the registry, newest first. USER is whom it was done to, an id for one who is deleted. ACTOR is
user:ID, operator:NAME, token:ID or server; ACTION such as user.ban. 100 entries unless --limit says otherwise.`,
  async run(options) {
    const { values } = readArgs(options.args, [], {
      user: { type: 'string' },
      actor: { type: 'string' },
      action: { type: 'string' },
      ...LIMIT_OPTION,
      ...JSON_OPTION,
    });
    const { user, actor, action } = values;
    if (actor !== undefined && !ACTOR.test(actor))
      throw new BadUse('--actor is user:ID, operator:NAME, token:ID or server. See --help.');
    if (action !== undefined && !ACTION.test(action))
      throw new BadUse('--action is a name such as user.ban. See --help.');
    const limit = readLimit(values.limit);
    const entries = await withOperator(options, async (operator) => {
      // The id of a deleted user still finds what was done.
      const id = user?.includes('@') ? (await findUser(operator, user)).id : user;
      const filter = {
        ...(id !== undefined && { subject: `user:${id}` }),
        ...(actor !== undefined && { actor }),
        ...(action !== undefined && { action }),
      };
      return await take(listEntries(operator, filter), limit);
    });
    const columns = {
      AT: ({ at }: Entry) => at,
      ACTOR: ({ actor: id, actor_email: email }: Entry) => email ?? id,
      ACTION: ({ action: what }: Entry) => what,
      SUBJECT: ({ subject, subject_email: email }: Entry) => (email ? `${email} (${subject})` : subject),
      DETAILS: ({ details }: Entry) =>
        Object.keys(details).length === 0 ? '' : shorten(JSON.stringify(details)),
    };
    printRows(entries, columns, { json: values.json, none: 'No entries.' });
  },
};

/** `--json` has all of it. */
function shorten(text: string): string {
  return text.length > MAX_DETAILS ? `${text.slice(0, MAX_DETAILS)}…` : text;
}

async function* listEntries(
  operator: Operator,
  filter: Readonly<Record<string, string>>,
): AsyncGenerator<Entry> {
  let before: number | undefined;
  do {
    const from = before === undefined ? {} : { before: String(before) };
    const query = new URLSearchParams({ ...filter, ...from });
    const page = await operator.call<AuditLog>('GET', `/admin/audit?${query}`);
    yield* page.entries;
    before = page.next_before;
  } while (before !== undefined);
}
