import { crc32, deflateRawSync } from 'node:zlib';

/** One entry as it is to stand in the archive, true or not. */
export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly isStored?: boolean;
  readonly method?: number;
  readonly flags?: number;
  readonly crc32?: number;
  /** What the headers claim, whatever the content is. */
  readonly inflatedBytes?: number;
  readonly attributes?: number;
  readonly extra?: Buffer;
  /** What only the header in front of the content says. */
  readonly localName?: string;
  readonly localBytes?: number;
  readonly localFlags?: number;
  readonly version?: number;
  /** Points the directory to another entry's header. */
  readonly offset?: number;
  /** Bytes put in place of the compressed content. */
  readonly packed?: Buffer;
}

interface EndRecord {
  readonly entries?: number;
  readonly directoryBytes?: number;
  readonly directoryOffset?: number;
  readonly comment?: Buffer;
  /** Put between the directory and the end record. */
  readonly between?: Buffer;
}

/** A zip archive byte by byte: for archives that no library would write. */
export function buildZip(entries: readonly ZipEntry[], end: EndRecord = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const { local, central } = headersOf(entry, position);
    parts.push(local);
    directory.push(central);
    position += local.length;
  }
  const central = Buffer.concat(directory);
  const comment = end.comment ?? Buffer.alloc(0);
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(end.entries ?? entries.length, 8);
  record.writeUInt16LE(end.entries ?? entries.length, 10);
  record.writeUInt32LE(end.directoryBytes ?? central.length, 12);
  record.writeUInt32LE(end.directoryOffset ?? position, 16);
  record.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, central, end.between ?? Buffer.alloc(0), record, comment]);
}

function headersOf(entry: ZipEntry, position: number): { local: Buffer; central: Buffer } {
  const content = Buffer.from(entry.content ?? '');
  const name = Buffer.from(entry.name);
  const localName = Buffer.from(entry.localName ?? entry.name);
  const packed = entry.packed ?? (entry.isStored ? content : deflateRawSync(content));
  const extra = entry.extra ?? Buffer.alloc(0);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(entry.version ?? 20, 0);
  fields.writeUInt16LE(entry.flags ?? 0x800, 2);
  fields.writeUInt16LE(entry.method ?? (entry.isStored ? 0 : 8), 4);
  fields.writeUInt32LE(entry.crc32 ?? crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(entry.inflatedBytes ?? content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(extra.length, 24);

  const localFields = Buffer.from(fields);
  localFields.writeUInt16LE(localName.length, 22);
  localFields.writeUInt16LE(0, 24);
  if (entry.localFlags !== undefined) localFields.writeUInt16LE(entry.localFlags, 2);
  if (entry.localBytes !== undefined) localFields.writeUInt32LE(entry.localBytes, 18);
  const local = Buffer.concat([signature(0x04034b50), localFields, localName, packed]);

  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(entry.attributes ?? 0, 6);
  tail.writeUInt32LE(entry.offset ?? position, 10);
  const isCallOf = Buffer.from([20, 3]);
  const central = Buffer.concat([signature(0x02014b50), isCallOf, fields, tail, name, extra]);
  return { local, central };
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
