import { lookUp } from '../python/lookup.ts';
import type { Scope } from '../python/scopes.ts';
import type { Argument, Call, Expression } from '../python/syntax.ts';

const INTERPRETER =
  /^(?:\S*[\\/])?(?:python[\d.]*|pythonw|sh|bash|zsh|cmd|powershell|pwsh|node|perl|ruby|wscript|cscript|mshta|rundll32|regsvr32|msiexec|sudo|env|nohup|open|xdg-open|start|chmod)(?:\.exe)?(?:\s|$)/i;

const MAX_FOLLOWED = 100;

/** The argument at a position, or with one of the names. */
export function argumentOf(
  call: Call,
  position: number,
  ...names: readonly string[]
): Expression | undefined {
  const isPlaced = ({ name, stars }: Argument) => name === undefined && stars === 0;
  const named = call.args.find(({ name }) => name !== undefined && names.includes(name));
  const placed = call.args[position];
  return named?.value ?? (placed && isPlaced(placed) ? placed.value : undefined);
}

/**
 * The parts of a command that decide what runs: the program, and all arguments of an interpreter. `ffmpeg -i <download>` only
 * reads the download, `sh <download>` runs it.
 */
export function decidingParts(
  command: Expression,
  scope: Scope,
  seen = new Set<Expression>(),
): readonly Expression[] {
  if (seen.has(command) || seen.size > MAX_FOLLOWED) return [];
  seen.add(command);
  if (command.kind === 'sequence') return afterInterpreter(command.items);
  if (command.kind === 'operation' && command.operator === '+') return afterInterpreter(command.operands);
  if (command.kind === 'operation' && command.operator === '%') return filledIn(command.operands);
  if (command.kind === 'call' && command.callee.kind === 'attribute' && command.callee.id === 'format') {
    return filledIn([command.callee.of, ...command.args.map(({ value }) => value)]);
  }
  if (command.kind === 'format') {
    const [first] = command.parts;
    if (typeof first !== 'string') return first ? [first] : [];
    return INTERPRETER.test(first.trim()) ? command.parts.filter((part) => typeof part !== 'string') : [];
  }
  if (command.kind !== 'name') return [command];
  const values = (lookUp(scope, command.id) ?? []).flatMap((bound) =>
    bound.kind === 'value' && !bound.isPart ? decidingParts(bound.value, bound.scope, seen) : [],
  );
  return values.length > 0 ? values : [command];
}

/** `"program {}".format(argument)`: the argument counts if it is the program, or for an interpreter. */
function filledIn([template, ...values]: readonly Expression[]): readonly Expression[] {
  if (template?.kind !== 'text') return template ? [template, ...values] : values;
  return INTERPRETER.test(template.value.trim()) || /^\s*[{%]/.test(template.value) ? values : [];
}

function afterInterpreter(items: readonly Expression[]): readonly Expression[] {
  const [program] = items;
  if (!program) return [];
  const isInterpreter =
    (program.kind === 'text' && INTERPRETER.test(program.value.trim())) ||
    (program.kind === 'attribute' && program.id === 'executable');
  return isInterpreter ? items : [program];
}
