import { join } from 'node:path';

const SERVER = 'ATELIER_TEST_SERVER';
const ADMIN = 'ATELIER_TEST_ADMIN';
const PACKAGE = join(import.meta.dirname, '../../packages/server');

/** Makes bundled programs known to the test files that a runner is about to start. */
export function programEnvironment(programs: {
  readonly server: string;
  readonly admin: string;
}): Record<string, string> {
  return { [SERVER]: programs.server, [ADMIN]: programs.admin };
}

/** What `npm start` starts. */
export const ENTRY = join(PACKAGE, 'start.js');
/** The server, bundled where a runner has done so. */
export const SERVER_PROGRAM = process.env[SERVER] ?? ENTRY;
/** The commands of `npm run admin`, likewise. */
export const ADMIN_PROGRAM = process.env[ADMIN] ?? join(PACKAGE, 'src/admin.ts');
