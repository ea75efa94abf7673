import type { Outbound } from '../../platform/net/outbound.ts';
import { OutboundError } from '../../platform/net/outbound-error.ts';
import type { FileRole, VendorFile } from './vendor.ts';

const MAX_URL_LENGTH = 8_192;

/** `undefined` unless the vendor named an address from which a result may be fetched. */
export async function toResultFile(
  outbound: Outbound,
  said: unknown,
  { role, signal }: { readonly role: FileRole; readonly signal: AbortSignal },
): Promise<VendorFile | undefined> {
  if (typeof said !== 'string' || said.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(said);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  const isFetchable = url.protocol === 'https:' || (await isException(outbound, url, signal));
  return isFetchable ? { from: { url: url.href, outbound }, role } : undefined;
}

/** Plain http is for hosts that the administrator has listed. */
async function isException(outbound: Outbound, url: URL, signal: AbortSignal): Promise<boolean> {
  if (url.protocol !== 'http:') return false;
  try {
    await outbound.check(url, { protocols: ['https:'], signal });
    return true;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A host that cannot be resolved now is checked again when the file is fetched.
    return !error.isPermanent;
  }
}
