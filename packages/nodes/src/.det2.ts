import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { createMediaWriter } from './av/media-writer.ts';
import { newFrame } from './av/pixels.ts';
import { addVideoTrack } from './av/video-track.ts';

async function run(options: Record<string, string>) {
  {
    using wr = createMediaWriter('/tmp/avx/det2.mp4', 'mp4', {});
    const t = addVideoTrack(wr, {
      codec: 'h264',
      width: 64,
      height: 48,
      pixelFormat: AV_PIX_FMT_YUV420P,
      frameRate: { num: 24, den: 1 },
      timeBase: { num: 1, den: 24 },
      colors: undefined,
      options,
      reorder: true,
    });
    wr.start();
    for (let i = 0; i < 20; i++) {
      using f = newFrame(AV_PIX_FMT_YUV420P, { width: 64, height: 48 });
      f.getBuffer();
      f.data!.forEach((b, k) => {
        for (let j = 0; j < b.length; j++)
          b[j] = (k === 0 ? (j % 64) * 3 + (j >> 6) + i : 100 + i + k * 5 + (j % 32)) & 255;
      });
      t.write(f, { stamp: i, duration: 1 });
    }
    await wr.finish(() => undefined);
  }
  return createHash('md5').update(readFileSync('/tmp/avx/det2.mp4')).digest('hex').slice(0, 6);
}
for (const o of [
  {},
  { threads: '1' },
  { 'x264-params': 'asm=0' },
  { 'x264-params': 'mbtree=0' },
  { 'x264-params': 'aq-mode=0' },
  { 'x264-params': 'trellis=0' },
  { 'x264-params': 'weightp=0' },
  { 'x264-params': 'bframes=0' },
  { 'x264-params': 'threads=1:lookahead-threads=1:sync-lookahead=0' },
  { 'x264-params': 'cqm=flat:qp=20' },
] as Record<string, string>[]) {
  const m = new Map();
  for (let i = 0; i < 15; i++) {
    const h = await run(o);
    m.set(h, (m.get(h) ?? 0) + 1);
  }
  console.log(JSON.stringify(o), m.size, [...m.values()].join());
}
