import type { Db } from '../platform/db/database.ts';
import type { PublisherRow } from '../platform/db/schema/registry.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import type { Actor } from '../platform/http/actor.ts';
import { findPackRecord } from './packs/packs.repo.ts';
import { roleIn } from './publishers/members.repo.ts';
import { findPublisher } from './publishers/publishers.repo.ts';
import type { PackRecord } from './to-wire.ts';

/** 404 before 403. Only administrators can change a banned publisher. */
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

/** 404 for a pack that does not exist, 403 for one that is banned, itself or through its publisher. */
export async function visiblePack(db: Db, packId: string): Promise<PackRecord> {
  const record = await findPackRecord(db, packId);
  if (!record || record.pack.status === 'deleted' || record.publisher.status === 'deleted') {
    throw notFound('node', packId);
  }
  if (record.pack.status === 'banned' || record.publisher.status === 'banned') {
    throw bannedPack(record.pack.id);
  }
  return record;
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

export function foreignPack(packId: string): AppError {
  return new AppError('auth.forbidden', `Node "${packId}" belongs to another publisher.`);
}

export function bannedPack(packId: string): AppError {
  return new AppError('registry.banned', `Node "${packId}" is banned.`);
}
