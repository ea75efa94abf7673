import { type CharacterSet, createCharacterSet } from './character-set.ts';
import type { PatternNode, PatternTree, Place } from './pattern-tree.ts';

/**
 * A pattern as instructions for a backtracking machine: each is an operation and up to four numbers. Registers hold
 * the ends of groups (two each) and, for every loop, how often it ran and where its last turn began.
 */
export const OP = {
  match: 0,
  /** code */
  character: 1,
  any: 2,
  anyButNewline: 3,
  /** set */
  set: 4,
  /** set, asked for the small letter */
  setIgnoreCase: 5,
  /** place, ascii */
  place: 6,
  /** target */
  jump: 7,
  /** target that is tried when all after this fails */
  split: 8,
  /** register */
  save: 9,
  /** group, 1 to ignore case, 2 to ignore that of ASCII only */
  reference: 10,
  /** group, target when it has not matched */
  condition: 11,
  /** registers of the loop */
  loopStart: 12,
  /** registers of the loop, min, max, target after it */
  loop: 13,
  /** registers of the loop, min, max, target after it */
  lazyLoop: 14,
  /** registers of the loop, max: the turn that a lazy loop takes after all */
  lazyTurn: 15,
  /** min, max, what must hold after it or -1; the one-character instruction to repeat follows */
  repeatOne: 16,
  /** min, max, what must hold after it or -1; the one-character instruction to repeat follows */
  lazyRepeatOne: 17,
  /** target after it; its body ends with `match` */
  atomic: 18,
  /** target after it, width behind or -1, negated; its body ends with `match` */
  look: 19,
} as const;

export const SIZE = 5;
/** Stands for no upper bound. */
export const UNBOUNDED = 0x7fffffff;

export const PLACES: readonly Place[] = [
  'start',
  'lineStart',
  'end',
  'endOrNewline',
  'lineEnd',
  'boundary',
  'notBoundary',
];

export interface Program {
  readonly code: Int32Array;
  readonly sets: readonly CharacterSet[];
  readonly registers: number;
  readonly groups: number;
}

