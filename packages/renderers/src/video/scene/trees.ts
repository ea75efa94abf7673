import { clamp } from '../curves.ts';
import { between, type Random } from '../random.ts';
import { type Canvas, dab, drawLine, newCanvas, type Sprite } from './canvas.ts';

/** Trees of a kind, each a little different; lit from the right. */
export type TreeKind = 'conifer' | 'broadleaf' | 'palm' | 'bare';

export function growTrees(
  kind: TreeKind,
  random: Random,
  { count, height }: { readonly count: number; readonly height: number },
): readonly Sprite[] {
  return Array.from({ length: count }, () => {
    switch (kind) {
      case 'conifer':
        return conifer(random, height);
      case 'broadleaf':
        return broadleaf(random, height);
      case 'palm':
        return palm(random, height);
      case 'bare':
        return bare(random, height);
    }
  });
}

function toSprite({ width, height, data }: Canvas): Sprite {
  const alpha = new Float32Array(width * height);
  const shade = new Float32Array(width * height);
  for (let at = 0; at < alpha.length; at++) {
    const cover = data[at * 4 + 3] as number;
    alpha[at] = cover;
    shade[at] = cover > 0 ? clamp((data[at * 4] as number) / cover / 255) : 0;
  }
  return { width, height, alpha, shade };
}

function grey(level: number): readonly [number, number, number] {
  const value = clamp(level) * 255;
  return [value, value, value];
}

function conifer(random: Random, height: number): Sprite {
  const slender = between(random, 0.17, 0.25);
  const canvas = newCanvas({ width: Math.ceil(height * 0.56), height });
  const middle = canvas.width / 2;
  const lean = between(random, -0.02, 0.02) * height;
  const trunkAt = (down: number): number => middle + lean * (1 - down);
  drawLine(canvas, [trunkAt(0), height * 0.02], [middle, height], {
    color: grey(0.16),
    thickness: height * 0.006,
    end: height * 0.03,
  });
  fillInside(canvas, random, { trunkAt, slender, height });
  const tiers = Math.round(between(random, 40, 52));
  for (let tier = 0; tier < tiers; tier++) {
    const down = (tier + 0.6) / tiers;
    const y = height * (0.01 + 0.93 * down);
    const reach = height * slender * (0.06 + down ** 0.85) * between(random, 0.75, 1.1);
    for (const side of [-1, 1]) {
      const length = reach * between(random, 0.72, 1.08);
      const light = 0.3 + (side > 0 ? 0.4 : 0.04) + between(random, -0.14, 0.14);
      branch(canvas, random, {
        x: trunkAt(down),
        y,
        dx: side * length,
        droop: length * between(random, 0.22, 0.5),
        light,
        thickness: height * 0.013,
      });
    }
    branch(canvas, random, {
      x: trunkAt(down),
      y,
      dx: between(random, -0.4, 0.5) * reach,
      droop: reach * 0.5,
      light: 0.42 + between(random, -0.15, 0.2),
      thickness: height * 0.013,
    });
  }
  return toSprite(canvas);
}

/** The dark inside of a conifer, so that the sky does not show between its branches. */
function fillInside(
  canvas: Canvas,
  random: Random,
  { trunkAt, slender, height }: { trunkAt: (down: number) => number; slender: number; height: number },
): void {
  for (let y = Math.floor(height * 0.06); y < height * 0.93; y++) {
    const down = y / height;
    const reach = height * slender * (0.04 + down ** 0.85) * 0.62;
    for (const side of [-1, 1]) {
      const length = reach * between(random, 0.75, 1.25);
      for (let x = 0; x <= length; x++) {
        const light = 0.14 + (side > 0 ? 0.16 : 0.02) + random() * 0.12;
        dab(canvas, Math.round(trunkAt(down) + side * x), y, grey(light), 0.92);
      }
    }
  }
}

interface Branch {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly droop: number;
  readonly light: number;
  readonly thickness: number;
}

/** A branch with needles that hang from it. */
function branch(canvas: Canvas, random: Random, { x, y, dx, droop, light, thickness }: Branch): void {
  const parts = 5;
  for (let part = 0; part < parts; part++) {
    const from = part / parts;
    const to = (part + 1) / parts;
    const bend = (at: number): number => y + droop * at ** 1.5;
    const width = thickness * (1.5 - to);
    drawLine(canvas, [x + dx * from, bend(from)], [x + dx * to, bend(to)], {
      color: grey(light + to * 0.16),
      thickness: width,
      end: width * 0.8,
    });
    const hang = thickness * between(random, 1.2, 2.6) * (1.2 - to * 0.7);
    drawLine(canvas, [x + dx * to, bend(to)], [x + dx * (to + 0.03), bend(to) + hang], {
      color: grey(light - 0.12),
      thickness: thickness * 0.9,
      end: 0.5,
    });
  }
}

