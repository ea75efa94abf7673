import type { Config } from '../config/load-config.ts';
import { type AdminCommand, CommandFailed, say } from './command.ts';
import { compareFiles, type FileProblem, type Findings } from './compare-files.ts';
import { openAsIs } from './fill-database.ts';
import { assertNoServers, holdDataFolder } from './installation.ts';
import { assertCanAsk, confirm, readOptions } from './options.ts';
import { openStoredFiles } from './stored-files.ts';

const SHOWN = 20;

export const verifyFilesCommand: AdminCommand = {
  usage: '[--read] [--remove-orphans [--yes]]',
  help: `Compares the stored files with the database, both ways, also while servers run: files that a row names and that are missing, and files
that no row names (orphans; those of the last 3 hours are left out). Exit code 1 when a file is missing or damaged.
--read reads every file and finds damaged ones. --remove-orphans removes orphans, with all servers stopped; it asks first, or takes --yes.`,
  async run({ args, readConfig, signal }) {
    const {
      read: isReading = false,
      yes: isYes = false,
      'remove-orphans': isRemoving = false,
    } = readOptions(args, {
      read: { type: 'boolean' },
      'remove-orphans': { type: 'boolean' },
      yes: { type: 'boolean' },
    });
    if (isRemoving && !isYes) assertCanAsk('Orphans would be deleted for good.');
    const config = readConfig();
    await using ending = new AsyncDisposableStack();
    // A server may give an orphan a row at any moment, when somebody sends the same bytes.
    if (isRemoving) await keepServersAway(config, ending);
    const files = ending.use(await openStoredFiles(config));
    const found = await compareFiles(config, files, { isReading, signal });
    report(found);
    const { orphans, missing, damaged } = found;
    if (isRemoving && orphans.length > 0) {
      if (!isYes)
        await confirm(`Orphans in ${files.place} that will be deleted for good: ${orphans.length}.`, signal);
      for (const { store, hash } of orphans) await files.remove(store, hash);
      say(`Orphans removed: ${orphans.length}.`);
    }
    const bad = missing.length + damaged.length;
    if (bad > 0)
      throw new CommandFailed(
        `Missing or damaged: ${bad}. Put these files back from a backup, or upload them again.`,
      );
  },
};

async function keepServersAway(config: Config, ending: AsyncDisposableStack): Promise<void> {
  const held = await holdDataFolder(config);
  ending.defer(held.release);
  const { url } = config.database;
  if (!url) return;
  const db = openAsIs(url);
  ending.defer(async () => await db.destroy());
  await assertNoServers(db);
}

function report({ sound, missing, damaged, orphans, young }: Findings): void {
  const show = (what: string, files: readonly FileProblem[]): void => {
    for (const { store, hash } of files.slice(0, SHOWN)) process.stderr.write(`${store}: ${hash} ${what}.\n`);
    if (files.length > SHOWN) process.stderr.write(`and ${files.length - SHOWN} more.\n`);
  };
  show('is missing', missing);
  show('is damaged', damaged);
  show('has no row', orphans);
  say(
    `Files that rows name: ${sound} as they should be, ${missing.length} missing, ${damaged.length} damaged. Orphans: ${orphans.length}, and ${young} of the last 3 hours.`,
  );
}
