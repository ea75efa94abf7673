import { create } from 'content-disposition';

import type { Disposition } from './file-store.ts';

/** The name is always quoted, as in ComfyUI: its clients look for the quotes. */
export function contentDisposition(name: string, type: Disposition): string {
  return create(name, { type }).replace(/^(\w+; filename=)([^";\s]+)/, '$1"$2"');
}
