/** The polynomial of CRC-32 as gzip has it, the lowest power in the highest bit. */
const POLYNOMIAL = 0xed_b8_83_20 | 0;
const ONE = 0x80_00_00_00 | 0;

/** The product of two polynomials over two elements, modulo that of CRC-32. Signed numbers: they stay whole and fast. */
function multiply(left: number, right: number): number {
  let product = 0;
  let shifted = right | 0;
  for (let rest = left | 0; rest !== 0; rest <<= 1) {
    product ^= shifted & (rest >> 31);
    shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
  }
  return product;
}

/** The variable to the power of 8, 16, 32 and so on: of one byte, two, four. */
const POWERS = powers();

function powers(): Int32Array {
  const found = new Int32Array(32);
  found[0] = ONE >>> 8;
  for (let index = 1; index < found.length; index += 1) {
    const last = found[index - 1] ?? 0;
    found[index] = multiply(last, last);
  }
  return found;
}

/** What a checksum is multiplied with when so many bytes follow, fewer than 2^31. */
export function shiftOf(bytes: number): number {
  let shift = ONE;
  for (let rest = bytes | 0, index = 0; rest !== 0; rest >>>= 1, index += 1) {
    if ((rest & 1) === 1) shift = multiply(shift, POWERS[index] ?? 0);
  }
  return shift;
}

/**
 * The checksum of a text that is continued with a part of another one. Of the other the checksums up to the part's
 * beginning and up to its end are known; `shift` is that of the part's length.
 */
export function crcAfter(crc: number, upToBegin: number, upToEnd: number, shift: number): number {
  return (multiply(shift, crc ^ upToBegin) ^ upToEnd) >>> 0;
}
