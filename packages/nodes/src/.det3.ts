import { createHash } from 'node:crypto';
import { AV_PIX_FMT_RGB24, AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { createPixelConverter, newFrame } from './av/pixels.ts';
import { SRGB_TAGS } from './av/video-track.ts';
import { gradients } from './test/clips.ts';
import { picture } from './values/image.ts';
import { packPicture } from './video/kernels/planes.ts';

const images = gradients({ frames: 20 });
const { width, height } = images;
const seen: Map<string, number>[] = Array.from({ length: 20 }, () => new Map());
let ref: Buffer[] = [];
for (let t = 0; t < 40; t++) {
  using c = createPixelConverter();
  using s = newFrame(AV_PIX_FMT_RGB24, images);
  s.getBuffer();
  for (let i = 0; i < 20; i++) {
    packPicture(
      picture(images, i),
      { data: s.data![0]!, stride: s.linesize[0]! },
      { width, height, channels: 3, wanted: 3, scale: 255 },
    );
    using d = newFrame(AV_PIX_FMT_YUV420P, images);
    Object.assign(d, SRGB_TAGS);
    d.getBuffer();
    c.convert(d, s);
    const b = d.toBuffer();
    if (t === 0) ref.push(b);
    else {
      let df = [];
      for (let k = 0; k < b.length; k++) if (b[k] !== ref[i]![k]) df.push([k, b[k], ref[i]![k]]);
      if (df.length && seen[0]!.size < 5) {
        console.log(
          't',
          t,
          'frame',
          i,
          df.length,
          JSON.stringify(df.slice(0, 6)),
          d.linesize.slice(0, 3),
          s.linesize[0],
        );
        seen[0]!.set(String(t * 100 + i), 1);
      }
    }
    const h = createHash('md5').update(b).digest('hex').slice(0, 5);
    if (i > 0) seen[i]!.set(h, (seen[i]!.get(h) ?? 0) + 1);
  }
}
console.log(
  seen
    .slice(1)
    .map((m) => m.size)
    .join(),
);
