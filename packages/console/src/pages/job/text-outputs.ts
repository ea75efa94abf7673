import type { JobDetail } from '@atelier/sdk';

/** A text that a node shows. */
export interface TextOutput {
  readonly nodeId: string;
  readonly text: string;
}

export function textOutputs({ outputs = {} }: Pick<JobDetail, 'outputs'>): TextOutput[] {
  return Object.entries(outputs).flatMap(([nodeId, output]) => {
    const texts = (output as { readonly text?: unknown } | null)?.text;
    if (!Array.isArray(texts)) return [];
    return texts.filter((text) => typeof text === 'string').map((text) => ({ nodeId, text }));
  });
}
