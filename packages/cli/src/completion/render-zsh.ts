import { type CompletedCommand, type CompletedOption, valueFlags } from './read-commands.ts';

/** Commands and options with descriptions; file names where the script has no suggestion. */
export function renderZsh(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const flags = valueFlags(commands).join('|');
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .flatMap(
        ({ long, choices }) =>
          `    '${`${path} ${long}`.trim()}') items=(${choices.map(quote).join(' ')}) ;;`,
      ),
  );
  const words = commands
    .filter(({ words: own }) => own.length > 0)
    .map(
      ({ path, words: own }) =>
        `    '${path}') items=(${own.map(({ word, about }) => item(word, about)).join(' ')}) ;;`,
    );
  const options = commands.map(
    ({ path, options: own }) => `    '${path}') items=(${own.map(optionItem).join(' ')}) ;;`,
  );
  return `#compdef atelier
# Completion of atelier for zsh. Made by: atelier completion zsh
_atelier() {
  local route='' next i=2
  local -a items
  while ((i < CURRENT)); do
    case \${words[i]} in
    ${flags}) ((i += 2)); continue ;;
    -*) ((i++)); continue ;;
    esac
    next="\${route:+$route }\${words[i]}"
    case $next in
    ${paths.join('|')}) route=$next ;;
    *) break ;;
    esac
    ((i++))
  done
  case \${words[CURRENT-1]} in
  ${flags})
    case "\${route:+$route }\${words[CURRENT-1]}" in
${values.join('\n')}
    esac ;;
  *)
    if [[ \${words[CURRENT]} == -* ]]; then
      case $route in
${options.join('\n')}
      esac
    elif ((i >= CURRENT)); then
      case $route in
${words.join('\n')}
      esac
    fi ;;
  esac
  if ((\${#items})); then _describe 'atelier' items; else _files; fi
}
if [[ \${funcstack[1]} == _atelier ]]; then _atelier "$@"; else compdef _atelier atelier; fi`;
}

const optionItem = ({ long, about }: CompletedOption): string => item(long, about);

/** A colon would end the word. */
function item(word: string, about: string): string {
  const name = word.replaceAll(':', '\\:');
  return quote(about === '' ? name : `${name}:${about}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
