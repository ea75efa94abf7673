import { RenderError, type Renderers, type RenderRequest } from '@atelier/renderers';

import type { VendorContext, VendorFile, VendorStanding } from './vendor.ts';

/** Renders, and says what came of it as a vendor would. */
export async function renderLocally(
  renderers: Renderers,
  request: RenderRequest,
  { signal, onProgress }: VendorContext,
  files: readonly VendorFile[],
): Promise<VendorStanding> {
  try {
    await renderers.render(request, { signal, onProgress: (done) => onProgress(done * 100) });
    return { state: 'done', files };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { state: 'failed', code: 'ImageFormatInvalid', message: error.message };
  }
}
