/** As in the paths. */
export type VendorName = 'imagevendor' | 'videovendor';

/** What a task makes. */
export type TaskKind = 'skin-creative' | 'skin-faithful' | 'skin-flexible' | 'relight' | 'video';

export function vendorOf(kind: TaskKind): VendorName {
  return kind === 'video' ? 'videovendor' : 'imagevendor';
}
