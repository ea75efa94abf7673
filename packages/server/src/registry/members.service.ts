import type { Member, MemberRole } from '@atelier/contracts';

import type { Clock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import type { PublisherMemberRow } from '../platform/db/schema/registry.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import type { Actor } from '../platform/http/actor.ts';
import { newId } from '../platform/ids.ts';
import { type Audit, publisherSubject } from './audit.service.ts';
import type { Directory } from './directory.ts';
import * as repo from './members.repo.ts';
import { ownedPublisher } from './permissions.ts';
import { lockPublisher } from './publishers.repo.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly directory: Directory;
}

export type MembersService = ReturnType<typeof createMembersService>;

export function createMembersService({ db, clock, audit, directory }: Parts) {
  const list = async (publisherId: string): Promise<Member[]> =>
    await describeMembers(db, directory, publisherId, { showPrivate: true });

  /** One change of a publisher's members at a time, so that the last owner cannot leave in a race. */
  const change = async <T>(
    actor: Actor,
    publisherId: string,
    memberId: string,
    work: (tx: Db, member: PublisherMemberRow, ownersLeft: number) => Promise<T>,
  ): Promise<T> => {
    await ownedPublisher(db, actor, publisherId);
    return await withTransaction(db, async (tx) => {
      await lockPublisher(tx, publisherId);
      const all = await repo.listMembers(tx, publisherId);
      const member = all.find((one) => one.id === memberId);
      if (!member) throw notFound('member', memberId);
      const ownersLeft = all.filter((one) => one.role === 'owner' && one.id !== memberId).length;
      return await work(tx, member, ownersLeft);
    });
  };

  return {
    async list(actor: Actor, publisherId: string): Promise<Member[]> {
      await ownedPublisher(db, actor, publisherId);
      return await list(publisherId);
    },

    async add(actor: Actor, publisherId: string, email: string, role: MemberRole): Promise<Member> {
      await ownedPublisher(db, actor, publisherId);
      const person = await directory.findByEmail(email);
      if (!person) {
        throw new AppError(
          'registry.member_unknown',
          `There is no account for ${email}. It must exist first.`,
        );
      }
      const id = newId();
      await withTransaction(db, async (tx) => {
        if (!(await lockPublisher(tx, publisherId))) throw notFound('publisher', publisherId);
        const member = { id, publisher_id: publisherId, user_id: person.id, role, created_at: clock() };
        if (!(await repo.insertMember(tx, member))) {
          throw new AppError('registry.member_exists', `${email} is a member of "${publisherId}" already.`);
        }
        const details = { userId: person.id, role };
        await audit.note(tx, {
          by: actor,
          action: 'member.add',
          subject: publisherSubject(publisherId),
          details,
        });
      });
      return { id, role, user: { id: person.id, name: person.name, email: person.email } };
    },

    async setRole(actor: Actor, publisherId: string, memberId: string, role: MemberRole): Promise<Member> {
      await change(actor, publisherId, memberId, async (tx, member, ownersLeft) => {
        if (role !== 'owner' && ownersLeft === 0) throw lastOwner(publisherId);
        await repo.setMemberRole(tx, memberId, role);
        const details = { userId: member.user_id, role };
        await audit.note(tx, {
          by: actor,
          action: 'member.role',
          subject: publisherSubject(publisherId),
          details,
        });
      });
      const member = (await list(publisherId)).find((one) => one.id === memberId);
      if (!member) throw notFound('member', memberId);
      return member;
    },

    async remove(actor: Actor, publisherId: string, memberId: string): Promise<void> {
      await change(actor, publisherId, memberId, async (tx, member, ownersLeft) => {
        if (ownersLeft === 0) throw lastOwner(publisherId);
        await repo.deleteMember(tx, memberId);
        const details = { userId: member.user_id };
        await audit.note(tx, {
          by: actor,
          action: 'member.remove',
          subject: publisherSubject(publisherId),
          details,
        });
      });
    },
  };
}

function lastOwner(publisherId: string): AppError {
  return new AppError(
    'registry.last_owner',
    `This is the last owner of "${publisherId}". Make another member an owner first.`,
  );
}

/** Names are for everybody; who they are is for members and administrators. */
export async function describeMembers(
  db: Db,
  directory: Directory,
  publisherId: string,
  { showPrivate }: { showPrivate: boolean },
): Promise<Member[]> {
  const rows = await repo.listMembers(db, publisherId);
  const people = await directory.findByIds(rows.map((row) => row.user_id));
  const personOf = new Map(people.map((person) => [person.id, person]));
  return rows.flatMap((row) => {
    const person = personOf.get(row.user_id);
    if (!person) return [];
    const user = showPrivate
      ? { id: person.id, name: person.name, email: person.email }
      : { name: person.name };
    return [{ id: row.id, role: row.role, user }];
  });
}
