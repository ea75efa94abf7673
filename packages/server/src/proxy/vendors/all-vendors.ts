import { VENDOR_NAMES, VENDORS, type VendorName, type VendorSetting } from '@atelier/contracts';
import { createRenderers } from '@atelier/renderers';

import type { Outbound } from '../../platform/net/outbound.ts';
import type { Secret } from '../../platform/secret.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { imageVendor } from './image-vendor.ts';
import { createLocalAdapter } from './local-adapter.ts';
import type { VendorAdapter } from './vendor.ts';
import type { VendorDefinition } from './vendor-definition.ts';
import { videoVendor } from './video-vendor.ts';

const DEFINITIONS: { readonly [Name in VendorName]: VendorDefinition<Name> } = {
  imagevendor: imageVendor,
  videovendor: videoVendor,
};

export function definitionOf(vendor: VendorName): VendorDefinition {
  return DEFINITIONS[vendor];
}

interface Parts {
  readonly accounts: Readonly<Partial<Record<VendorSetting, VendorAccount>>>;
  readonly renderers: number;
  /** A client for a host that the administrator has named. */
  readonly outboundTo: (host: string) => Outbound;
}

interface VendorAccount {
  readonly baseUrl: string;
  readonly key: Secret;
}

/** The first adapter of a vendor takes new tasks. The local one always exists, for tasks from before a key was set. */
export function createAdapters({ accounts, renderers, outboundTo }: Parts): VendorAdapter[] {
  return VENDOR_NAMES.flatMap((name) => {
    const { http, local } = definitionOf(name);
    const account = accounts[VENDORS[name].setting];
    // Each vendor has its own threads, so that a picture does not wait for a video.
    const own = { renderers: createRenderers({ threads: Math.max(1, renderers) }), places: renderers };
    const adapters = [createLocalAdapter(name, local, own)];
    if (account) {
      const outbound = outboundTo(new URL(account.baseUrl).host);
      adapters.unshift(createHttpAdapter(name, http, { ...account, outbound }));
    }
    return adapters;
  });
}
