import { shown } from './unusable-archive.ts';

/** The part of a file that is read for notes. */
export const NOTED_BYTES = 64 * 1024;

const SCRIPT = /\.(?:sh|bash|zsh|command|bat|cmd|ps1)$/i;
const REQUIREMENTS = /(?:^|\/)[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in)$/i;
const START_FILE = /\.pth$/i;
const PROGRAM = /\.(?:exe|dll|so(?:\.[\d.]+)?|dylib|pyd|msi|scr|com)$/i;

const BROWSER_SCRIPT = /\.m?js$/i;
/** Code that a page of the editor makes from texts, or loads from another site. */
const FOREIGN_SCRIPT =
  /(?<![.\w])eval\s*\(|\bnew\s+Function\s*\(|\bimport\s*\(?\s*["'`]https?:|\bfrom\s*["'`]https?:|\bimportScripts\s*\(\s*["'`]https?:|createElement\(\s*["'`]script["'`]/;

const FETCHING = /\b(?:curl|wget|iwr|invoke-webrequest|invoke-restmethod|bitsadmin|certutil)\b/i;
const OTHER_SOURCE = /^\s*(?:-i\b|--index-url|--extra-index-url|-f\b|--find-links|--trusted-host)/im;
const ADDRESS =
  /^\s*(?:(?:-e|--editable)\s+)?(?:[\w.[\],-]+\s*@\s*)?(?:git\+|hg\+|svn\+|https?:|file:|ftp:)/im;

export function isNotedByContent(file: string): boolean {
  return SCRIPT.test(file) || BROWSER_SCRIPT.test(file) || REQUIREMENTS.test(file) || START_FILE.test(file);
}

/** Notes for the reviewer about a file that is neither Python nor machine code. */
export function notesOnFile(file: string, content: Buffer): readonly string[] {
  const text = content.toString('latin1');
  if (PROGRAM.test(file)) return [`${shown(file)} has the name of a program or library of machine code.`];
  if (SCRIPT.test(file) && FETCHING.test(text))
    return [`${shown(file)} is a script that downloads something.`];
  if (BROWSER_SCRIPT.test(file) && FOREIGN_SCRIPT.test(text))
    return [`${shown(file)} is a script for browsers that loads or makes code while it runs.`];
  // Weights have this ending too, but they are not text.
  if (START_FILE.test(file) && !text.includes('\0'))
    return [`${shown(file)} has lines that Python runs when it starts, if it lies among its libraries.`];
  if (!REQUIREMENTS.test(file)) return [];
  return [
    ...(OTHER_SOURCE.test(text) ? [`${shown(file)} takes packages from another index.`] : []),
    ...(ADDRESS.test(text) ? [`${shown(file)} takes packages from addresses.`] : []),
  ];
}
