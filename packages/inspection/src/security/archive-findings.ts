import type { ArchiveContent } from '../archive/read-archive.ts';
import type { Finding } from '../inspection.ts';
import { RULES, type RuleId } from './rules.ts';

const EXECUTABLE_NAME =
  /\.(?:exe|dll|so(?:\.[\d.]+)?|pyd|dylib|node|bin|elf|o|a|lib|sys|com|scr)$|(?:^|\/)[^./]+$/i;

export function findInArchive({ executables, bytecode, paths, unread }: ArchiveContent): Finding[] {
  return [
    ...executables.map(({ file, kind, bytes }) =>
      ofFile(
        EXECUTABLE_NAME.test(file) ? 'bundled-executable' : 'disguised-executable',
        file,
        `${kind}, ${bytes} bytes`,
      ),
    ),
    ...bytecode
      .filter(({ file, isUnchecked }) => isUnchecked || !sourcesOf(file).some((source) => paths.has(source)))
      .map(({ file, isUnchecked }) =>
        ofFile('bytecode', file, isUnchecked ? 'never checked' : 'without its source'),
      ),
    ...unread.map((file) => unreadSource(file, 'too long')),
  ];
}

export function unreadSource(file: string, why: string): Finding {
  return ofFile('unread-source', file, why);
}

function ofFile(rule: RuleId, file: string, excerpt: string): Finding {
  const { severity, explanation } = RULES[rule];
  return { rule, severity: severity === 'by-time' ? 'high' : severity, file, line: 1, excerpt, explanation };
}

/** `a/__pycache__/b.cpython-312.pyc` is made from `a/b.py`, and `a/b.pyc` is too. */
function sourcesOf(file: string): string[] {
  const cached = /^(.*\/)?__pycache__\/([^./]+)\.[^/]*$/.exec(file);
  const path = cached ? `${cached[1] ?? ''}${cached[2] ?? ''}` : file.replace(/\.py[co]$/i, '');
  return [`${path}.py`, `${path}.pyw`];
}
