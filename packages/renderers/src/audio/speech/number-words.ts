const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const STEPS = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
  [100, 'hundred'],
] as const;

/** The digits of a number, with a point at most, as words. */
export function numberWords(digits: string): readonly string[] {
  const [whole = '', part] = digits.split('.');
  const words =
    whole.length > 10 || (whole.length > 1 && whole.startsWith('0')) ? oneByOne(whole) : inWhole(whole);
  return part ? [...words, 'point', ...oneByOne(part)] : words;
}

function inWhole(digits: string): readonly string[] {
  const value = Number(digits);
  const isYear = digits.length === 4 && value >= 1100 && value < 2100 && Math.floor(value / 100) !== 20;
  if (!isYear) return counted(value);
  const rest = value % 100;
  if (rest === 0) return [...counted(value / 100), 'hundred'];
  return [...counted(Math.floor(value / 100)), ...(rest < 10 ? ['oh'] : []), ...counted(rest)];
}

const oneByOne = (digits: string): readonly string[] =>
  Array.from(digits).map((digit) => SMALL[Number(digit)] ?? '');

function counted(value: number): readonly string[] {
  for (const [size, name] of STEPS) {
    if (value < size) continue;
    const rest = value % size;
    return [...counted(Math.floor(value / size)), name, ...(rest > 0 ? counted(rest) : [])];
  }
  if (value < 20) return [SMALL[value] ?? ''];
  const unit = value % 10;
  return [TENS[Math.floor(value / 10)] ?? '', ...(unit > 0 ? [SMALL[unit] ?? ''] : [])];
}
