import { create } from 'content-disposition';

import type { Disposition } from './file-store.ts';

/** The name is always in quotes: ComfyUI has it so, and its clients look for them. */
export function contentDisposition(name: string, type: Disposition): string {
  return create(name, { type }).replace(/^(\w+; filename=)([^";\s]+)/, '$1"$2"');
}
