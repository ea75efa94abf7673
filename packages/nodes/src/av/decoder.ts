import { valueError } from '@atelier/engine';
import { Codec, CodecContext, type FormatContext, type Frame, Packet, type Stream } from 'node-av/lib';
import { CODEC_THREADS, check } from './ffmpeg.ts';

/** As many as a picture may have that is uploaded: a header may claim any size. */
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
 * The frames that a packet completes, one after the other in the same `frame`; `null` asks for what is left at the end.
 * A packet that is damaged gives none: a file that breaks off is good up to there.
 */
export function* framesOf(
  decoder: CodecContext,
  packet: Packet | null,
  frame: Frame,
): Generator<Frame, void, undefined> {
  decoder.sendPacketSync(packet);
  while (decoder.receiveFrameSync(frame) >= 0) yield frame;
}

/** Reads the next packet; `false` at the end, which a broken file reaches early. */
export function readPacket(format: FormatContext, packet: Packet): boolean {
  packet.unref();
  return format.readFrameSync(packet) >= 0;
}

export function newPacket(): Packet {
  const packet = new Packet();
  packet.alloc();
  return packet;
}
