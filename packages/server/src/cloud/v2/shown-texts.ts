import { isObject } from '@atelier/contracts/is-object';
import { parseJson } from '@atelier/engine';

import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

/** A text that a node shows is not a file. In the API v2 every output is an asset, so the id of a text is its position in the outputs of its job. */
export interface ShownText {
  readonly nodeId: string;
  readonly index: number;
  readonly text: string;
}

export interface TextPlace {
  readonly jobId: string;
  readonly nodeId: string;
  readonly index: number;
}

const TEXT_ID = /^text\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{1,400})$/;
const MAX_NODE_ID_LENGTH = 200;

export function textId({ jobId, nodeId, index }: TextPlace): string {
  return `text.${jobId}.${Buffer.from(JSON.stringify([nodeId, index])).toString('base64url')}`;
}

export function parseTextId(id: string): TextPlace | undefined {
  const [, jobId = '', place = ''] = TEXT_ID.exec(id) ?? [];
  const parsed = parseJsonOrUndefined(Buffer.from(place, 'base64url').toString());
  if (!Array.isArray(parsed)) return undefined;
  const [nodeId, index] = parsed as readonly unknown[];
  return typeof nodeId === 'string' && typeof index === 'number' ? { jobId, nodeId, index } : undefined;
}

/** Parses the stored outputs of a job. */
export function readOutputs(text: string): Readonly<Record<string, unknown>> {
  // JSON.parse is several times as fast, and no numbers of the outputs are shown.
  return (parseJsonOrUndefined(text) ?? parseJson(text)) as Readonly<Record<string, unknown>>;
}

/** The texts that nodes show, as `PreviewAny` does. */
export function shownTexts(outputs: Readonly<Record<string, unknown>>): ShownText[] {
  return Object.entries(outputs).flatMap(([nodeId, output]) => {
    const texts = isObject(output) && nodeId.length <= MAX_NODE_ID_LENGTH ? output['text'] : undefined;
    if (!Array.isArray(texts)) return [];
    return texts.flatMap((text: unknown, index) =>
      typeof text === 'string' ? [{ nodeId, index, text }] : [],
    );
  });
}
