import { createRenderers } from '@atelier/renderers';

import type { Outbound } from '../../platform/net/outbound.ts';
import type { Secret } from '../../platform/secret.ts';
import { createHttpImageVendor } from './http-image.ts';
import { createHttpVideoVendor } from './http-video.ts';
import { createLocalImageVendor } from './local-image.ts';
import { createLocalVideoVendor } from './local-video.ts';
import type { VendorAdapter } from './vendor.ts';

interface OutsideVendor {
  readonly baseUrl: string;
  readonly key: Secret;
}

interface Parts {
  readonly imageVendor: OutsideVendor | undefined;
  readonly videoVendor: OutsideVendor | undefined;
  /** How many pictures, and how many videos, are rendered here at once. */
  readonly renderers: number;
  /** A door to a host that the administrator has named. */
  readonly outboundTo: (host: string) => Outbound;
}

/**
 * The first of each vendor takes new tasks: the outside one where there is a key. The local one is there in any case, for tasks that
 * were given to it before there was.
 */
export function createVendors({ imageVendor, videoVendor, renderers, outboundTo }: Parts): VendorAdapter[] {
  const adapters: VendorAdapter[] = [];
  const reach = ({ baseUrl, key }: OutsideVendor) => {
    const outbound = outboundTo(new URL(baseUrl).host);
    return { baseUrl, key, outbound };
  };
  if (imageVendor) adapters.push(createHttpImageVendor(reach(imageVendor)));
  if (videoVendor) adapters.push(createHttpVideoVendor(reach(videoVendor)));
  const threads = Math.max(1, renderers);
  adapters.push(
    createLocalImageVendor({ renderers: createRenderers({ threads }), places: renderers }),
    // Of their own: a picture is not to wait for a video.
    createLocalVideoVendor({ renderers: createRenderers({ threads }), places: renderers }),
  );
  return adapters;
}
