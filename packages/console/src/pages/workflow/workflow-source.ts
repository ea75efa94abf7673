import { queryOptions } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { isObject, type Json } from './document/json.ts';
import { readWorkflowFile } from './document/read-file.ts';
import { readStored } from './open-workflows.ts';

/** The source of an open workflow, from the address. */
export interface SourceParams {
  readonly saved?: string;
  readonly example?: string;
  readonly job?: string;
  readonly asset?: string;
  readonly shared?: string;
  readonly draft?: string;
}

export interface WorkflowSource {
  /** The storage key of unsaved changes. */
  readonly key: string;
  readonly name: string;
  /** The original content. */
  readonly json: Json;
  /** The id of a saved workflow. */
  readonly savedId?: string;
  /** The user who shares it. */
  readonly owner?: string;
  /** A picture of its result. */
  readonly picture?: string;
  readonly description?: string;
  /** The run to show first. */
  readonly jobId?: string;
}

/** No workflow is named, or it is gone. The page reports it in the user's language. */
export class NoSourceError extends Error {
  override readonly name = 'NoSourceError';
}

const KINDS = ['saved', 'example', 'job', 'asset', 'shared', 'draft'] as const;

export const sourceQuery = (params: SourceParams) => {
  const kind = KINDS.find((each) => params[each] !== undefined);
  const id = kind === undefined ? '' : (params[kind] ?? '');
  return queryOptions({
    queryKey: ['workflows', 'open', kind ?? '', id],
    queryFn: async ({ signal }): Promise<WorkflowSource> => {
      if (kind === undefined) throw new NoSourceError();
      return { key: `${kind} ${id}`, ...(await LOADERS[kind](id, signal)) };
    },
    // A change elsewhere must not replace what is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
};

type Loaded = Omit<WorkflowSource, 'key'>;

const LOADERS: Readonly<
  Record<(typeof KINDS)[number], (id: string, signal: AbortSignal) => Promise<Loaded>>
> = {
  async saved(id, signal) {
    const { workflow_json: json } = await atelier.workflows.get(id, { signal });
    return { name: nameOfSaved(id), json, savedId: id };
  },
  async example(id, signal) {
    const [json, examples] = await Promise.all([
      atelier.workflows.example(id, { signal }),
      atelier.workflows.examples({ signal }),
    ]);
    const example = examples.find(({ name }) => name === id);
    return {
      name: example?.title ?? id,
      json,
      ...(example && { picture: example.thumbnail, description: example.description }),
    };
  },
  async job(id, signal) {
    const { workflow, workflow_name: name = '' } = await atelier.jobs.get(id, {
      isExact: true,
      signal,
    });
    const { extra_pnginfo: info } = workflow.extra_data;
    const drawn = isObject(info) && isObject(info['workflow']) ? info['workflow'] : undefined;
    return { name, json: drawn ?? workflow.prompt, jobId: id };
  },
  async asset(id, signal) {
    const asset = await atelier.assets.get(id, { signal });
    const blob = await atelier.assets.open(asset).blob({ signal });
    return {
      name: withoutExtension(asset.name),
      json: await readWorkflowFile(blob),
      ...(asset.job_id !== undefined && { jobId: asset.job_id }),
    };
  },
  async shared(id, signal) {
    const {
      name,
      owner_name: owner,
      workflow_json: json,
    } = await atelier.workflows.getShared(id, { signal });
    return { name, json, owner };
  },
  async draft(id) {
    const stored = readStored(`draft ${id}`);
    if (!stored?.json) throw new NoSourceError();
    return { name: stored.name, json: stored.json };
  },
};

/** Its id is the path of its file. */
export function nameOfSaved(id: string): string {
  return id.replace(/\.json$/, '');
}

export function withoutExtension(fileName: string): string {
  return fileName.replace(/\.\w{1,5}$/, '');
}
