import type { Db } from '../platform/db/database.ts';
import { type ExportUser, isoOrNull, jsonLines, pagesOf } from '../platform/export/exported-file.ts';
import { listDeliveriesAfter } from './deliveries.repo.ts';

const BATCH_SIZE = 100;

export function createExportUser(db: Db): ExportUser {
  return async function* exportUser(userId) {
    yield jsonLines('deliveries.jsonl', async function* rows() {
      const pages = pagesOf<Awaited<ReturnType<typeof listDeliveriesAfter>>[number]>(
        async (last) => await listDeliveriesAfter(db, userId, last?.seq ?? 0, BATCH_SIZE),
      );
      for await (const page of pages)
        yield page.map(({ id, url, subject, type, status, body, ...times }) => ({
          id,
          url,
          subject,
          type,
          status,
          created_at: isoOrNull(times.created_at),
          delivered_at: isoOrNull(times.delivered_at),
          body: JSON.parse(body) as unknown,
        }));
    });
  };
}
