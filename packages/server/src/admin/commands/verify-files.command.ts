import type { Config } from '../../config/load-config.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { compareFiles, type FileProblem, type Findings } from '../compare-files.ts';
import { confirm, YES } from '../confirm.ts';
import { openAsIs } from '../fill-database.ts';
import { assertNoServers, checkOwnFiles, holdDataFolder } from '../installation.ts';
import { readArgs } from '../read-args.ts';
import { openStoredFiles } from '../stored-files.ts';

const MAX_SHOWN = 20;
const OPTIONS = { read: { type: 'boolean' }, 'remove-orphans': { type: 'boolean' }, ...YES } as const;

export const verifyFilesCommand: AdminCommand = {
  usage: '[--read] [--remove-orphans [--yes]]',
  help: `Compares the stored files with the database, both ways, also while servers run: files that a row names and that are missing, and files
that no row names (orphans; those of the last 3 hours are left out). Exit code 1 when a file is missing or damaged.
--read reads every file and finds damaged ones. --remove-orphans removes orphans, with all servers stopped; it asks first, or takes --yes.`,
  async run({ args, readConfig, signal }) {
    const { values } = readArgs(args, [], OPTIONS);
    const { read: isReading = false, 'remove-orphans': isRemoving = false, yes: isSure = false } = values;
    // Not only when all has been compared.
    if (isRemoving && !isSure && !process.stdin.isTTY)
      throw new BadUse(
        'Orphans would be deleted for good. There is no terminal to ask on. Add --yes to do it.',
      );
    const config = readConfig();
    await using ending = new AsyncDisposableStack();
    // A server may give an orphan a row at any moment, when somebody sends the same bytes.
    if (isRemoving) await keepServersAway(config, ending);
    const files = ending.use(await openStoredFiles(config));
    await checkOwnFiles(config, files);
    const found = await compareFiles(config, files, { isReading, signal });
    report(found);
    const { orphans, missing, damaged } = found;
    if (isRemoving && orphans.length > 0) {
      await confirm(`Delete orphans in ${files.place} for good: ${orphans.length}?`, isSure, signal);
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
    for (const { store, hash } of files.slice(0, MAX_SHOWN))
      process.stderr.write(`${store}: ${hash} ${what}.\n`);
    if (files.length > MAX_SHOWN) process.stderr.write(`and ${files.length - MAX_SHOWN} more.\n`);
  };
  show('is missing', missing);
  show('is damaged', damaged);
  show('has no row', orphans);
  say(
    `Files that rows name: ${sound} as they should be, ${missing.length} missing, ${damaged.length} damaged. Orphans: ${orphans.length}, and ${young} of the last 3 hours.`,
  );
}
