import type { PackVersionRow } from '../../platform/db/schema/registry.ts';
import type { Transitions } from '../../platform/transitions.ts';

type VersionStatus = PackVersionRow['status'];

/**
 * A version is pending until its archive has been checked: clean archives become active, suspicious ones
 * flagged, unusable ones and those that never came deleted. People move it on from there. What is deleted
 * stays deleted and keeps its number; everything else an administrator can decide again.
 */
export const VERSION_TRANSITIONS = {
  pending: ['active', 'flagged', 'banned', 'deleted'],
  active: ['flagged', 'banned', 'deleted'],
  flagged: ['active', 'banned', 'deleted'],
  banned: ['active', 'flagged', 'deleted'],
  deleted: [],
} as const satisfies Transitions<VersionStatus>;
