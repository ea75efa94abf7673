import sharp from 'sharp';

interface PictureOptions {
  readonly format?: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif';
  readonly width?: number;
  readonly height?: number;
}

/** A small picture with something to work on: a face of skin tones before a blue wall, lit from one side. */
export async function face({
  format = 'png',
  width = 96,
  height = 96,
}: PictureOptions = {}): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = [(x / width - 0.5) * 2, (y / height - 0.5) * 2];
      const isFace = u * u * 1.8 + v * v < 0.7;
      const texture = ((x * 7 + y * 13) % 11) - 5;
      const light = 1 - 0.35 * u;
      const tone = isFace ? [206, 158, 132] : [70, 92, 120];
      tone.forEach((value, channel) => {
        pixels[(y * width + x) * 3 + channel] = Math.min(255, Math.max(0, value * light + texture));
      });
    }
  }
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  return await picture.toFormat(format).toBuffer();
}

export async function faceText(options: PictureOptions = {}): Promise<string> {
  return (await face(options)).toString('base64');
}

/** One color, in whatever size. */
export async function plain(width: number, height: number, background = '#806040'): Promise<Buffer> {
  return await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}
