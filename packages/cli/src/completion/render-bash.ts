import { type CompletedCommand, valueFlags } from './read-commands.ts';

/** `complete -o default` completes file names where the script has no suggestion. */
export function renderBash(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .flatMap(({ short, long, choices }) =>
        [short, long].flatMap((flag) =>
          flag === undefined ? [] : [`    '${`${path} ${flag}`.trim()}') words='${choices.join(' ')}' ;;`],
        ),
      ),
  );
  const words = commands.flatMap(({ path, words: own }) =>
    own.length === 0 ? [] : [`    '${path}') words='${own.map(({ word }) => word).join(' ')}' ;;`],
  );
  const options = commands.map(
    ({ path, options: own }) =>
      `    '${path}') words='${own.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long])).join(' ')}' ;;`,
  );
  const flags = valueFlags(commands).join('|');
  return `# Completion of atelier for bash. Made by: atelier completion bash
_atelier() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    ${flags}) ((i++)); continue ;;
    -*) continue ;;
    esac
    next="\${path:+$path }\${COMP_WORDS[i]}"
    case $next in
    ${paths.join('|')}) path=$next ;;
    *) break ;;
    esac
  done
  case $before in
  ${flags})
    case "\${path:+$path }$before" in
${values.join('\n')}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return ;;
  esac
  if [[ $current == -* ]]; then
    case $path in
${options.join('\n')}
    esac
  else
    # After an argument there are only more of them.
    [[ $i -lt COMP_CWORD ]] && return
    case $path in
${words.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _atelier atelier`;
}
