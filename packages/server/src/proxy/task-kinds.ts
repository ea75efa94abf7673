/** As in the paths. */
export type VendorName = 'imagevendor' | 'videovendor';

/** What a task makes. */
export const TASK_KINDS = ['skin-creative', 'skin-faithful', 'skin-flexible', 'relight', 'video'] as const;

export type TaskKind = (typeof TASK_KINDS)[number];

export function vendorOf(kind: TaskKind): VendorName {
  return kind === 'video' ? 'videovendor' : 'imagevendor';
}
