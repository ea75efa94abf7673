import type { JobDetail } from '@atelier/sdk';

/** A text that a node shows. */
export interface ShownText {
  readonly nodeId: string;
  readonly text: string;
}

export function shownTexts({ outputs = {} }: Pick<JobDetail, 'outputs'>): ShownText[] {
  return Object.entries(outputs).flatMap(([nodeId, output]) => {
    const texts = (output as { readonly text?: unknown } | null)?.text;
    if (!Array.isArray(texts)) return [];
    return texts.filter((text) => typeof text === 'string').map((text) => ({ nodeId, text }));
  });
}
