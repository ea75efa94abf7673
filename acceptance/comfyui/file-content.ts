/**
 * The part of a file that nodes made: pixels, samples and tensors without metadata, which has the graph with the names of its
 * files. The same encoder makes both files, so bytes can be compared.
 */
export function contentOf(file: Buffer): Buffer {
  if (startsWith(file, '\x89PNG')) return Buffer.concat(pngChunks(file).filter((chunk) => !isText(chunk)));
  if (startsWith(file, 'RIFF')) return Buffer.concat(riffChunks(file));
  if (startsWith(file, 'fLaC')) return flacFrames(file);
  if (file.toString('latin1', 4, 8) === 'ftyp') return Buffer.concat(mediaBoxes(file));
  if (file.readUInt32BE(0) === EBML) return webmClusters(file);
  if (file.toString('latin1', 8, 10) === '{"') return file.subarray(8 + Number(file.readBigUInt64LE(0)));
  return file;
}

/** Texts in the metadata of a PNG, by name. */
export function pngTexts(file: Buffer): Map<string, string> {
  if (!startsWith(file, '\x89PNG')) return new Map();
  return new Map(
    pngChunks(file)
      .filter(isText)
      .map((chunk) => {
        const [name = '', ...text] = chunk.toString('utf8', 8, chunk.length - 4).split('\0');
        return [name, text.join('\0')];
      }),
  );
}

const EBML = 0x1a_45_df_a3;
const CLUSTER = Buffer.from('1f43b675', 'hex');
const CUES = Buffer.from('1c53bb6b', 'hex');

function startsWith(file: Buffer, text: string): boolean {
  return file.toString('latin1', 0, text.length) === text;
}

function isText(chunk: Buffer): boolean {
  return ['tEXt', 'zTXt', 'iTXt'].includes(chunk.toString('latin1', 4, 8));
}

/** With their lengths, types and checksums. An animated PNG keeps its texts between frames (`comf`). */
function pngChunks(file: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 8; at + 12 <= file.length; ) {
    const size = 12 + file.readUInt32BE(at);
    const chunk = file.subarray(at, at + size);
    if (chunk.toString('latin1', 4, 8) !== 'comf') chunks.push(chunk);
    at += size;
  }
  return chunks;
}

function riffChunks(file: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) !== 'EXIF') chunks.push(file.subarray(at, at + 8 + size));
    at += 8 + size + (size % 2);
  }
  return chunks;
}

function flacFrames(file: Buffer): Buffer {
  let at = 4;
  for (let isLast = false; !isLast; ) {
    isLast = file.readUInt8(at) >= 0x80;
    at += 4 + file.readUIntBE(at + 1, 3);
  }
  return file.subarray(at);
}

function mediaBoxes(file: Buffer): Buffer[] {
  const boxes: Buffer[] = [];
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at) || file.length - at;
    if (file.toString('latin1', at + 4, at + 8) === 'mdat') boxes.push(file.subarray(at, at + size));
    at += size;
  }
  return boxes;
}

function webmClusters(file: Buffer): Buffer {
  const cues = file.lastIndexOf(CUES);
  return file.subarray(file.indexOf(CLUSTER), cues === -1 ? file.length : cues);
}
