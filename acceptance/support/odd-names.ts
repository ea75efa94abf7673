/** Each pretends to be more, or other, than one line of text. */
export const ODD_NAMES = [
  'two\nlines',
  'two\r\nlines',
  'a\ttab',
  'a \u001b[31mred name',
  'deleted\u007f',
  'next\u0085line',
  'line\u2028separator',
  'paragraph\u2029separator',
  'turned\u202ereversed',
  'isolated\u2066inside\u2069',
  'marked\u200f',
];
