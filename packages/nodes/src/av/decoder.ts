import { valueError } from '@atelier/engine';
import { Codec, CodecContext, type FormatContext, Frame, Packet, type Stream } from 'node-av/lib';
import { CODEC_THREADS, check, type Pace } from './ffmpeg.ts';
import type { Media } from './open-media.ts';

/** The limit for uploaded pictures, because a header may claim any size. */
const MAX_PIXELS = 67_108_864;

export function openDecoder(stream: Stream, name: string): CodecContext {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (!codec) throw valueError(`${name} has a stream in a format that cannot be decoded.`);
  const decoder = new CodecContext();
  try {
    decoder.allocContext3(codec);
    check(decoder.parametersToContext(stream.codecpar), `Reading ${name}`);
    decoder.pktTimebase = stream.timeBase;
    decoder.threadCount = CODEC_THREADS;
    check(decoder.setOption('max_pixels', MAX_PIXELS), 'Setting the largest size');
    check(decoder.open2Sync(codec), `Opening the decoder for ${name}`);
    return decoder;
  } catch (error) {
    decoder.freeContext();
    throw error;
  }
}

/**
 * The frames that a packet completes, one after the other in the same `frame`; `null` asks for the rest at the end. A damaged
 * packet gives no frames, so a truncated file is good up to that point.
 */
export function* framesOf(
  decoder: CodecContext,
  packet: Packet | null,
  frame: Frame,
): Generator<Frame, void, undefined> {
  decoder.sendPacketSync(packet);
  while (decoder.receiveFrameSync(frame) >= 0) yield frame;
}

/** Takes the frames of a stream until it has enough. */
export interface FrameTaker {
  readonly stream: Stream;
  add(frame: Frame): void;
  done(): boolean;
}

/** Decodes streams of a file side by side, until all takers have enough or the file ends. */
export async function decodeStreams(media: Media, takers: readonly FrameTaker[], pace: Pace): Promise<void> {
  using parts = new DisposableStack();
  const packet = parts.use(newPacket());
  const frame = parts.use(new Frame());
  frame.alloc();
  const readers = takers.map((taker) => ({
    taker,
    decoder: parts.use(openDecoder(taker.stream, media.name)),
  }));
  async function take({ taker, decoder }: (typeof readers)[number], from: Packet | null): Promise<void> {
    if (taker.done()) return;
    for (const decoded of framesOf(decoder, from, frame)) {
      await pace();
      taker.add(decoded);
      if (taker.done()) return;
    }
  }
  while (!takers.every((taker) => taker.done()) && readPacket(media.format, packet)) {
    await pace();
    const reader = readers.find(({ taker }) => taker.stream.index === packet.streamIndex);
    if (reader) await take(reader, packet);
  }
  for (const reader of readers) await take(reader, null);
}

/** Reads the next packet. Returns `false` at the end, which a broken file reaches early. */
export function readPacket(format: FormatContext, packet: Packet): boolean {
  packet.unref();
  return format.readFrameSync(packet) >= 0;
}

export function newPacket(): Packet {
  const packet = new Packet();
  packet.alloc();
  return packet;
}
