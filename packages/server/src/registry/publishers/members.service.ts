import type { Member, MemberRole } from '@atelier/contracts';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { PublisherMemberRow } from '../../platform/db/schema/registry.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { newId } from '../../platform/ids.ts';
import { type CommonParts, type Directory, publisherSubject } from '../common-parts.ts';
import { ownedPublisher, requirePublisher } from '../permissions.ts';
import * as repo from './members.repo.ts';
import { lockPublisher } from './publishers.repo.ts';

/** Limits the publishers that an account creates and owns, and those that it can be made an owner of. */
export const MAX_OWNED_PUBLISHERS = 5;

export type MembersService = ReturnType<typeof createMembersService>;

export function createMembersService({ db, clock, audit, directory }: CommonParts) {
  const list = async (publisherId: string): Promise<Member[]> =>
    (await describeMembers(db, directory, [publisherId])).get(publisherId) ?? [];

  /** One change of a publisher's members at a time, so that the last owner cannot leave in a race. */
  const change = async (
    publisherId: string,
    memberId: string,
    work: (tx: Db, member: PublisherMemberRow, ownersLeft: number) => Promise<void>,
  ): Promise<void> => {
    await withTransaction(db, async (tx) => {
      await requirePublisher(tx, publisherId, lockPublisher);
      const all = await repo.listMembers(tx, [publisherId]);
      const member = all.find((one) => one.id === memberId);
      if (!member) throw notFound('member', memberId);
      const ownersLeft = all.filter((one) => one.role === 'owner' && one.id !== memberId).length;
      await work(tx, member, ownersLeft);
    });
  };

  const isAdmin = async (publisherId: string, memberId: string): Promise<boolean> => {
    const row = (await repo.listMembers(db, [publisherId])).find((one) => one.id === memberId);
    const [person] = row ? await directory.findByIds([row.user_id]) : [];
    return person?.isAdmin ?? false;
  };

  /** Counts all publishers of the account. When it creates one, only those that it created count. */
  const assertMayOwnMore = async (tx: Db, userId: string): Promise<void> => {
    await directory.lock(tx, userId);
    if ((await repo.countOwned(tx, userId, { made: false })) < MAX_OWNED_PUBLISHERS) return;
    throw new AppError(
      'registry.publisher_limit',
      `This account owns ${MAX_OWNED_PUBLISHERS} publishers already, and can become a member only. It may leave another one, or an administrator may make it an owner.`,
    );
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
        await requirePublisher(tx, publisherId, lockPublisher);
        if (role === 'owner' && actor.role !== 'admin' && !person.isAdmin) {
          await assertMayOwnMore(tx, person.id);
        }
        const member = { id, publisher_id: publisherId, user_id: person.id, role, created_at: clock() };
        if (!(await repo.insertMember(tx, member))) {
          throw new AppError('registry.member_exists', `${email} is a member of "${publisherId}" already.`);
        }
        const details = { userId: person.id, role };
        await audit.add(tx, actor, 'member.add', publisherSubject(publisherId), details);
      });
      return { id, role, user: { id: person.id, name: person.name, email: person.email } };
    },

    async setRole(actor: Actor, publisherId: string, memberId: string, role: MemberRole): Promise<Member> {
      await ownedPublisher(db, actor, publisherId);
      const isExempt = actor.role === 'admin' || (await isAdmin(publisherId, memberId));
      await change(publisherId, memberId, async (tx, member, ownersLeft) => {
        if (role !== 'owner' && ownersLeft === 0) throw lastOwner(publisherId);
        if (role === 'owner' && member.role !== 'owner' && !isExempt) {
          await assertMayOwnMore(tx, member.user_id);
        }
        await repo.setMemberRole(tx, memberId, role);
        const details = { userId: member.user_id, role };
        await audit.add(tx, actor, 'member.role', publisherSubject(publisherId), details);
      });
      const member = (await list(publisherId)).find((one) => one.id === memberId);
      if (!member) throw notFound('member', memberId);
      return member;
    },

    /** Owners remove anyone, and every member may leave, except the last owner. */
    async remove(actor: Actor, publisherId: string, memberId: string): Promise<void> {
      const own = (await repo.listMembers(db, [publisherId])).find((one) => one.user_id === actor.userId);
      if (own?.id !== memberId) await ownedPublisher(db, actor, publisherId);
      await change(publisherId, memberId, async (tx, member, ownersLeft) => {
        if (ownersLeft === 0) throw lastOwner(publisherId);
        await repo.deleteMember(tx, memberId);
        const details = { userId: member.user_id };
        await audit.add(tx, actor, 'member.remove', publisherSubject(publisherId), details);
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

export async function describeMembers(db: Db, directory: Directory, publisherIds: readonly string[]) {
  const rows = await repo.listMembers(db, publisherIds);
  const people = await directory.findByIds([...new Set(rows.map((row) => row.user_id))]);
  const personOf = new Map(people.map((person) => [person.id, person]));
  const membersOf = new Map<string, Member[]>();
  for (const row of rows) {
    const person = personOf.get(row.user_id);
    if (!person) continue;
    const { id, name, email } = person;
    const members = membersOf.getOrInsertComputed(row.publisher_id, () => []);
    members.push({ id: row.id, role: row.role, user: { id, name, email } });
  }
  return membersOf;
}

/** E-mail addresses are for members and administrators only. */
export function withoutEmails(members: readonly Member[]): Member[] {
  return members.map(({ user: { email: _private, ...user }, ...member }) => ({ ...member, user }));
}
