/** The values in Prometheus text by the name and labels of their series, as they stand there. Buckets are left out. */
export function seriesIn(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const values = lines.map((line): [string, number] => {
    const at = line.lastIndexOf(' ');
    return [line.slice(0, at), Number(line.slice(at + 1))];
  });
  return Object.fromEntries(values.filter(([name]) => !name.includes('_bucket{')));
}
