import type { Db } from '../platform/db/database.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import { CONNECTION_KINDS, type Connections } from './events/connections.ts';
import { sumStorage } from './use.repo.ts';

interface Parts {
  readonly db: Db;
  readonly meters: Meters;
  readonly countConnections: Connections['count'];
}

export function measureUse({ db, meters, countConnections }: Parts): void {
  meters.gauge({
    name: 'atelier_connections',
    help: 'WebSockets and event streams that are open on this server.',
    labels: { kind: CONNECTION_KINDS },
    read: () => CONNECTION_KINDS.map((kind) => [{ kind }, countConnections(kind)]),
  });
  meters.gauge({
    name: 'atelier_storage_bytes',
    help: 'What the uploads, outputs, files of tasks and job results of all users take, of all servers on this database.',
    labels: {},
    read: async () => [[{}, await sumStorage(db)]],
  });
}
