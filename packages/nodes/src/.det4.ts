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

for (const p of ['asm=0','asm=SSE4.2','asm=AVX2','mbtree=0','weightp=0','aq-mode=0','trellis=0','psy-rd=0,0','bframes=0','b-adapt=0','8x8dct=0','subme=1','direct=none','rc-lookahead=0','scenecut=0','ref=1','qp=20']) await trial(p, sines({samples:20000}),'h264',{'x264-params':p},20);
