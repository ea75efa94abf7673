import type { V2Output, V2OutputKind } from '@atelier/contracts';

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { toHash } from '../assets/asset-hash.ts';
import { findAssetAt } from '../files/assets.repo.ts';
import { namedFiles } from '../files/named-files.ts';
import type { NodeOutput } from '../files/user-files.ts';
import { listJobAssets } from '../jobs/jobs.repo.ts';
import type { AssetLinks } from './asset-links.ts';
import { shownTexts, textId } from './shown-texts.ts';

/** So many outputs of a job are told. */
const MAX_OUTPUTS = 2000;
const FAR = '9999-12-31T23:59:59.000Z';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly linkTo: AssetLinks;
  readonly baseUrl: () => string;
}

interface Job {
  readonly id: string;
  readonly userId: string;
}

type Outputs = Readonly<Record<string, unknown>>;

export type OutputFinder = ReturnType<typeof createOutputFinder>;

/** What a job has put out, as assets. With `known` only what was not in it, and it is added there. */
export function createOutputFinder({ db, clock, linkTo, baseUrl }: Parts) {
  async function ofFile(asset: AssetRow, nodeId: string, outputKey: string): Promise<V2Output> {
    return {
      node_id: nodeId,
      name: asset.file_name,
      type: kindOf(asset.media_type, outputKey),
      content_type: asset.media_type,
      size_bytes: asset.size,
      id: asset.id,
      hash: toHash(asset.blake3),
      ...(await linkTo(asset)),
      job_id: asset.job_id,
    };
  }

  function ofText(jobId: string, { nodeId, index, text }: ReturnType<typeof shownTexts>[number]): V2Output {
    const id = textId({ jobId, nodeId, index });
    return {
      node_id: nodeId,
      name: `${nodeId}_${index}.txt`,
      type: 'text',
      content_type: 'text/plain; charset=utf-8',
      size_bytes: Buffer.byteLength(text),
      id,
      hash: null,
      url: `${baseUrl().replace(/\/+$/, '')}/api/v2/assets/${id}/content`,
      url_expires_at: FAR,
      job_id: jobId,
    };
  }

  return {
    /** Of what its nodes have shown. */
    async shown({ id, userId }: Job, outputs: Outputs, known = new Set<string>()): Promise<V2Output[]> {
      const found: V2Output[] = [];
      const now = clock();
      const isNew = (key: string): boolean =>
        known.size < MAX_OUTPUTS && !known.has(key) && known.add(key).size > 0;
      for (const [nodeId, output] of Object.entries(outputs)) {
        for (const { folder, subfolder, fileName, outputKey } of namedFiles((output ?? {}) as NodeOutput)) {
          if (!isNew(JSON.stringify([folder, subfolder, fileName]))) continue;
          const asset = await findAssetAt(db, userId, folder, subfolder, fileName);
          if (!asset || (asset.expires_at !== null && asset.expires_at <= now)) continue;
          found.push(await ofFile(asset, nodeId, outputKey));
        }
        for (const text of shownTexts({ [nodeId]: output })) {
          if (isNew(textId({ jobId: id, ...text }))) found.push(ofText(id, text));
        }
      }
      return found;
    },

    /** Of a job that another server runs: the files that it has made so far. */
    async made({ id, userId }: Job, known = new Set<string>()): Promise<V2Output[]> {
      const page = { limit: MAX_OUTPUTS, offset: 0 };
      const { assets } = await listJobAssets(db, { jobId: id, userId, now: clock() }, page);
      const found: V2Output[] = [];
      for (const asset of assets) {
        const key = JSON.stringify([asset.folder, asset.subfolder, asset.file_name]);
        if (known.has(key)) continue;
        known.add(key);
        found.push(await ofFile(asset, asset.node_id ?? '', asset.output_key ?? ''));
      }
      return found;
    },
  };
}

function kindOf(mediaType: string, outputKey: string): V2OutputKind {
  if (outputKey === 'latents') return 'latent';
  const [kind = ''] = mediaType.split('/');
  if (kind === 'image' || kind === 'video' || kind === 'audio' || kind === 'text') return kind;
  return 'file';
}
