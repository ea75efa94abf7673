/** A point of a drawing. */
export type Point = readonly [number, number];

const round = (value: number): string => value.toFixed(1);

/** A limb of straight parts that grows thinner from part to part, with round joints. */
export function limb(points: readonly Point[], widths: readonly number[], color: string): string {
  return points
    .slice(1)
    .map((to, index) => part(points[index] ?? to, to, widths[index] ?? 1, widths[index + 1] ?? 1, color))
    .join('');
}

function part([ax, ay]: Point, [bx, by]: Point, from: number, to: number, color: string): string {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [nx, ny] = [(by - ay) / length / 2, (ax - bx) / length / 2];
  const corner = (x: number, y: number, by2: number): string =>
    `${round(x + nx * by2)} ${round(y + ny * by2)}`;
  return (
    `<path d="M${corner(ax, ay, from)} L${corner(bx, by, to)} L${corner(bx, by, -to)} L${corner(ax, ay, -from)} Z" fill="${color}"/>` +
    `<circle cx="${round(ax)}" cy="${round(ay)}" r="${round(from / 2)}" fill="${color}"/>` +
    `<circle cx="${round(bx)}" cy="${round(by)}" r="${round(to / 2)}" fill="${color}"/>`
  );
}

/** From a point, so far in a direction: 0 is down, positive angles are forward, to the right. */
export function reach([x, y]: Point, length: number, angle: number): Point {
  return [x + Math.sin(angle) * length, y + Math.cos(angle) * length];
}

/** A filled outline through points, with soft corners. */
export function outline(points: readonly Point[], color: string): string {
  const middle = (a: Point, b: Point): string => `${round((a[0] + b[0]) / 2)} ${round((a[1] + b[1]) / 2)}`;
  const all = points.map((point, index): string => {
    const next = points[(index + 1) % points.length] ?? point;
    return `Q${round(point[0])} ${round(point[1])} ${middle(point, next)}`;
  });
  const [first = [0, 0]] = points;
  return `<path d="M${middle(points.at(-1) ?? first, first)} ${all.join(' ')} Z" fill="${color}"/>`;
}

export const TURN = 2 * Math.PI;
