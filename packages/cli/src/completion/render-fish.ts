import { type CompletedCommand, type CompletedOption, valueFlags } from './read-commands.ts';

/** Commands and options with descriptions; fish completes file names by itself. */
export function renderFish(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const lines = commands.flatMap(({ path, words, options }) => {
    const here = `complete -c atelier -n ${quote(`__atelier_at ${quote(path)}`)}`;
    return [
      ...words.map(({ word, about }) => `${here} -f -a ${quote(word)} -d ${quote(about)}`),
      ...options.map((option) => `${here} ${optionWords(option)}`),
    ];
  });
  return `# Completion of atelier for fish. Made by: atelier completion fish
function __atelier_at
    set -l route ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${valueFlags(commands).map(quote).join(' ')}
                set skip 1
            case '-*'
            case '*'
                set -l next (string trim "$route $word")
                contains -- $next ${paths.join(' ')}; or break
                set route $next
        end
    end
    test "$route" = "$argv[1]"
end
${lines.join('\n')}`;
}

function optionWords({ short, long, about, takesValue, choices }: CompletedOption): string {
  return [
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    `-l ${long.slice(2)}`,
    ...(choices.length > 0 ? [`-x -a ${quote(choices.join(' '))}`] : takesValue ? ['-r'] : []),
    `-d ${quote(about)}`,
  ].join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
