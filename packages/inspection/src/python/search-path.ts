import { lookUp } from './lookup.ts';
import type { Scope } from './scopes.ts';
import { calledName, type Expression } from './syntax.ts';

const ELSEWHERE = new Set(['__path__', 'meta_path', 'path_hooks', 'submodule_search_locations']);
const CHANGING = /^(?:insert|append|extend|__iadd__|__setitem__|reverse|sort|clear|remove|pop)$/;
const CALLS = /^(?:addsitedir|extend_path)$/;
const READING =
  /^(?:print|len|list|tuple|set|sorted|str|repr|join|enumerate|any|all|map|filter|debug|info|isinstance)$/;
const MAX_CHAIN_LENGTH = 5;

export function changesSearchPath(scope: Scope): boolean {
  const isPath = (expression: Expression) => isSearchPath(expression, scope);
  const isCall = scope.calls.some(({ callee, args }) => {
    const id = calledName(callee);
    if (CALLS.test(id)) return true;
    if (callee.kind === 'attribute' && CHANGING.test(id) && isPath(callee.of)) return true;
    return !READING.test(id) && args.some(({ value }) => isPath(value));
  });
  return (
    isCall ||
    scope.stores.some(({ target }) => isPath(target) || (target.kind === 'index' && isPath(target.of))) ||
    (scope.names.has('__path__') && scope.kind === 'module') ||
    scope.inner.some(changesSearchPath)
  );
}

function isSearchPath(expression: Expression, scope: Scope, depth = 0): boolean {
  if (depth > MAX_CHAIN_LENGTH) return false;
  if (expression.kind === 'attribute') {
    if (ELSEWHERE.has(expression.id)) return true;
    return expression.id === 'path' && isSystem(expression.of, scope);
  }
  if (expression.kind !== 'name') return false;
  if (expression.id === '__path__') return true;
  return (lookUp(scope, expression.id) ?? []).some((bound) => {
    if (bound.kind === 'import') return bound.module === 'sys' && /path/.test(bound.member ?? '');
    return bound.kind === 'value' && !bound.isPart && isSearchPath(bound.value, bound.scope, depth + 1);
  });
}

/** `sys` under any name. A value from elsewhere may be it too. */
function isSystem(expression: Expression, scope: Scope): boolean {
  if (expression.kind === 'call') return true;
  if (expression.kind === 'attribute') return expression.id.includes('sys');
  if (expression.kind !== 'name') return false;
  if (expression.id === 'sys') return true;
  return (lookUp(scope, expression.id) ?? []).some(
    (bound) => bound.kind === 'import' && (bound.module === 'sys' || bound.member === 'sys'),
  );
}
