import parse from 'semver/functions/parse.js';

/** `2.5` and `v2.5.0` are `2.5.0`; build metadata does not count. `undefined` for anything else. */
export function normalizeVersion(text: string): string | undefined {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.exec(text.trim());
  if (!match) return undefined;
  const [, major, minor = '0', patch = '0', pre = ''] = match;
  return parse(`${major}.${minor}.${patch}${pre}`)?.version;
}

/**
 * Text that sorts like semantic versions under every collation: only digits and lower-case letters, numbers of a fixed width, and a
 * pre-release (`p`) before its release (`z`).
 */
export function versionKey(version: string): string {
  const parsed = parse(version);
  if (!parsed) throw new TypeError(`${version} is not a version`);
  const numbers = [parsed.major, parsed.minor, parsed.patch].map(fixedWidth).join('');
  if (parsed.prerelease.length === 0) return `${numbers}z`;
  // `0` ends a word and the list, and sorts before everything else there.
  return `${numbers}p${parsed.prerelease.map(identifierKey).join('')}0`;
}

function identifierKey(identifier: string | number): string {
  if (typeof identifier === 'number') return `a${fixedWidth(identifier)}`;
  const letters = [...Buffer.from(identifier)].map((byte) => letterPair(byte)).join('');
  return `b${letters}0`;
}

function letterPair(byte: number): string {
  const A = 'a'.charCodeAt(0);
  return String.fromCharCode(A + (byte >> 4), A + (byte & 15));
}

function fixedWidth(number: number): string {
  return String(number).padStart(16, '0');
}
