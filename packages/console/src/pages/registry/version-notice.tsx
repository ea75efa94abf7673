import type { Pack, PackVersion } from '@atelier/sdk';

import { useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { RelativeTime } from '../../ui/times.tsx';
import { VersionReasons } from './check-report.tsx';
import { useCanManage } from './registry-queries.ts';
import { VersionActions } from './version-actions.tsx';
import { VersionState } from './version-state.tsx';

/** Shows the problem of a version that is not active. */
export function VersionNotice({ pack, version }: { readonly pack: Pack; readonly version: PackVersion }) {
  const { registry } = useMessages();
  const canManage = useCanManage(pack.publisher?.id);
  const { status, review_request: request } = version;
  if (status === 'NodeVersionStatusActive') return null;
  return (
    <section
      aria-label={registry.stateOf(version.version)}
      className={cx(
        'flex min-w-0 flex-col gap-3 rounded-md border bg-surface p-4',
        status === 'NodeVersionStatusBanned' ? 'border-failed/60' : 'border-waiting/60',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <VersionState status={status} />
        <span className="text-13 text-muted">{registry.stateHints[status]}</span>
      </div>
      <VersionReasons version={version} />
      {request && (
        <p className="text-13 wrap-anywhere">
          {registry.reviewRequested} <RelativeTime at={request.requested_at} />
          {request.note !== undefined && `: ${request.note}`}
        </p>
      )}
      <VersionActions version={version} publisher={canManage ? pack.publisher?.id : undefined} />
    </section>
  );
}
