import type { VendorAdapter, VendorContext, VendorTask, VendorTaskStatus } from '../vendors/vendor.ts';
import { writeResult } from './proxy-on.ts';

export type Begin = (task: VendorTask, context: VendorContext) => Promise<VendorTaskStatus>;

export interface ScriptedVendor extends VendorAdapter {
  /** The tasks it was asked to begin, in order. */
  readonly begun: string[];
  readonly checked: string[];
}

interface Script {
  readonly vendor?: VendorAdapter['vendor'];
  readonly isRepeatable?: boolean;
  readonly isLocal?: boolean;
  readonly places?: number;
  readonly begin?: Begin;
  readonly check?: Begin;
}

/** A vendor that does as it is told, and keeps count. */
export function scriptedVendor(script: Script = {}): ScriptedVendor {
  const { vendor = 'imagevendor', isRepeatable = false, isLocal = false, places = 2 } = script;
  const { begin = handOver, check = handOver } = script;
  const begun: string[] = [];
  const checked: string[] = [];
  return {
    name: `scripted-${vendor}`,
    vendor,
    isRepeatable,
    places,
    description: { title: 'Scripted', isLocal, about: 'For tests.' },
    begun,
    checked,
    async begin(task, context) {
      begun.push(task.id);
      return await begin(task, context);
    },
    async check(vendorTaskId, task, context) {
      checked.push(vendorTaskId);
      return await check(task, context);
    },
    close: async () => {},
  };
}

/** It is done at once. */
export async function handOver(task: VendorTask): Promise<VendorTaskStatus> {
  return { state: 'done', files: [{ from: { path: await writeResult(task.folder) }, role: 'picture' }] };
}
