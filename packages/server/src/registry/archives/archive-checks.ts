import { buffer } from 'node:stream/consumers';
import { type Inspection, type Inspector, verdictOf } from '@atelier/inspection';

import type { PackVersionRow } from '../../platform/db/schema/registry.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { type CommonParts, versionSubject } from '../common-parts.ts';
import { putInnerNodes } from '../inner-nodes/inner-nodes.repo.ts';
import * as versions from '../versions/versions.repo.ts';
import { createFairQueue } from './fair-queue.ts';

/** A version without an archive is deleted after this. */
const MAX_UPLOAD_WAIT_MS = 60 * 60_000;

interface Parts extends Pick<CommonParts, 'db' | 'clock' | 'audit' | 'changePack'> {
  readonly files: FileStore;
  readonly inspector: Inspector;
  /** How many archives are inspected at once: as many as the inspector has threads. */
  readonly concurrency: number;
  readonly onError: (error: unknown) => void;
}

export type ArchiveChecks = ReturnType<typeof createArchiveChecks>;

/** Checks waiting archives; accounts take turns. The rows in the database are the queue. */
export function createArchiveChecks(parts: Parts) {
  const { db, clock, files, inspector, concurrency, onError } = parts;

  const check = async (versionId: string): Promise<void> => {
    const version = await versions.findVersionById(db, versionId);
    if (version?.status !== 'pending' || version.file_hash === null) return;
    const archive = await files.open(version.file_hash);
    // Another server may have the file and check it. After an hour it counts as lost.
    if (!archive && version.updated_at + MAX_UPLOAD_WAIT_MS > clock()) return;
    const inspection: Inspection = archive
      ? await inspector.inspect(await buffer(archive.stream))
      : { verdict: 'unusable', reason: 'The archive is lost. Publish the version again under a new number.' };
    await conclude(parts, version, inspection);
  };

  const queue = createFairQueue({ concurrency, work: check, onError });

  return {
    /** Queues the archive of a pending version. Can be called again. */
    enqueue: queue.add,
    /** Queues what an earlier server left unchecked, and deletes versions whose archive never came. */
    async sweep(): Promise<void> {
      for (const version of await versions.listNeverUploaded(db, clock() - MAX_UPLOAD_WAIT_MS)) {
        const reason = 'The archive was not uploaded within an hour.';
        await conclude(parts, version, { verdict: 'unusable', reason });
      }
      for (const { id, account, publisher } of await versions.listPendingWithArchive(db)) {
        queue.add({ account: account ?? publisher, publisher }, id);
      }
    },
    /** Waits for the archives in progress. The sweep of the next server finds the others. */
    async close(): Promise<void> {
      await queue.close();
      await inspector.close();
    },
  };
}

/** Writes the verdict, unless the version was decided or got another archive in the meantime. */
async function conclude({ audit, changePack }: Parts, version: PackVersionRow, inspection: Inspection) {
  await changePack(version.pack_id, async (tx, pack, now) => {
    // Locked, so that a concurrent upload cannot replace the archive that was inspected.
    if (!(await versions.lockPending(tx, version.id, version.file_hash))) return;
    const { to, reason, extractStatus } = verdictOf(inspection);
    if (inspection.verdict !== 'unusable') {
      await putInnerNodes(tx, version.id, toInnerNodeRows(version.id, inspection.nodes));
      if (inspection.readme !== undefined) await versions.putReadme(tx, version.id, inspection.readme);
    }
    await versions.moveVersion(tx, version.id, to, {
      status_reason: reason,
      updated_at: now,
      extract_status: extractStatus,
      ...(to === 'flagged' && { report: reason }),
      ...(to === 'deleted' && { refused_at: now }),
    });
    const subject = versionSubject(pack.publisher_id, version.pack_id, version.version);
    await audit.add(tx, 'server', `version.${to}`, subject);
  });
}

function toInnerNodeRows(versionId: string, nodes: Extract<Inspection, { nodes: unknown }>['nodes']) {
  return nodes.map((node) => ({
    version_id: versionId,
    name: node.comfy_node_name,
    category: node.category ?? null,
    description: node.description ?? null,
    function: node.function ?? null,
    deprecated: node.deprecated ? 1 : 0,
    experimental: node.experimental ? 1 : 0,
    input_types: node.input_types ?? null,
    return_types: node.return_types ?? null,
    return_names: node.return_names ?? null,
    output_is_list: node.output_is_list ? JSON.stringify(node.output_is_list) : null,
  }));
}
