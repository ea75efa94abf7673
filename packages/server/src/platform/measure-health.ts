import type { FreeSpace } from './free-space.ts';
import { CHECKS, type Health } from './health.ts';
import type { Meters } from './metrics/create-meters.ts';

export function measureHealth(meters: Meters, { health, space }: { health: Health; space: FreeSpace }): void {
  meters.gauge({
    name: 'atelier_check_ok',
    help: 'Whether a check of /ready passes.',
    labels: { check: CHECKS },
    async read() {
      const checks = await health.checks();
      return CHECKS.map((check) => [{ check }, checks[check] === undefined ? 1 : 0] as const);
    },
  });
  meters.gauge({
    name: 'atelier_disk_free_bytes',
    help: 'Free room on the disk of the data folder.',
    labels: {},
    read: async () => [[{}, await space.freeBytes()]],
  });
  meters.gauge({
    name: 'atelier_disk_min_free_bytes',
    help: 'With less free room, no new work is accepted.',
    labels: {},
    read: () => [[{}, space.minFreeBytes]],
  });
}
