import type { PackVersion } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Panel } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';

export function ReadmeTab({ version }: { readonly version: PackVersion | undefined }) {
  const { registry } = useMessages();
  if (!version)
    return <EmptyState icon={<BookOpen size={28} aria-hidden />}>{registry.noVersions}</EmptyState>;
  return <Readme pack={version.node_id} version={version.version} />;
}

function Readme({ pack, version }: { readonly pack: string; readonly version: string }) {
  const { registry } = useMessages();
  const readme = useQuery({
    queryKey: ['packs', pack, 'readme', version],
    // A query must not return `undefined`.
    queryFn: async ({ signal }) => (await atelier.registry.versions.readme(pack, version, { signal })) ?? '',
  });
  return (
    <QueryView query={readme} loading={<Skeleton className="h-96" />}>
      {(text) =>
        text.trim() === '' ? (
          <EmptyState icon={<BookOpen size={28} aria-hidden />}>{registry.noReadme}</EmptyState>
        ) : (
          <Panel className="p-4 sm:p-6">
            <Markdown text={text} />
          </Panel>
        )
      }
    </QueryView>
  );
}
