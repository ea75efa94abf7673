import type { Frame, Message } from '../support/sockets.ts';

/** A picture or a text that came as a binary frame. */
export type BinaryFrame =
  | { readonly kind: 'picture'; readonly node: string; readonly promptId: string; readonly bytes: Buffer }
  | { readonly kind: 'text'; readonly node: string; readonly text: string };

const TEXT = 3;
const PICTURE_WITH_METADATA = 4;

export function binaryFrames(frames: readonly Frame[]): BinaryFrame[] {
  return frames.filter((frame) => Buffer.isBuffer(frame)).map(readFrame);
}

function readFrame(frame: Buffer): BinaryFrame {
  const kind = frame.readUInt32BE(0);
  if (kind === TEXT) {
    const end = 8 + frame.readUInt32BE(4);
    return { kind: 'text', node: frame.toString('utf8', 8, end), text: frame.toString('utf8', end) };
  }
  if (kind !== PICTURE_WITH_METADATA)
    return { kind: 'picture', node: '', promptId: '', bytes: frame.subarray(8) };
  const end = 8 + frame.readUInt32BE(4);
  const about = JSON.parse(frame.toString('utf8', 8, end)) as { node_id: string; prompt_id: string };
  return { kind: 'picture', node: about.node_id, promptId: about.prompt_id, bytes: frame.subarray(end) };
}

export function messagesAbout(frames: readonly Frame[], promptId: string): Message[] {
  return frames.filter(
    (frame): frame is Message => !Buffer.isBuffer(frame) && frame.data['prompt_id'] === promptId,
  );
}
