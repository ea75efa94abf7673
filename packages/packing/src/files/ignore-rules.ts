import ignore, { type Ignore } from 'ignore';

import { readText } from './read-text.ts';

const newRules = () => ignore({ ignorecase: false });

/**
 * Reads a .comfyignore as comfy-cli does: the last matching line counts, so `!dist/keep.js` brings a file back from an
 * ignored folder, which Git does not allow.
 */
export function comfyignoreOf(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isException = line.startsWith('!');
      return { isException, pattern: newRules().add(isException ? line.slice(1) : line) };
    });
  return (path) => rules.findLast(({ pattern }) => pattern.ignores(path))?.isException === false;
}

/** The .gitignore files that apply to a folder, outermost first. */
export type GitRules = readonly { readonly folder: string; readonly rules: Ignore }[];

/** Adds the rules of another folder, whose path is empty or ends in a slash. */
export async function withGitignore(root: string, folder: string, above: GitRules): Promise<GitRules> {
  const text = await readText(root, `${folder}.gitignore`);
  return text === undefined ? above : [...above, { folder, rules: newRules().add(text) }];
}

/** For a file, or a folder with a slash at the end. The innermost rules count first. */
export function isGitignored(all: GitRules, path: string): boolean {
  for (const { folder, rules } of all.toReversed()) {
    const { ignored, unignored } = rules.test(path.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
