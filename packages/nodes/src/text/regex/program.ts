import { asciiLower, createCharacterSet, isInCategory, lowerCode } from './character-set.ts';
import type { PatternNode, PatternTree, Place } from './pattern-tree.ts';

export type Takes = (code: number) => boolean;

/**
 * A pattern as steps of a backtracking machine, each with its next step. Registers hold the ends of groups (two each) and,
 * for every loop, its count and the start of its last iteration.
 */
export type Step =
  | { readonly op: 'match' }
  | { readonly op: 'take'; readonly takes: Takes; readonly next: Step }
  | { readonly op: 'place'; readonly isAt: IsAt; readonly next: Step }
  | { readonly op: 'choice'; readonly branches: readonly Step[] }
  | { readonly op: 'save'; readonly register: number; readonly next: Step }
  /** `fold` makes equal the characters that match each other. */
  | {
      readonly op: 'reference';
      readonly group: number;
      readonly fold: (code: number) => number;
      readonly next: Step;
    }
  | { readonly op: 'condition'; readonly group: number; readonly yes: Step; readonly no: Step }
  | RepeatStep
  | { readonly op: 'enter'; readonly register: number; readonly next: Step }
  | LoopStep
  /** The extra iteration of a lazy loop. */
  | { readonly op: 'turn'; readonly loop: LoopStep }
  /** The bodies of these two end with `match`. */
  | { readonly op: 'atomic'; readonly body: Step; readonly next: Step }
  | {
      readonly op: 'look';
      readonly body: Step;
      readonly behind: number;
      readonly negated: boolean;
      readonly next: Step;
    };

/** Repeats one character. */
export interface RepeatStep {
  readonly op: 'repeat';
  readonly takes: Takes;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
  readonly next: Step;
}

export interface LoopStep {
  readonly op: 'loop';
  readonly register: number;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
  /** Ends with this step. */
  body: Step;
  readonly next: Step;
}

type IsAt = (text: Int32Array, position: number) => boolean;
type OneCharacter = PatternNode & { kind: 'character' | 'any' | 'set' };

const MATCH: Step = { op: 'match' };

export interface Program {
  readonly start: Step;
  readonly registers: number;
  readonly groups: number;
}

export function compileProgram({ root, groups }: PatternTree): Program {
  let registers = 2 * (groups + 1);
  /** Equal sets of a pattern are compiled once. */
  const sets = new Map<string, Takes>();

  function compile(node: PatternNode, next: Step): Step {
    switch (node.kind) {
      case 'sequence':
        return node.items.reduceRight((after, item) => compile(item, after), next);
      case 'group': {
        if (node.number === undefined) return compile(node.item, next);
        const end: Step = { op: 'save', register: 2 * node.number + 1, next };
        return { op: 'save', register: 2 * node.number, next: compile(node.item, end) };
      }
      case 'choice':
        return { op: 'choice', branches: node.branches.map((branch) => compile(branch, next)) };
      case 'repeat':
        return compileRepeat(node, next);
      case 'atomic':
        return { op: 'atomic', body: compile(node.item, MATCH), next };
      case 'look':
        return {
          op: 'look',
          body: compile(node.item, MATCH),
          behind: node.behind ?? 0,
          negated: node.negated,
          next,
        };
      case 'reference': {
        const fold = node.ignoreCase ? (node.ascii ? asciiLower : lowerCode) : (code: number) => code;
        return { op: 'reference', group: node.group, fold, next };
      }
      case 'condition': {
        const no = node.no ? compile(node.no, next) : next;
        return { op: 'condition', group: node.group, yes: compile(node.yes, next), no };
      }
      case 'place':
        return { op: 'place', isAt: placeTest(node.place, node.ascii), next };
      case 'character':
      case 'any':
      case 'set':
        return { op: 'take', takes: takesOf(node), next };
    }
  }

  function takesOf(node: OneCharacter): Takes {
    if (node.kind === 'any') return node.dotAll ? () => true : (code) => code !== 10;
    if (node.kind === 'character' && !node.ignoreCase) return (code) => code === node.code;
    const items = node.kind === 'set' ? node.items : [{ first: node.code, last: node.code }];
    const negated = node.kind === 'set' && node.negated;
    const { ignoreCase, ascii } = node;
    const key = JSON.stringify([items, negated, ignoreCase, ascii]);
    const has = sets.get(key) ?? createCharacterSet(items, { negated, ignoreCase, ascii });
    sets.set(key, has);
    return ignoreCase && !ascii ? (code) => has(lowerCode(code)) : has;
  }

  function compileRepeat(node: PatternNode & { kind: 'repeat' }, next: Step): Step {
    if (node.mode === 'possessive')
      return compile({ kind: 'atomic', item: { ...node, mode: 'greedy' } }, next);
    const { min, max } = node;
    const lazy = node.mode === 'lazy';
    const one = oneCharacter(node.item);
    if (one) return { op: 'repeat', takes: takesOf(one), min, max, lazy, next };
    const register = registers;
    registers += 2;
    const loop: LoopStep = { op: 'loop', register, min, max, lazy, body: MATCH, next };
    loop.body = compile(node.item, loop);
    return { op: 'enter', register, next: loop };
  }

  const start = compile(root, MATCH);
  return { start, registers, groups };
}

function placeTest(place: Place, ascii: boolean): IsAt {
  const isWordAt: IsAt = (text, position) => {
    const code = text[position];
    return code !== undefined && isInCategory(code, 'word', ascii);
  };
  switch (place) {
    case 'start':
      return (_, position) => position === 0;
    case 'lineStart':
      return (text, position) => position === 0 || text[position - 1] === 10;
    case 'end':
      return (text, position) => position === text.length;
    case 'endOrNewline':
      return (text, position) =>
        position === text.length || (position === text.length - 1 && text[position] === 10);
    case 'lineEnd':
      return (text, position) => position === text.length || text[position] === 10;
    case 'boundary':
    case 'notBoundary':
      // In Python, an empty text has no boundary and no absence of one.
      return (text, position) =>
        text.length > 0 &&
        (isWordAt(text, position - 1) !== isWordAt(text, position)) === (place === 'boundary');
  }
}

/** The node if it takes exactly one character and captures nothing. */
function oneCharacter(node: PatternNode): OneCharacter | undefined {
  if (node.kind === 'character' || node.kind === 'any' || node.kind === 'set') return node;
  if (node.kind === 'group' && node.number === undefined) return oneCharacter(node.item);
  const [only] = node.kind === 'sequence' && node.items.length === 1 ? node.items : [];
  return only && oneCharacter(only);
}
