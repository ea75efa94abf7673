import { Argument, type Command } from 'commander';

import type { Context } from '../context.ts';
import type { WithContext } from '../program.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const EXAMPLES = `
Install:
  bash  atelier completion bash > ~/.local/share/bash-completion/completions/atelier
  zsh   atelier completion zsh > "\${fpath[1]}/_atelier"
  fish  atelier completion fish > ~/.config/fish/completions/atelier.fish`;

export function addCompletionCommand(program: Command, withContext: WithContext): void {
  program
    .command('completion')
    .summary('print a script that completes commands and options in your shell')
    .description('Prints a script with which your shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(withContext(async (context: Context, shell: Shell) => await print(program, context, shell)));
}

async function print(program: Command, { output }: Context, shell: Shell): Promise<void> {
  const { readCommands } = await import('../completion/read-commands.ts');
  const commands = readCommands(program);
  const { renderBash } = await import('../completion/render-bash.ts');
  const { renderZsh } = await import('../completion/render-zsh.ts');
  const { renderFish } = await import('../completion/render-fish.ts');
  const script = { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](commands);
  output.result({ shell, script }, () => script);
}