export function compileProgram({ root, groups }: PatternTree): Program {
  const code: number[] = [];
  const sets: CharacterSet[] = [];
  /** The same set is made once, however often it stands in a pattern. */
  const setIndex = new Map<string, number>();
  let registers = 2 * (groups + 1);

  function emit(operation: number, ...numbers: readonly number[]): number {
    const at = code.length;
    code.push(operation, numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0, numbers[3] ?? 0);
    return at;
  }

  /** Fills in a target once it is known. */
  function aim(at: number, slot: number): void {
    code[at + slot] = code.length;
  }

  function compile(node: PatternNode): void {
    switch (node.kind) {
      case 'sequence':
        for (const item of node.items) compile(item);
        return;
      case 'group':
        compileGroup(node.number, node.item);
        return;
      case 'choice':
        compileChoice(node.branches);
        return;
      case 'repeat':
        compileRepeat(node);
        return;
      case 'atomic': {
        const at = emit(OP.atomic);
        compile(node.item);
        emit(OP.match);
        aim(at, 1);
        return;
      }
      case 'look': {
        const at = emit(OP.look, 0, node.behind ?? -1, Number(node.negated));
        compile(node.item);
        emit(OP.match);
        aim(at, 1);
        return;
      }
      case 'reference':
        emit(OP.reference, node.group, node.ignoreCase ? (node.ascii ? 2 : 1) : 0);
        return;
      case 'condition':
        compileCondition(node);
        return;
      case 'place':
        emit(OP.place, PLACES.indexOf(node.place), Number(node.ascii));
        return;
      case 'character':
      case 'any':
      case 'set':
        compileOne(node);
    }
  }

  function compileOne(node: PatternNode & { kind: 'character' | 'any' | 'set' }): void {
    if (node.kind === 'any') {
      emit(node.dotAll ? OP.any : OP.anyButNewline);
      return;
    }
    if (node.kind === 'character' && !node.ignoreCase) {
      emit(OP.character, node.code);
      return;
    }
    const items = node.kind === 'set' ? node.items : [{ first: node.code, last: node.code }];
    const negated = node.kind === 'set' && node.negated;
    const { ignoreCase, ascii } = node;
    const key = JSON.stringify([items, negated, ignoreCase, ascii]);
    const index =
      setIndex.get(key) ?? sets.push(createCharacterSet(items, { negated, ignoreCase, ascii })) - 1;
    setIndex.set(key, index);
    emit(ignoreCase && !ascii ? OP.setIgnoreCase : OP.set, index);
  }

  function compileGroup(number: number | undefined, item: PatternNode): void {
    if (number !== undefined) emit(OP.save, 2 * number);
    compile(item);
    if (number !== undefined) emit(OP.save, 2 * number + 1);
  }

  function compileChoice(branches: readonly PatternNode[]): void {
    const ends: number[] = [];
    branches.forEach((branch, index) => {
      if (index === branches.length - 1) {
        compile(branch);
        return;
      }
      const split = emit(OP.split);
      compile(branch);
      ends.push(emit(OP.jump));
      aim(split, 1);
    });
    for (const end of ends) aim(end, 1);
  }

  function compileRepeat(node: PatternNode & { kind: 'repeat' }): void {
    if (node.mode === 'possessive') {
      compile({ kind: 'atomic', item: { ...node, mode: 'greedy' } });
      return;
    }
    const lazy = node.mode === 'lazy';
    const max = node.max === Infinity ? UNBOUNDED : Math.min(node.max, UNBOUNDED);
    const one = oneCharacter(node.item);
    if (one) {
      emit(lazy ? OP.lazyRepeatOne : OP.repeatOne, Math.min(node.min, UNBOUNDED), max);
      compileOne(one);
      return;
    }
    const register = registers;
    registers += 2;
    emit(OP.loopStart, register);
    const loop = emit(lazy ? OP.lazyLoop : OP.loop, register, Math.min(node.min, UNBOUNDED), max);
    if (lazy) emit(OP.lazyTurn, register, max);
    compile(node.item);
    emit(OP.jump, loop);
    aim(loop, 4);
  }

  function compileCondition({ group, yes, no }: PatternNode & { kind: 'condition' }): void {
    const condition = emit(OP.condition, group);
    compile(yes);
    if (!no) {
      aim(condition, 2);
      return;
    }
    const end = emit(OP.jump);
    aim(condition, 2);
    compile(no);
    aim(end, 1);
  }

  compile(root);
  emit(OP.match);
  const program = Int32Array.from(code);
  noteWhatFollows(program);
  return { code: program, sets, registers, groups };
}

/** Most ends of a repetition fail at the very next instruction, and can be passed over without a try. */
function noteWhatFollows(code: Int32Array): void {
  for (let pc = 0; pc < code.length; pc += SIZE) {
    if (code[pc] !== OP.repeatOne && code[pc] !== OP.lazyRepeatOne) continue;
    let next = pc + 2 * SIZE;
    while (code[next] === OP.save) next += SIZE;
    code[pc + 3] = TESTS.has(code[next] ?? OP.match) ? next : -1;
  }
}

/** Instructions that hold or do not hold at a position, whatever came before. */
const TESTS: ReadonlySet<number> = new Set([
  OP.character,
  OP.any,
  OP.anyButNewline,
  OP.set,
  OP.setIgnoreCase,
  OP.place,
]);

/** The node, if it takes exactly one character and captures nothing. */
function oneCharacter(node: PatternNode): (PatternNode & { kind: 'character' | 'any' | 'set' }) | undefined {
  if (node.kind === 'character' || node.kind === 'any' || node.kind === 'set') return node;
  if (node.kind === 'group' && node.number === undefined) return oneCharacter(node.item);
  const [only] = node.kind === 'sequence' && node.items.length === 1 ? node.items : [];
  return only && oneCharacter(only);
}
