import { lookUp } from '../python/lookup.ts';
import type { Scope } from '../python/scopes.ts';
import { type Call, calledName, type Expression } from '../python/syntax.ts';

const ABSOLUTE = /^(?:[/~\\]|[a-z]:[\\/]|%\w+%|\$HOME\b)/i;
/** Places where programs may write. */
const SHARED =
  /^(?:\/tmp(?:\/|$)|\/var\/tmp(?:\/|$)|\/dev\/(?:null|shm|stdout|stderr|tty)|~\/\.cache(?:\/|$)|~\/\.config\/[^/]+\/)/;

const MAX_BOUNDS = 3;

export function isFixedPath(path: Expression, scope: Scope): boolean {
  const text = leadingText(path, scope);
  return text !== undefined && ABSOLUTE.test(text) && !SHARED.test(text);
}

/** The beginning of a text or path, as far as the source says. */
export function leadingText(path: Expression, scope: Scope, depth = 0): string | undefined {
  if (depth > 8) return undefined;
  const leading = (inner: Expression | undefined) => inner && leadingText(inner, scope, depth + 1);
  if (path.kind === 'text') return path.value;
  if (path.kind === 'call') return ofCall(path, leading);
  if (path.kind === 'format') {
    const [first] = path.parts;
    return typeof first === 'string' ? first : leading(first);
  }
  if (path.kind === 'operation') return below(leading(path.operands[0]), path.operands[1]);
  if (path.kind !== 'name') return undefined;
  const bounds = lookUp(scope, path.id) ?? [];
  if (bounds.length === 0 || bounds.length > MAX_BOUNDS) return undefined;
  const texts = bounds.map((bound) =>
    bound.kind === 'value' && !bound.isPart ? leadingText(bound.value, bound.scope, depth + 1) : undefined,
  );
  return texts.reduce(shared);
}

/** What two texts begin with. */
function shared(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined || left === right) return left && right;
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  // The root alone says nothing.
  return left.slice(0, length) === '/' ? undefined : left.slice(0, length);
}

function ofCall({ callee, args }: Call, leading: (of: Expression | undefined) => string | undefined) {
  const id = calledName(callee);
  const [first, second] = args.map(({ value }) => value);
  switch (id) {
    case 'home':
      return '~';
    case 'join':
      return below(leading(first), second);
    // `".nodes.{}".format(name)`
    case 'format':
      return leading(callee.kind === 'attribute' ? callee.of : undefined);
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
