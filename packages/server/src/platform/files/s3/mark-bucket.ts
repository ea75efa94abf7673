import { type Db, withTransaction } from '../../db/database.ts';
import { lockByName } from '../../db/lock-by-name.ts';
import { findServerValue, insertServerValue, updateServerValue } from '../../db/server-secrets.repo.ts';
import { newId } from '../../ids.ts';
import { StartError } from '../../start-error.ts';
import { FILES_MARK, type Marks, readMarks, S3_MARK } from '../mark-folders.ts';
import { placeOf, unusable } from './check-s3.ts';
import type { S3 } from './s3-client.ts';
import { isMissing, orOutage } from './s3-errors.ts';

/** Prefix of the mark until the bucket has it. The next start finishes an interrupted one. */
const UNFINISHED = 'unfinished ';
const ANSWER_MS = 3000;

/**
 * Checks that the bucket belongs to the database: both have the same mark, made at the first start. Resolves to the mark, the id
 * of the installation.
 */
export async function markBucket(db: Db, s3: S3, now: number): Promise<string> {
  // First in the database, because a bucket with an unknown mark belongs to another installation.
  await withTransaction(db, async (tx) => {
    await lockByName(tx, FILES_MARK);
    const marks = await readMarks(tx);
    if (marks.s3 !== undefined) return;
    await checkBucket(marks, s3);
    const mark = newId();
    await insertServerValue(tx, { name: FILES_MARK, value: Buffer.from(mark), now });
    await insertServerValue(tx, { name: S3_MARK, value: Buffer.from(`${UNFINISHED}${mark}`), now });
  });
  return await withTransaction(db, async (tx) => {
    await lockByName(tx, FILES_MARK);
    const marks = await readMarks(tx);
    const { mark, found } = await checkBucket(marks, s3);
    if (marks.s3?.startsWith(UNFINISHED)) await finishMark(tx, s3, { found, mark });
    return mark;
  });
}

/** Refuses a bucket of another database. Changes nothing. */
export async function checkBucket({ files, s3: known }: Marks, s3: S3) {
  if (known === undefined && files !== undefined) throw onDisk(s3);
  const found = await readBucketMark(s3).catch((error: unknown) => {
    throw unusable(s3, error);
  });
  const mark = known?.replace(UNFINISHED, '') ?? '';
  if (known === mark && found !== mark) throw elsewhere(s3, mark);
  if (found !== undefined && found !== mark) throw foreign(s3);
  return { mark, found };
}

/** Marks the bucket as the place of the files, which must have been copied. */
export async function moveMark(db: Db, s3: S3, now: number): Promise<void> {
  await withTransaction(db, async (tx) => {
    await lockByName(tx, FILES_MARK);
    const mark = (await findServerValue(tx, FILES_MARK))?.toString();
    if (mark === undefined) throw new StartError('This database was never used by a server.');
    if ((await findServerValue(tx, S3_MARK)) === undefined)
      await insertServerValue(tx, { name: S3_MARK, value: Buffer.from(`${UNFINISHED}${mark}`), now });
    await finishMark(tx, s3, { found: await readBucketMark(s3), mark });
  });
}

/** Refuses a bucket of another installation. */
export async function assertOwnBucket(db: Db, s3: S3): Promise<void> {
  const mark = (await findServerValue(db, FILES_MARK))?.toString();
  const found = await readBucketMark(s3);
  if (found !== undefined && found !== mark) throw foreign(s3);
}

/** A small request to see whether the bucket answers. A refused HEAD would not say why. */
export async function askBucket(s3: S3): Promise<void> {
  const get = new s3.sdk.GetObjectCommand({ Bucket: s3.bucket, Key: keyOf(s3), Range: 'bytes=0-99' });
  const { Body } = await orOutage(s3.impatient.send(get, s3.within(undefined, ANSWER_MS)));
  await orOutage<unknown>(Body?.transformToByteArray() ?? Promise.resolve());
}

async function finishMark(
  tx: Db,
  s3: S3,
  { found, mark }: { readonly found: string | undefined; readonly mark: string },
): Promise<void> {
  if (found !== undefined && found !== mark) throw foreign(s3);
  if (found === undefined) {
    const put = { Bucket: s3.bucket, Key: keyOf(s3), Body: Buffer.from(mark) };
    await s3.client.send(new s3.sdk.PutObjectCommand(put), s3.within());
  }
  await updateServerValue(tx, { name: S3_MARK, value: Buffer.from(mark) });
}

export async function readBucketMark(s3: S3): Promise<string | undefined> {
  try {
    const get = new s3.sdk.GetObjectCommand({ Bucket: s3.bucket, Key: keyOf(s3), Range: 'bytes=0-99' });
    const { Body } = await s3.client.send(get, s3.within());
    return (await Body?.transformToString())?.trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function keyOf({ prefix }: Pick<S3, 'prefix'>): string {
  return `${prefix}.atelier-files`;
}

function nameOf({ bucket, prefix }: Pick<S3, 'bucket' | 'prefix'>): string {
  return `s3://${bucket}/${prefix}`;
}

function onDisk(s3: S3): StartError {
  return new StartError(
    `The files of this database are on a disk, not in ${nameOf(s3)}. Move them with "npm run admin -- move-files --to ${nameOf(s3)}", or start without ATELIER_S3_BUCKET.`,
  );
}

function elsewhere(s3: S3, mark: string): StartError {
  return new StartError(
    `The files of this database are not in ${nameOf(s3)} at ${placeOf(s3)}. Set ATELIER_S3_BUCKET, ATELIER_S3_PREFIX and ATELIER_S3_ENDPOINT to the bucket that has them, or restore it. If the files are lost for good, put an object ${keyOf(s3)} there with the content ${mark}.`,
  );
}

function foreign(s3: S3): StartError {
  return new StartError(
    `ATELIER_S3_BUCKET: ${nameOf(s3)} holds the files of another Atelier. Use another bucket or ATELIER_S3_PREFIX. If that installation is gone, remove the object ${keyOf(s3)} and what is beside it.`,
  );
}
