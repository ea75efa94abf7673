import type { Pack, PackVersion } from '@atelier/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { Select } from '../../ui/select.tsx';

interface Props {
  readonly pack: Pack;
  readonly versions: readonly PackVersion[];
  readonly version: PackVersion | undefined;
}

/** Selects the version whose README and nodes are shown. */
export function VersionSelect({ pack, versions, version }: Props) {
  const { registry } = useMessages();
  const search = useSearch({ from: '/app/registry/packs/$packId' });
  const navigate = useNavigate();
  if (!version || versions.length < 2) return null;
  return (
    <div className="mb-3 w-44 sm:absolute sm:top-0 sm:right-0 sm:z-10 sm:mb-0">
      <Select
        label={registry.version}
        value={version.version}
        onValue={(next) => {
          const { version: _, ...others } = search;
          const isLatest = next === pack.latest_version?.version;
          void navigate({
            to: '/registry/packs/$packId',
            params: { packId: pack.id },
            search: isLatest ? others : { ...others, version: next },
          });
        }}
        items={versions.map(({ version: value }) => ({
          value,
          label: value === pack.latest_version?.version ? registry.latest(value) : value,
        }))}
      />
    </div>
  );
}
