import { valueError } from '@atelier/engine';

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`. */
export function parseColor(color: unknown): Rgba {
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(String(color).trim())?.[1];
  if (!digits) throw valueError(`Unknown color ${JSON.stringify(color)}: write it as #rrggbb.`);
  const size = digits.length < 6 ? 1 : 2;
  const part = (index: number): number => {
    const text = digits.slice(index * size, (index + 1) * size) || 'ff';
    return Number.parseInt(text.length === 1 ? text + text : text, 16);
  };
  return [part(0), part(1), part(2), part(3)];
}
