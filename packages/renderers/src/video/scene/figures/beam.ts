import { paintTexture, type Texture } from '../../texture.ts';

/** Light from a lamp to one side, wider and fainter with the distance; `falls` is how far it sinks on its way. */
export function paintBeam(way: -1 | 1, { falls = 0 } = {}): Texture {
  const width = 96;
  const height = 40;
  return paintTexture(
    { width, height },
    (row, y) => {
      for (let x = 0, at = 0; x < width; x++, at += 4) {
        const along = (way > 0 ? x + 0.5 : width - x - 0.5) / width;
        const aside = ((y + 0.5) / height - 0.5 - falls * along) / (0.06 + 0.4 * along);
        const level = Math.exp(-aside * aside * 2.2) * (1 - along) ** 1.6 * 0.62;
        row[at] = 255 * level;
        row[at + 1] = 232 * level;
        row[at + 2] = 184 * level;
      }
    },
    { premultiplied: true },
  );
}
