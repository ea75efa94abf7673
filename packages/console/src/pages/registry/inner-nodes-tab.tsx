import type { PackVersion } from '@atelier/sdk';
import { Component } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Panel } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { useList } from '../../use-list.ts';
import { InnerNode } from './inner-node.tsx';

export function InnerNodesTab({ version }: { readonly version: PackVersion | undefined }) {
  const { registry } = useMessages();
  if (!version)
    return <EmptyState icon={<Component size={28} aria-hidden />}>{registry.noVersions}</EmptyState>;
  return <InnerNodes version={version} />;
}

function InnerNodes({ version }: { readonly version: PackVersion }) {
  const { registry } = useMessages();
  const format = useFormat();
  const { node_id: pack, version: number, comfy_node_extract_status: extraction } = version;
  const nodes = useList(['packs', pack, 'nodes', number], (signal) =>
    atelier.registry.versions.nodes(pack, number, { signal }),
  );
  const total = nodes.first?.total ?? 0;
  return (
    <>
      {extraction === 'failed' && <p className="mb-3 text-13 text-waiting">{registry.nodesIncomplete}</p>}
      <QueryView query={nodes} loading={<Skeleton className="h-64" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<Component size={28} aria-hidden />}>{registry.noNodes}</EmptyState>
          ) : (
            <>
              <p className="mb-3 text-13 text-muted">
                {registry.nodesOf(total, format.number(total), number)}
              </p>
              <Panel>
                {found.map((node, index) => (
                  <InnerNode key={node.comfy_node_name} node={node} isOpenAtFirst={index === 0} />
                ))}
              </Panel>
            </>
          )
        }
      </QueryView>
      <LoadMore query={nodes} />
    </>
  );
}
