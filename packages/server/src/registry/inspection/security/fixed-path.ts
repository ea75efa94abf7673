import { lookUp } from '../python/lookup.ts';
import type { Scope } from '../python/scopes.ts';
import { calledName, type Expression } from '../python/syntax.ts';

const ABSOLUTE = /^(?:[/~\\]|[a-z]:[\\/]|%\w+%|\$HOME\b)/i;
/** Places that are there to be written to. */
const SHARED =
  /^(?:\/tmp(?:\/|$)|\/var\/tmp(?:\/|$)|\/dev\/(?:null|shm|stdout|stderr|tty)|~\/\.cache(?:\/|$)|~\/\.config\/[^/]+\/)/;

export function isFixedPath(path: Expression, scope: Scope): boolean {
  const text = leadingPath(path, scope, 0);
  return text !== undefined && ABSOLUTE.test(text) && !SHARED.test(text);
}

/** How a path begins, as far as the source says. */
function leadingPath(path: Expression, scope: Scope, depth: number): string | undefined {
  if (depth > 8) return undefined;
  const leading = (inner: Expression | undefined) => inner && leadingPath(inner, scope, depth + 1);
  if (path.kind === 'text') return path.value;
  if (path.kind === 'call') return ofCall(path, leading);
  if (path.kind === 'format') {
    const [first] = path.parts;
    return typeof first === 'string' ? first : leading(first);
  }
  if (path.kind === 'operation') return below(leading(path.operands[0]), path.operands[1]);
  if (path.kind !== 'name') return undefined;
  const [bound, ...others] = lookUp(scope, path.id) ?? [];
  const isValue = bound?.kind === 'value' && !bound.isPart && others.length === 0;
  return isValue ? leadingPath(bound.value, bound.scope, depth + 1) : undefined;
}

function ofCall(
  { callee, args }: Extract<Expression, { kind: 'call' }>,
  leading: (of: Expression | undefined) => string | undefined,
): string | undefined {
  const id = calledName(callee);
  const [first, second] = args.map(({ value }) => value);
  switch (id) {
    case 'home':
      return '~';
    case 'join':
      return below(leading(first), second);
    case 'Path':
    case 'PurePath':
    case 'PosixPath':
    case 'WindowsPath':
    case 'expanduser':
    case 'expandvars':
    case 'abspath':
    case 'realpath':
    case 'normpath':
    case 'str':
      return leading(first ?? (callee.kind === 'attribute' ? callee.of : undefined));
    default:
      return undefined;
  }
}

function below(start: string | undefined, step: Expression | undefined): string | undefined {
  return start === '~' && step?.kind === 'text' ? `~/${step.value}` : start;
}
