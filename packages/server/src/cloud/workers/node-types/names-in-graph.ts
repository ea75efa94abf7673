import { type FilePlace, toAnnotatedPlace } from '../../files/file-place.ts';

/** No file has a longer name, even with an annotation. */
const MAX_LENGTH = 1100;

export function placeKey({ folder, subfolder, fileName }: FilePlace): string {
  return `${folder}/${subfolder}/${fileName}`;
}

/** Every text in a graph, read as nodes read a file name: a file in `input`, or in the folder of a suffix such as ` [output]`. */
export function* placesIn(graph: string): Generator<FilePlace> {
  const open: unknown[] = [JSON.parse(graph)];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
    if (typeof value !== 'string' || value.length > MAX_LENGTH) continue;
    const place = toAnnotatedPlace(value, { folder: 'input' });
    if (place) yield place;
  }
}

export function namesInGraph(graph: string): ReadonlySet<string> {
  return new Set(placesIn(graph).map(placeKey));
}
