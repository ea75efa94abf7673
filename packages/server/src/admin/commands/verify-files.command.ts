import type { Config } from '../../config/load-config.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from '../command.ts';
import { compareFiles, type Findings, printFiles } from '../compare-files.ts';
import { openAsIs } from '../fill-database.ts';
import { assertNoServers, checkOwnFiles, holdDataFolder } from '../installation.ts';
import type { FileName } from '../named-files.ts';
import { readArgs } from '../read-args.ts';
import { openStoredFiles } from '../stored-files.ts';
import { confirm, YES } from '../terminal.ts';

const MAX_SHOWN = 20;
const OPTIONS = { read: { type: 'boolean' }, 'remove-orphans': { type: 'boolean' }, ...YES } as const;

export const command: AdminCommand = {
  usage: '[--read] [--remove-orphans [--yes]]',
  help: `Compares the stored files with the database, both ways, also while servers run: files that a row names and that are missing, and files
that no row names (orphans; those of the last 3 hours are left out). Exit code 1 when a file is missing or damaged.
--read reads every file and finds damaged ones. --remove-orphans removes orphans, with all servers stopped; it asks first, or takes --yes.`,
  async run({ args, readConfig, signal }) {
    const { values } = readArgs(args, [], OPTIONS);
    const { read: isReading = false, 'remove-orphans': isRemoving = false, yes: isSure = false } = values;
    // Before the comparison, which may take long.
    if (isRemoving && !isSure && !process.stdin.isTTY)
      throw new BadUse(
        'Orphans would be deleted for good. There is no terminal to ask on. Add --yes to do it.',
      );
    const config = readConfig();
    await using ending = new AsyncDisposableStack();
    // A server could give an orphan a row at any moment, when somebody sends the same bytes.
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
  ending.use(await holdDataFolder(config));
  const { url } = config.database;
  if (url) await assertNoServers(ending.use(openAsIs(url)));
}

function report({ sound, missing, damaged, orphans, young }: Findings): void {
  const show = (problem: string, files: readonly FileName[]): void => {
    printFiles(problem, files, MAX_SHOWN);
    if (files.length > MAX_SHOWN) process.stderr.write(`and ${files.length - MAX_SHOWN} more.\n`);
  };
  show('is missing', missing);
  show('is damaged', damaged);
  show('has no row', orphans);
  say(
    `Files that rows name: ${sound} as they should be, ${missing.length} missing, ${damaged.length} damaged. Orphans: ${orphans.length}, and ${young} of the last 3 hours.`,
  );
}
