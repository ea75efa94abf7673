import { clamp } from '../curves.ts';
import { fractalTile, readTile } from '../noise.ts';
import { between, seededRandom } from '../random.ts';
import { along, type Rgb } from '../rgb.ts';
import { paintTexture } from '../texture.ts';
import { drawBoard, type Element, type Site, textureSize } from './site.ts';

/** A spiral galaxy, seen from the side; it turns. */
export function createGalaxy(site: Site, colors: readonly Rgb[]): Element {
  const { size, seed } = site;
  const random = seededRandom(seed, 'galaxy');
  const tilt = between(random, 0.38, 0.62);
  const turn = between(random, -0.5, 0.5);
  const arms = random() < 0.7 ? 2 : 3;
  const dust = fractalTile(256, { seed: seed + 951, cells: 6, octaves: 5, gain: 0.6 });
  const edge = Math.min(size.width, size.height * 1.5);
  // Painted anew for every frame, since it turns; it is soft enough to be enlarged.
  const detail = Math.min(1, 300 / (edge * site.density));
  const density = site.density * detail;
  const pixels = textureSize({ density }, { width: edge, height: edge });
  const left = size.width / 2 - edge / 2;
  const top = size.height * 0.48 - edge / 2;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return {
    draw(planes, view) {
      const spin = view.seconds * 0.07;
      const texture = paintTexture(
        pixels,
        (row, y) => {
          for (let x = 0, at = 0; x < pixels.width; x++, at += 4) {
            const dx = (x / pixels.width - 0.5) * 2;
            const dy = (y / pixels.height - 0.5) * 2;
            const px = dx * cos + dy * sin;
            const py = (dy * cos - dx * sin) / tilt;
            const away = Math.hypot(px, py);
            if (away > 1) continue;
            const angle = Math.atan2(py, px) - spin;
            const noise = readTile(
              dust,
              Math.cos(angle) * away * 120 + 128,
              Math.sin(angle) * away * 120 + 128,
            );
            const wave = Math.cos(arms * (angle - 4.2 * Math.log(away + 0.06)) + noise * 1.3);
            const arm = clamp(wave * 0.5 + 0.5) ** 2.2 * Math.exp(-away * 2.1) * (0.75 + 0.75 * noise);
            const core = Math.exp(-((away / 0.13) ** 2)) + 0.5 * Math.exp(-away * 7);
            const fade = clamp((1 - away) * 3);
            const level = clamp(arm * 1.5 + core * 1.1) * fade;
            const color = along(colors, 0.42 + 0.58 * clamp(core + arm * 0.6));
            row[at] = color[0] * level * 1.25;
            row[at + 1] = color[1] * level * 1.25;
            row[at + 2] = color[2] * level * 1.25;
          }
        },
        { premultiplied: true },
      );
      drawBoard(planes, site, { texture, left, top, depth: 0.2, detail }, view);
    },
  };
}
