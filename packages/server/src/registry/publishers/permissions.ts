import type { Db } from '../../platform/db/database.ts';
import type { PublisherRow } from '../../platform/db/schema/registry.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { roleIn } from './members.repo.ts';
import { findPublisher } from './publishers.repo.ts';

/** 404 before 403. A banned publisher can be changed by nobody but administrators. */
export async function ownedPublisher(db: Db, actor: Actor, publisherId: string): Promise<PublisherRow> {
  const publisher = await findPublisher(db, publisherId);
  if (!publisher) throw notFound('publisher', publisherId);
  if (actor.role === 'admin') return publisher;
  if ((await roleIn(db, publisherId, actor.userId)) !== 'owner') {
    throw new AppError('auth.forbidden', `Only owners of publisher "${publisherId}" may do this.`);
  }
  if (publisher.status === 'banned') throw bannedPublisher(publisherId);
  return publisher;
}

export async function isMember(db: Db, actor: Actor | undefined, publisherId: string): Promise<boolean> {
  if (!actor) return false;
  return actor.role === 'admin' || (await roleIn(db, publisherId, actor.userId)) !== undefined;
}

export function bannedPublisher(publisherId: string): AppError {
  return new AppError('registry.banned', `Publisher "${publisherId}" is banned.`);
}

export function unknownVersion(packId: string, number: string): AppError {
  return new AppError('resource.not_found', `There is no version ${number} of node "${packId}".`);
}

export function bannedPack(packId: string): AppError {
  return new AppError('registry.banned', `Node "${packId}" is banned.`);
}
