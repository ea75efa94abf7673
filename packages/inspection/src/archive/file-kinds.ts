const ELF = 0x7f454c46;
const MACH_O = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe]);
const MACH_O_FAT = 0xcafebabe;
/** Java class files have the same magic number, followed by their version (45 and up) instead of a count of processors. */
const FAT_PARTS = 30;

export function executableKind(head: Buffer): 'ELF' | 'PE' | 'Mach-O' | undefined {
  if (head.length < 8) return undefined;
  const magic = head.readUInt32BE(0);
  if (magic === ELF) return 'ELF';
  if (MACH_O.has(magic)) return 'Mach-O';
  if (magic === MACH_O_FAT && head.readUInt32BE(4) < FAT_PARTS) return 'Mach-O';
  return isPortableExecutable(head) ? 'PE' : undefined;
}

function isPortableExecutable(head: Buffer): boolean {
  if (head.length < 0x40 || head.readUInt16BE(0) !== 0x4d5a) return false;
  const header = head.readUInt32LE(0x3c);
  return header + 4 <= head.length && head.readUInt32BE(header) === 0x50450000;
}

const ARCHIVES = ['504b0304', '1f8b', '377abcaf271c', '526172211a07', 'fd377a585a00', '425a68'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

const END_RECORD = Buffer.from('504b0506', 'hex');
const END_RECORD_BYTES = 22;

/** Looks at the first bytes, and for zip files at the last ones: they are read from there, whatever comes before. */
export function isArchive(head: Buffer, tail: Buffer): boolean {
  if (ARCHIVES.some((magic) => head.subarray(0, magic.length).equals(magic))) return true;
  const end = tail.lastIndexOf(END_RECORD);
  if (end === -1 || end + END_RECORD_BYTES > tail.length) return false;
  return tail.readUInt16LE(end + END_RECORD_BYTES - 2) === tail.length - end - END_RECORD_BYTES;
}

export function isPythonSource(path: string): boolean {
  return /\.pyw?$/i.test(path);
}

export function isPythonBytecode(path: string): boolean {
  return /\.py[co]$/i.test(path);
}

/** Python runs such a file without comparing it with its source. */
export function isUncheckedBytecode(head: Buffer): boolean {
  return head.length >= 8 && head.readUInt32LE(4) === 1;
}
