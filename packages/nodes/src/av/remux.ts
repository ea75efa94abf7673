import {
  AV_CODEC_ID_HEVC,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { newPacket, readPacket } from './decoder.ts';
import { check, pacer, type Work } from './ffmpeg.ts';
import { type Container, createMediaWriter, type PacketSink, type Tags } from './media-writer.ts';
import type { Media } from './open-media.ts';

/** Tags that containers write about themselves. */
const OWN_TAGS = new Set(['major_brand', 'minor_version', 'compatible_brands', 'encoder']);

/** The tags of the source, replaced by new ones of the same name. */
export function tagsOver({ format }: Media, tags: Tags): Tags {
  const known = Object.entries(format.metadata?.getAll() ?? {}).filter(
    ([key]) => !OWN_TAGS.has(key.toLowerCase()),
  );
  const isNew = new Set(Object.keys(tags).map((key) => key.toLowerCase()));
  return { ...Object.fromEntries(known.filter(([key]) => !isNew.has(key.toLowerCase()))), ...tags };
}

/** Copies the streams of a file as they are. */
export async function remux(
  media: Media,
  path: string,
  { container, tags }: { readonly container: Container; readonly tags: Tags },
  work: Pick<Work, 'checkpoint'>,
): Promise<void> {
  using writer = createMediaWriter(path, container, tagsOver(media, tags));
  const sinks = new Map<number, PacketSink>();
  for (const stream of media.streams) {
    const { codecpar } = stream;
    if (![AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE].includes(codecpar.codecType))
      continue;
    const sink = writer.addStream((copy) => {
      check(codecpar.copy(copy.codecpar), 'Copying a stream');
      // Each container has its own tags; of the two for HEVC, players want this one.
      copy.codecpar.codecTag = codecpar.codecId === AV_CODEC_ID_HEVC && container === 'mp4' ? 'hvc1' : 0;
      copy.avgFrameRate = stream.avgFrameRate;
      copy.disposition = stream.disposition;
      copy.sampleAspectRatio = stream.sampleAspectRatio;
    }, stream.timeBase);
    sinks.set(stream.index, sink);
  }
  writer.start();
  const pace = pacer(work);
  using packet = newPacket();
  while (readPacket(media.format, packet)) {
    await pace();
    sinks.get(packet.streamIndex)?.(packet);
  }
  await writer.finish(pace);
}
