export interface Mp4 {
  readonly seconds: number;
  /** Four letters each, such as `avc1` and `mp4a`. */
  readonly codecs: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** What the header of an MP4 says of it. */
export function readMp4(bytes: Buffer): Mp4 {
  const [movie] = boxes(bytes, ['moov']);
  if (!movie) throw new Error('it is not an MP4');
  const [header] = boxes(movie, ['mvhd']);
  if (!header) throw new Error('the MP4 has no header');
  const isLong = header.readUInt8(0) === 1;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  const codecs = boxes(movie, ['trak', 'mdia', 'minf', 'stbl', 'stsd']).map((box) =>
    box.toString('latin1', 12, 16),
  );
  // Sound has no size. The numbers are in 65536ths.
  const size = boxes(movie, ['trak', 'tkhd'])
    .map((box) => [box.readUInt32BE(box.length - 8) / 65_536, box.readUInt32BE(box.length - 4) / 65_536])
    .find(([width]) => width !== 0);
  const [width = 0, height = 0] = size ?? [];
  return { seconds: duration / scale, codecs, width, height };
}

/** The contents of all boxes at a path. */
function boxes(bytes: Buffer, [first, ...rest]: readonly string[]): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short || bytes.length - at;
    if (bytes.toString('latin1', at + 4, at + 8) === first) found.push(bytes.subarray(at + head, at + size));
    at += Math.max(size, head);
  }
  return rest.length === 0 ? found : found.flatMap((box) => boxes(box, rest));
}
