import type { Pack, PackVersion } from '@atelier/sdk';
import { Link } from '@tanstack/react-router';
import { PackageOpen } from 'lucide-react';
import { useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { useCanManage } from './registry-queries.ts';
import { VersionMenu } from './version-menu.tsx';
import { VersionState } from './version-state.tsx';

/** Each open changelog has to be parsed. */
const OPEN_AT_FIRST = 3;

interface Props {
  readonly pack: Pack;
  readonly versions: readonly PackVersion[];
}

export function VersionsTab({ pack, versions }: Props) {
  const { registry } = useMessages();
  if (versions.length === 0) {
    return <EmptyState icon={<PackageOpen size={28} aria-hidden />}>{registry.noVersions}</EmptyState>;
  }
  return (
    <Panel>
      <ul>
        {versions.map((version, index) => (
          <VersionEntry
            key={version.id}
            pack={pack}
            version={version}
            isOpenAtFirst={index < OPEN_AT_FIRST}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface EntryProps {
  readonly pack: Pack;
  readonly version: PackVersion;
  readonly isOpenAtFirst: boolean;
}

function VersionEntry({ pack, version, isOpenAtFirst }: EntryProps) {
  const { registry } = useMessages();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const canManage = useCanManage(pack.publisher?.id);
  const { version: number, changelog = '' } = version;
  return (
    <li className="min-w-0 border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="min-w-0 truncate font-mono text-14 font-semibold">
          <Link
            to="/registry/packs/$packId"
            params={{ packId: pack.id }}
            search={{ version: number }}
            className="hover:underline"
          >
            {number}
          </Link>
        </h2>
        <VersionState status={version.status} />
        {version.deprecated && <span className="text-13 text-muted">{registry.deprecated}</span>}
        <span className="text-13 text-muted sm:ml-auto">
          <RelativeTime at={version.createdAt} />
        </span>
        {canManage && pack.publisher && <VersionMenu publisher={pack.publisher.id} version={version} />}
      </div>
      {changelog.trim() === '' ? (
        <p className="text-13 text-muted">{registry.noChangelog}</p>
      ) : (
        <div className="text-13">
          {isOpen ? (
            <Markdown text={changelog} />
          ) : (
            <Button size="sm" look="quiet" className="-ml-2" onClick={() => setOpen(true)}>
              {registry.showChangelog}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
