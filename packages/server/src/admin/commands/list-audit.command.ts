import type { AuditLog } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { type AdminCommand, BadUse } from '../command.ts';
import { listRows, take } from '../lists.ts';
import { withOperator } from '../operator.ts';
import { LIMIT_OPTION, readArgs, readLimit } from '../read-args.ts';
import { JSON_OPTION, printRows } from '../terminal.ts';
import { findUser } from '../users.ts';

const MAX_DETAILS = 120;
const ACTOR = /^(server$|(user|operator|token):.)/;
const ACTION = /^[a-z_]+\.[a-z_]+$/;

type Entry = AuditLog['entries'][number];

const COLUMNS = {
  AT: ({ at }: Entry) => at,
  ACTOR: ({ actor, actor_email: email }: Entry) => email ?? actor,
  ACTION: ({ action }: Entry) => action,
  SUBJECT: ({ subject, subject_email: email }: Entry) => (email ? `${email} (${subject})` : subject),
  DETAILS: ({ details }: Entry) =>
    Object.keys(details).length === 0 ? '' : shorten(JSON.stringify(details)),
};

export const command: AdminCommand = {
  usage: '[--user USER] [--actor ACTOR] [--action ACTION] [--limit COUNT] [--json]',
  help: `Lists who did what to users and in the registry, newest first. USER is whom it was done to, an id for one who is deleted. ACTOR is
user:ID, operator:NAME, token:ID or server; ACTION such as user.ban. 100 entries unless --limit says otherwise.`,
  async run(options) {
    const { user, actor, action, json, ...values } = readArgs(options.args, [], {
      user: { type: 'string' },
      actor: { type: 'string' },
      action: { type: 'string' },
      ...LIMIT_OPTION,
      ...JSON_OPTION,
    }).values;
    if (actor !== undefined && !ACTOR.test(actor))
      throw new BadUse('--actor is user:ID, operator:NAME, token:ID or server. See --help.');
    if (action !== undefined && !ACTION.test(action))
      throw new BadUse('--action is a name such as user.ban. See --help.');
    const limit = readLimit(values.limit);
    const entries = await withOperator(options, async (operator) => {
      // The id of a deleted user still finds what was done.
      const id = user?.includes('@') ? (await findUser(operator, user)).id : user;
      const filter = present({ subject: id === undefined ? undefined : `user:${id}`, actor, action });
      return await take(listRows<Entry>(operator, '/admin/audit', 'entries', { ...filter }), limit);
    });
    printRows(entries, COLUMNS, { json, none: 'No entries.' });
  },
};

/** `--json` has all of it. */
function shorten(text: string): string {
  return text.length > MAX_DETAILS ? `${text.slice(0, MAX_DETAILS)}…` : text;
}
