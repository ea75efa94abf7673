import type { ComfyNode } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import type { Db } from '../../platform/db/database.ts';
import type { InnerNodeRow, PackVersionRow } from '../../platform/db/schema/registry.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import { unknownVersion, visiblePack } from '../permissions.ts';
import { normalizeVersion } from '../versions/version-order.ts';
import { findVersion } from '../versions/versions.repo.ts';
import * as repo from './inner-nodes.repo.ts';

export type InnerNodesService = ReturnType<typeof createInnerNodesService>;

export function createInnerNodesService({ db }: { db: Db }) {
  const versionOf = async (packId: string, number: string): Promise<PackVersionRow> => {
    const { pack } = await visiblePack(db, packId);
    const version = await findVersion(db, pack.id, normalizeVersion(number) ?? number);
    if (!version || version.status === 'deleted') throw unknownVersion(pack.id, number);
    return version;
  };

  return {
    async list(packId: string, number: string, { page, limit }: { page: number; limit: number }) {
      const version = await versionOf(packId, number);
      const offset = (page - 1) * limit;
      const { total, rows } = await repo.pageOfInnerNodes(db, version.id, { offset, limit });
      return { comfy_nodes: rows.map(toComfyNode), totalNumberOfPages: Math.ceil(total / limit), total };
    },

    async read(packId: string, number: string, name: string): Promise<ComfyNode> {
      const version = await versionOf(packId, number);
      const row = await repo.findInnerNode(db, version.id, name);
      if (!row) throw notFound('inner node', name);
      return toComfyNode(row);
    },

    async find(filter: repo.InnerNodeFilter, { page, limit }: { page: number; limit: number }) {
      const { total, rows } = await repo.findInnerNodes(db, filter, { offset: (page - 1) * limit, limit });
      return { comfy_nodes: rows.map(toComfyNode), total };
    },
  };
}

function toComfyNode(row: InnerNodeRow): ComfyNode {
  const { category, description, function: method, input_types, return_names, return_types } = row;
  return {
    comfy_node_name: row.name,
    ...present({ category, description, function: method, input_types, return_names, return_types }),
    deprecated: row.deprecated === 1,
    experimental: row.experimental === 1,
    ...(row.output_is_list === null ? {} : { output_is_list: JSON.parse(row.output_is_list) as boolean[] }),
    policy: 'ComfyNodePolicyActive',
  };
}
