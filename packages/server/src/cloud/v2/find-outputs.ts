import type { V2Output, V2OutputKind } from '@atelier/contracts';

import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { toHash } from '../assets/asset-hash.ts';
import type { AssetLinks } from '../assets/asset-links.ts';
import { findAssetAt, isExpired } from '../files/assets.repo.ts';
import { placeOf } from '../files/file-place.ts';
import { namedFiles } from '../files/named-files.ts';
import type { NodeOutput } from '../files/user-files.ts';
import { listJobAssets } from '../jobs/jobs.repo.ts';
import { placeKey } from '../workers/node-types/names-in-graph.ts';
import { shownTexts, textId } from './shown-texts.ts';
import { NEVER } from './to-job.ts';

const MAX_OUTPUTS = 2000;

interface Parts extends ServiceParts {
  readonly linkTo: AssetLinks;
  readonly baseUrl: () => string;
}

interface Job {
  readonly id: string;
  readonly userId: string;
}

type Outputs = Readonly<Record<string, unknown>>;

export type OutputFinder = ReturnType<typeof createOutputFinder>;

/** The outputs of a job, as assets. With `known`, only those that are not in it; they are added to it. */
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
      url_expires_at: NEVER,
      job_id: jobId,
    };
  }

  return {
    /** The outputs that its nodes have shown. */
    async shown({ id, userId }: Job, outputs: Outputs, known = new Set<string>()): Promise<V2Output[]> {
      const found: V2Output[] = [];
      const now = clock();
      const isNew = (key: string): boolean =>
        known.size < MAX_OUTPUTS && !known.has(key) && known.add(key).size > 0;
      for (const [nodeId, output] of Object.entries(outputs)) {
        for (const file of namedFiles((output ?? {}) as NodeOutput)) {
          if (!isNew(placeKey(file))) continue;
          const asset = await findAssetAt(db, userId, file);
          if (asset && !isExpired(asset, now)) found.push(await ofFile(asset, nodeId, file.outputKey));
        }
        for (const text of shownTexts({ [nodeId]: output })) {
          if (isNew(textId({ jobId: id, ...text }))) found.push(ofText(id, text));
        }
      }
      return found;
    },

    /** For a job that another server runs: the files that it has made so far. */
    async made({ id, userId }: Job, known = new Set<string>()): Promise<V2Output[]> {
      const page = { limit: MAX_OUTPUTS, offset: 0 };
      const { assets } = await listJobAssets(db, { jobId: id, userId, now: clock() }, page);
      const found: V2Output[] = [];
      for (const asset of assets) {
        const key = placeKey(placeOf(asset));
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
