import { createRemoteFile, type RemoteFile } from '../files/remote-file.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import type { JobAssetPage } from '../wire.ts';

/** A file that a job has created or shows. */
export interface JobOutput extends RemoteFile {
  /** Of the asset. */
  readonly id: string;
  readonly size: number;
  readonly type: string;
  /** `blake3:` and 64 hexadecimal digits. */
  readonly hash: string;
  /** The node that shows it, and the position: `outputs[nodeId][key][index]`. */
  readonly nodeId: string | undefined;
  readonly key: string | undefined;
  readonly index: number | undefined;
  /** A link that works for about an hour, even without a key. */
  readonly url: string;
}

const PAGE = 500;

export async function listOutputs(
  transport: Transport,
  jobId: string,
  { signal }: CallOptions = {},
): Promise<JobOutput[]> {
  const outputs: JobOutput[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await transport.get('JobAssetPage', path`/api/jobs/${jobId}/assets`, {
      query: { limit: PAGE, offset },
      signal,
    });
    outputs.push(...page.assets.map((asset) => toOutput(transport, asset)));
    if (!page.pagination.has_more || page.assets.length === 0) return outputs;
  }
}

function toOutput(transport: Transport, asset: JobAssetPage['assets'][number]): JobOutput {
  const { id, name, size, mime_type: type, hash, preview_url: url } = asset;
  let isFresh = true;
  const file = createRemoteFile(transport, {
    name,
    size,
    type,
    async open(init) {
      // The link from the list saves a redirect. Retries ask the server for a new one, because links expire.
      const response = isFresh ? await transport.openLink(url, init) : undefined;
      if (response && response.status !== 403) return response;
      await response?.body?.cancel();
      isFresh = false;
      return await transport.open(path`/api/assets/${id}/content`, init);
    },
  });
  return {
    ...file,
    id,
    size,
    type,
    hash,
    nodeId: asset.node_id,
    key: asset.output_key,
    index: asset.output_index,
    url,
  };
}
