import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SRGB_TAGS } from './av/video-track.ts';
import { writeVideo } from './av/write-video.ts';
import { gradients } from './test/clips.ts';
import { nodeContext } from './test/run-node.ts';
import { sines } from './test/sounds.ts';

using ctx = nodeContext();
const images = gradients({ frames: 20 });
async function trial(
  label: string,
  audio: any,
  codec: any,
  options: any,
  n = 25,
  container: any = 'mp4',
  im = images,
) {
  const m = new Map<string, number>();
  let files: Buffer[] = [];
  for (let i = 0; i < n; i++) {
    await writeVideo(
      '/tmp/avx/det.mp4',
      {
        images: im,
        first: 0,
        count: im.batch,
        frameRate: { num: 24, den: 1 },
        audio,
        pixels: 'yuv420p',
        colors: SRGB_TAGS,
      },
      { container, codec, options, tags: {} },
      ctx,
    );
    const b = readFileSync('/tmp/avx/det.mp4');
    const h = createHash('md5').update(b).digest('hex').slice(0, 6);
    if (!m.has(h)) files.push(b);
    m.set(h, (m.get(h) ?? 0) + 1);
  }
  console.log(label, [...m]);
  if (files.length > 1) {
    const [a, b] = files as [Buffer, Buffer];
    let d = 0,
      first = -1;
    for (let i = 0; i < Math.min(a.length, b.length); i++)
      if (a[i] !== b[i]) {
        d++;
        if (first < 0) first = i;
      }
    console.log('   sizes', a.length, b.length, 'diff bytes', d, 'first', first);
  }
}
await trial('h264 t4 no audio', null, 'h264', {});
await trial('h264 t1 no audio', null, 'h264', { threads: '1' });
await trial('h264 t1 audio', sines({ samples: 20000 }), 'h264', { threads: '1' });
await trial('h264 t4 audio', sines({ samples: 20000 }), 'h264', {});
await trial(
  'h264 t4 320x240',
  null,
  'h264',
  {},
  15,
  'mp4',
  gradients({ frames: 40, width: 320, height: 240 }),
);
await trial(
  'h264 t1 320x240',
  null,
  'h264',
  { threads: '1' },
  15,
  'mp4',
  gradients({ frames: 40, width: 320, height: 240 }),
);
await trial('vp9', null, 'vp9', { crf: '30' }, 10, 'webm');
await trial(
  'vp9 320',
  null,
  'vp9',
  { crf: '30' },
  6,
  'webm',
  gradients({ frames: 20, width: 320, height: 240 }),
);
await trial('av1 320', null, 'av1', {}, 10, 'webm', gradients({ frames: 40, width: 320, height: 240 }));
