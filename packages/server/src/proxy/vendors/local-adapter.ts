import type { VendorName } from '@atelier/contracts';
import { RenderError, type Renderers, type RenderRequest } from '@atelier/renderers';

import type { VendorAdapter, VendorFile, VendorTask } from './vendor.ts';

const LOCAL = '-local';

export interface LocalRenderer {
  /** Stored with tasks, so never renamed. The suffix says that this server made them. */
  readonly adapter: `${string}${typeof LOCAL}`;
  readonly title: string;
  readonly about: string;
  readonly understand: NonNullable<VendorAdapter['understand']>;
  readonly toRender: (task: VendorTask) => Promise<Render> | Render;
}

interface Render {
  readonly request: RenderRequest;
  readonly files: readonly VendorFile[];
}

export function isLocalAdapter(name: string): boolean {
  return name.endsWith(LOCAL);
}

export function createLocalAdapter(
  vendor: VendorName,
  { adapter, title, about, understand, toRender }: LocalRenderer,
  { renderers, places }: { readonly renderers: Renderers; readonly places: number },
): VendorAdapter {
  return {
    name: adapter,
    vendor,
    isRepeatable: true,
    places,
    description: { title, isLocal: true, about },
    understand,
    async begin(task, { signal, onProgress }) {
      const { request, files } = await toRender(task);
      try {
        await renderers.render(request, { signal, onProgress: (done) => onProgress(done * 100) });
        return { state: 'done', files };
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        return { state: 'failed', code: 'ImageFormatInvalid', message: error.message };
      }
    },
    async check() {
      throw new Error('A local task is never left with its vendor.');
    },
    close: renderers.close,
  };
}