function broadleaf(random: Random, height: number): Sprite {
  const canvas = newCanvas({ width: Math.ceil(height * 1.02), height });
  const middle = canvas.width / 2;
  const fork = height * between(random, 0.6, 0.68);
  drawLine(canvas, [middle, height], [middle + between(random, -0.02, 0.02) * height, fork], {
    color: grey(0.16),
    thickness: height * 0.055,
    end: height * 0.032,
  });
  const clumps = Array.from({ length: 17 }, () => {
    const angle = random() * Math.PI * 2;
    const away = random() ** 0.6;
    return {
      x: middle + Math.cos(angle) * away * height * 0.33,
      y: height * 0.36 + Math.sin(angle) * away * height * 0.25,
      radius: height * between(random, 0.1, 0.17),
    };
  });
  for (const { x, y } of clumps.slice(0, 9))
    drawLine(canvas, [middle, fork], [x, y], {
      color: grey(0.14),
      thickness: height * 0.02,
      end: height * 0.006,
    });
  for (const { x, y, radius } of clumps.toSorted((a, b) => a.y - b.y))
    leafClump(canvas, random, { x, y, radius, height });
  return toSprite(canvas);
}

function leafClump(
  canvas: Canvas,
  random: Random,
  { x, y, radius, height }: { x: number; y: number; radius: number; height: number },
): void {
  const leaves = 150;
  for (let leaf = 0; leaf < leaves; leaf++) {
    const angle = random() * Math.PI * 2;
    const away = random() ** 0.55;
    const dx = Math.cos(angle) * away;
    const dy = Math.sin(angle) * away;
    const light =
      0.46 + dx * 0.2 - dy * 0.3 + (0.4 - (y + dy * radius) / height) * 0.25 + between(random, -0.16, 0.16);
    dot(
      canvas,
      x + dx * radius,
      y + dy * radius * 0.86,
      Math.max(0.7, height * 0.0105 * between(random, 0.7, 1.4)),
      light,
    );
  }
}

function dot(canvas: Canvas, x: number, y: number, radius: number, light: number): void {
  const color = grey(light);
  for (let row = Math.floor(y - radius); row <= y + radius; row++) {
    for (let column = Math.floor(x - radius); column <= x + radius; column++) {
      dab(canvas, column, row, color, clamp(radius + 0.5 - Math.hypot(column + 0.5 - x, row + 0.5 - y)));
    }
  }
}

function palm(random: Random, height: number): Sprite {
  const canvas = newCanvas({ width: Math.ceil(height * 0.95), height });
  const middle = canvas.width / 2;
  const lean = between(random, 0.08, 0.2) * height * (random() < 0.5 ? -1 : 1);
  const head: readonly [number, number] = [middle + lean * 0.5, height * 0.3];
  const trunk = (at: number): readonly [number, number] => [
    middle - lean * 0.5 + lean * at ** 1.7,
    height - (height - head[1]) * at,
  ];
  for (let part = 0; part < 12; part++) {
    drawLine(canvas, trunk(part / 12), trunk((part + 1) / 12), {
      color: grey(part % 2 === 0 ? 0.24 : 0.32),
      thickness: height * 0.03 * (1 - part * 0.04),
    });
  }
  for (let frond = 0; frond < 13; frond++) {
    const angle = -Math.PI / 2 + ((frond - 6) / 6) * 2.35 + between(random, -0.15, 0.15);
    const length = height * between(random, 0.27, 0.36);
    drawFrond(canvas, {
      head,
      angle,
      length,
      height,
      light: 0.35 + Math.max(0, Math.cos(angle)) * 0.25 + between(random, -0.1, 0.15),
    });
  }
  return toSprite(canvas);
}

interface Frond {
  readonly head: readonly [number, number];
  readonly angle: number;
  readonly length: number;
  readonly height: number;
  readonly light: number;
}

function drawFrond(canvas: Canvas, { head, angle, length, height, light }: Frond): void {
  const place = (at: number): readonly [number, number] => [
    head[0] + Math.cos(angle) * length * at,
    head[1] + Math.sin(angle) * length * at + length * 0.72 * at * at,
  ];
  for (let part = 0; part < 16; part++) {
    const at = part / 16;
    const here = place(at);
    drawLine(canvas, here, place((part + 1) / 16), { color: grey(light), thickness: height * 0.009 });
    const leaf = length * 0.3 * Math.sin(Math.PI * (0.12 + at * 0.88));
    for (const side of [-1, 1]) {
      const turn = angle + at * 0.9 * Math.sign(Math.cos(angle)) + side * 0.85;
      drawLine(
        canvas,
        here,
        [here[0] + Math.cos(turn) * leaf * 0.7, here[1] + Math.sin(turn) * leaf * 0.6 + leaf * 0.55],
        { color: grey(light + side * -0.06), thickness: height * 0.008, end: 0.4 },
      );
    }
  }
}

function bare(random: Random, height: number): Sprite {
  const canvas = newCanvas({ width: Math.ceil(height * 0.9), height });
  grow([canvas.width / 2, height], -Math.PI / 2, height * 0.26, height * 0.035, 0);

  function grow(
    from: readonly [number, number],
    angle: number,
    length: number,
    thickness: number,
    level: number,
  ): void {
    const to: readonly [number, number] = [
      from[0] + Math.cos(angle) * length,
      from[1] + Math.sin(angle) * length,
    ];
    drawLine(canvas, from, to, { color: grey(0.22 + level * 0.03), thickness, end: thickness * 0.7 });
    if (level >= 6 || thickness < 0.4) return;
    const twigs = level === 0 ? 3 : 2;
    for (let twig = 0; twig < twigs; twig++) {
      const turn = (twig / (twigs - 1) - 0.5) * between(random, 0.7, 1.25) + between(random, -0.12, 0.12);
      grow(to, angle + turn, length * between(random, 0.68, 0.84), thickness * 0.66, level + 1);
    }
  }

  return toSprite(canvas);
}
