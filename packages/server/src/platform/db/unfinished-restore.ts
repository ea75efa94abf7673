import { StartError } from '../start-error.ts';
import type { Db } from './database.ts';
import { findServerValue } from './server-secrets.repo.ts';

/** The name of a value that is there from the moment the rows of a backup are, until all of its files are. */
export const RESTORING = 'restoring';

/** Refuses an installation whose files have not all come back. */
export async function assertRestored(db: Db): Promise<void> {
  if ((await findServerValue(db, RESTORING)) === undefined) return;
  throw new StartError(
    'The restore of this installation did not finish. Run "npm run admin -- restore --from FOLDER" again with the same backup: it goes on where it was.',
  );
}
