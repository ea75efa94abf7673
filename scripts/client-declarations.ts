import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@atelier/testing';
import { type Comment, type Directive, parseSync, type Span, type Statement } from 'oxc-parser';

import { runCommand } from './run-command.ts';

/** Whatever a file declares under a name: a function, an interface, a type, a class or a constant. */
type Declared = Exclude<Extract<Statement, { id: unknown }>, Directive>;

export interface Declaration {
  readonly name: string;
  readonly node: Declared;
  readonly file: string;
  /** The sentences above it, or above a part of it; empty when there are none. */
  readonly commentAbove: (part?: Span) => string;
  /** The text of a part, without the indentation of the file. */
  readonly textOf: (part: Span) => string;
}

export interface ClientDeclarations {
  readonly all: ReadonlyMap<string, Declaration>;
  /** What `index.ts` names, in its order. Types of the wire are not among them. */
  readonly exported: readonly Declaration[];
}

/**
 * The declarations of the client as they are published. The compiler writes them, so every inferred type is there; it has no API for
 * JavaScript, so they are parsed again.
 */
export async function readClientDeclarations(): Promise<ClientDeclarations> {
  await using folder = await temporaryFolder();
  const project = 'packages/sdk/tsconfig.build.json';
  const { isGood, output } = await runCommand('tsc', [
    '-p',
    project,
    '--emitDeclarationOnly',
    '--outDir',
    folder.path,
  ]);
  if (!isGood) throw new Error(`The declarations of the client cannot be made:\n${output}`);
  const all = new Map<string, Declaration>();
  const names: string[] = [];
  for (const file of globSync('**/*.d.ts', { cwd: folder.path }).toSorted()) {
    const text = readFileSync(join(folder.path, file), 'utf8');
    const { program, comments } = parseSync(file, text);
    for (const statement of program.body) {
      const found = 'declaration' in statement ? statement.declaration : statement;
      if (found && 'id' in found && found.id) {
        const { name } = found.id as { name: string };
        all.set(name, declarationOf(name, found, { file, text, comments, start: statement.start }));
      } else if (file === 'index.d.ts' && statement.type === 'ExportNamedDeclaration') {
        names.push(...statement.specifiers.map(({ exported }) => nameOf(exported)));
      }
    }
  }
  return { all, exported: names.flatMap((name) => all.get(name) ?? []) };
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly comments: readonly Comment[];
  readonly start: number;
}

function declarationOf(name: string, node: Declared, { file, text, comments, start }: Source): Declaration {
  return {
    name,
    node,
    file,
    commentAbove(part = { start, end: start }) {
      const found = comments.find(
        ({ value, end }) =>
          value.startsWith('*') && end <= part.start && text.slice(end, part.start).trim() === '',
      );
      return (found?.value ?? '')
        .replaceAll(/^\s*\*+/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
    },
    textOf: (part) => dedent(text, part),
  };
}

/** Four spaces become two, and what was inside another type begins at the margin. */
function dedent(text: string, { start, end }: Span): string {
  const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', start) + 1, start))?.[0].length ?? 0;
  return text
    .slice(start, end)
    .replaceAll(/(?<=\n) +/g, (spaces) => ' '.repeat(Math.max(0, spaces.length - indent) / 2))
    .replaceAll(/import\("[^"]+"\)\./g, '');
}

function nameOf(exported: {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
}): string {
  return exported.name ?? String(exported.value);
}
