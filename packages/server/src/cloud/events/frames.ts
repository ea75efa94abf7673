import type { PreviewData } from '@atelier/contracts';

import type { MessageEvent, PictureEvent, PreviewEvent } from './user-event.ts';

const PREVIEW = 1;
const TEXT = 3;
const PREVIEW_WITH_METADATA = 4;
const IMAGE_TYPES = { 'image/jpeg': 1, 'image/png': 2 } as const;

/** All sockets of a user share one frame. */
const messageFrames = new WeakMap<MessageEvent, Buffer>();

export function messageFrame(event: MessageEvent): Buffer {
  return messageFrames.getOrInsertComputed(event, ({ type, data }) =>
    Buffer.from(`{"type":${JSON.stringify(type)},"data":${data}}`),
  );
}

/** The picture alone, for clients that have not asked for metadata. */
export function previewFrame({ image_type }: PreviewData, bytes: Uint8Array): Buffer {
  return Buffer.concat([numbers(PREVIEW, IMAGE_TYPES[image_type]), bytes]);
}

/** All sockets of a user share one frame of each layout. */
const pictureFrames = {
  plain: new WeakMap<PictureEvent | PreviewEvent, Buffer>(),
  metadata: new WeakMap<PictureEvent | PreviewEvent, Buffer>(),
};

export function pictureFrame(event: PictureEvent | PreviewEvent, layout: 'plain' | 'metadata'): Buffer {
  const render = layout === 'plain' ? previewFrame : metadataPreviewFrame;
  return pictureFrames[layout].getOrInsertComputed(event, ({ about, bytes }) => render(about, bytes));
}

/** A picture with its node and job. */
export function metadataPreviewFrame(data: PreviewData, bytes: Uint8Array): Buffer {
  const metadata = Buffer.from(JSON.stringify(data));
  return Buffer.concat([numbers(PREVIEW_WITH_METADATA, metadata.length), metadata, bytes]);
}

export function textFrame({ node_id, text }: { readonly node_id: string; readonly text: string }): Buffer {
  const node = Buffer.from(node_id);
  return Buffer.concat([numbers(TEXT, node.length), node, Buffer.from(text)]);
}

/** Every binary frame begins with two big-endian numbers. */
function numbers(first: number, second: number): Buffer {
  const head = Buffer.allocUnsafe(8);
  head.writeUInt32BE(first, 0);
  head.writeUInt32BE(second, 4);
  return head;
}
