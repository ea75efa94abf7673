import { type AnimationKind, apngKind, gifKind } from './animation-kind.ts';

/** The kind of a picture by its first bytes, whatever its name. */
export type PictureKind =
  | { readonly format: 'jpeg' | 'tiff' | 'avif' | 'heic' }
  | { readonly format: 'webp'; readonly hasAlpha: boolean | undefined }
  | { readonly format: 'png'; readonly width: number; readonly height: number }
  | { readonly format: 'bmp' | 'pnm'; readonly width: number; readonly height: number }
  | AnimationKind;

const AVIF_BRANDS = new Set(['avif', 'avis', 'mif1', 'msf1']);
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']);
const PNM_HEADER = /^P[1-6](?:\s|#[^\n]*\n)+(\d{1,9})(?:\s|#[^\n]*\n)+(\d{1,9})\s/;

/** `undefined` if no decoder reads the file. */
export function pictureKind(file: Uint8Array): PictureKind | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith('\xff\xd8\xff')) return { format: 'jpeg' };
  if (start.startsWith('\x89PNG\r\n\x1a\n') && bytes.length >= 24) {
    return (
      apngKind(bytes) ?? { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    );
  }
  if (/^GIF8[79]a/.test(start)) return gifKind(bytes);
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') {
    return { format: 'webp', hasAlpha: hasWebpAlpha(bytes) };
  }
  if (/^(?:II[*+]\0|MM\0[*+])/.test(start)) return { format: 'tiff' };
  if (start.slice(4, 8) === 'ftyp') return byBrand(start.slice(8, 12));
  if (start.startsWith('BM') && bytes.length >= 26) return bitmapKind(bytes);
  const [, width, height] = PNM_HEADER.exec(bytes.toString('latin1', 0, 512)) ?? [];
  return width && height ? { format: 'pnm', width: Number(width), height: Number(height) } : undefined;
}

function byBrand(brand: string): PictureKind | undefined {
  if (AVIF_BRANDS.has(brand)) return { format: 'avif' };
  return HEIC_BRANDS.has(brand) ? { format: 'heic' } : undefined;
}

function bitmapKind(bytes: Buffer): PictureKind {
  const isFirstVersion = bytes.readUInt32LE(14) === 12;
  return isFirstVersion
    ? { format: 'bmp', width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) }
    : { format: 'bmp', width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
}

/**
 * As in ComfyUI's decoder: lossless pictures have an alpha, even if it is opaque, and others if one is stored. Unknown for
 * animations.
 */
function hasWebpAlpha(bytes: Buffer): boolean | undefined {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    if (type === 'VP8L' || type === 'ALPH') return true;
    if (type === 'VP8 ') return false;
    if (type === 'ANMF') return undefined;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return undefined;
}
