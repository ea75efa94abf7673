import { type GenerationTask, SKIN_MODES } from '@atelier/sdk';
import { type Command, Option } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { addFlags } from '../generate/add-flags.ts';
import type { GenerateOptions } from '../generate/create-task.ts';
import { GENERATION_FLAGS } from '../generate/flags.ts';
import type { SaveOptions } from '../generate/show-task-result.ts';
import { formatTime } from '../output/formats.ts';
import type { WithContext } from '../program.ts';
import { addYesOption } from './confirm.ts';
import { integerBetween } from './number-option.ts';

const EXAMPLES = `
Examples:
  $ atelier generate skin portrait.jpg --skin-detail 60
  $ atelier generate relight portrait.jpg --prompt "(moonlight:1.3) from the left" --out pictures
  $ atelier generate video --model clipq3-pro --prompt "waves at sunset" --duration 2

A task keeps running when you leave it; "atelier generate get ID" saves what it made.`;

export function addGenerateCommands(program: Command, withContext: WithContext): void {
  const group = program
    .command('generate')
    .summary('make pictures and videos')
    .description('Makes pictures and videos. Shows the price first.')
    .addHelpText('after', EXAMPLES);
  const skin = group
    .command('skin')
    .description('Makes skin look better.')
    .argument('<image>', 'a file, or a public https URL')
    .addOption(
      new Option('--mode <mode>', 'faithful stays closest to the picture')
        .choices(SKIN_MODES)
        .default('faithful'),
    );
  const relight = group
    .command('relight')
    .description('Relights a picture.')
    .argument('<image>', 'a file, or a public https URL');
  const video = group.command('video').description('Makes a video from a prompt, a start frame, or both.');
  for (const [command, flags] of [
    [skin, GENERATION_FLAGS.skin],
    [relight, GENERATION_FLAGS.relight],
    [video, GENERATION_FLAGS.video],
  ] as const) {
    addFlags(command, flags);
    addYesOption(addSaveOptions(command)).option('--no-wait', 'do not wait for its end');
  }
  skin.action(
    withContext(
      async (context, image: string, options: GenerateOptions) => await make(context, 'skin', image, options),
    ),
  );
  relight.action(
    withContext(
      async (context, image: string, options: GenerateOptions) =>
        await make(context, 'relight', image, options),
    ),
  );
  video.action(
    withContext(
      async (context, options: GenerateOptions) => await make(context, 'video', undefined, options),
    ),
  );
  addSaveOptions(
    group
      .command('get')
      .description('Waits for a task that you left running, and saves what it made.')
      .argument('<id>'),
  ).action(withContext(get));
  group
    .command('list')
    .description('Lists your tasks, newest first.')
    .option('-n, --limit <count>', 'how many', integerBetween(1, 1000), 20)
    .action(withContext(list));
}

function addSaveOptions(command: Command): Command {
  return command.option('-o, --out <folder>', 'where files are saved', '.');
}

async function make(
  context: Context,
  kind: keyof typeof GENERATION_FLAGS,
  image: string | undefined,
  options: GenerateOptions,
): Promise<void> {
  const { generate } = await import('../generate/create-task.ts');
  await generate(context, kind, image, options);
}

async function get(context: Context, id: string, { out }: Pick<SaveOptions, 'out'>): Promise<void> {
  const { showTaskResult } = await import('../generate/show-task-result.ts');
  await showTaskResult(context, await findTask(context, id), { out, wait: true });
}

/** Each kind of task has its own route. */
async function findTask({ atelier, signal }: Context, id: string): Promise<GenerationTask> {
  const { AtelierError } = await import('@atelier/sdk');
  const { generation } = await atelier();
  for (const kind of ['skin', 'relight', 'video'] as const) {
    const task = generation.attach(kind, id);
    try {
      await task.status({ signal });
      return task;
    } catch (error) {
      if (!(error instanceof AtelierError) || (error.status !== 404 && error.status !== 400)) throw error;
    }
  }
  throw new CliError(`There is no task ${id}.`, {
    exitCode: EXIT.refused,
    advice: 'See "atelier generate list".',
  });
}

async function list(
  { atelier, output, signal }: Context,
  { limit }: { readonly limit: number },
): Promise<void> {
  const tasks = await (await atelier()).generation.list({ signal }).toArray(limit);
  output.result({ tasks }, () =>
    tasks.length === 0
      ? 'No tasks.'
      : output.table(tasks, [
          { title: 'ID', text: ({ id }) => id },
          { title: 'KIND', text: ({ kind }) => kind },
          { title: 'STATE', text: ({ state }) => state },
          { title: 'DONE', text: ({ progress }) => `${progress} %`, align: 'right' },
          { title: 'CREDITS', text: ({ credits }) => String(credits), align: 'right' },
          { title: 'CREATED', text: ({ created_at }) => formatTime(created_at) },
          { title: 'MADE BY', text: ({ made_by }) => made_by },
        ]),
  );
}
