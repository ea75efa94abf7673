/** Run where a file of this size has no room: tries to save it twice, and prints what came of it. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAtelier } from '@atelier/sdk';

const [folder = '', filename = ''] = process.argv.slice(2);
const remote = createAtelier({ retries: 0 }).files.open({ filename, type: 'input' });
const save = async (path: string): Promise<unknown> =>
  await remote.saveTo(path).then(
    () => 'saved',
    ({ name, code, message }: { name: string; code: string; message: string }) => ({ name, code, message }),
  );

const earlier = join(folder, 'kept/photo.bin');
await mkdir(join(folder, 'kept'));
await writeFile(earlier, 'as it was');
const results = [await save(join(folder, 'new.bin')), await save(earlier)];
const files = (await readdir(folder, { recursive: true })).toSorted();
process.stdout.write(JSON.stringify({ results, files, earlier: await readFile(earlier, 'utf8') }));
