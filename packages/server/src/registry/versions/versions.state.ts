import type { PackVersionRow } from '../../platform/db/schema/registry.ts';
import type { Transitions } from '../../platform/transitions.ts';

type VersionStatus = PackVersionRow['status'];

/**
 * A version is pending until its archive is checked: a clean one becomes active, a suspicious one flagged, one that is unusable or never
 * uploaded deleted. Administrators can decide again on all but deleted versions.
 */
export const VERSION_TRANSITIONS = {
  pending: ['active', 'flagged', 'banned', 'deleted'],
  active: ['flagged', 'banned', 'deleted'],
  flagged: ['active', 'banned', 'deleted'],
  banned: ['active', 'flagged', 'deleted'],
  deleted: [],
} as const satisfies Transitions<VersionStatus>;
