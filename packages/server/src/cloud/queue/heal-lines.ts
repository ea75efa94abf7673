import { type Db, withTransaction } from '../../platform/db/database.ts';
import { inRestedSlices } from '../../platform/in-slices.ts';
import { readLines, recountLine, shiftLine } from './lines.repo.ts';

const PAGE = 100;

export async function healLines(db: Db): Promise<number> {
  let healed = 0;
  let after = '';
  await inRestedSlices(async () => {
    const page = await readLines(db, after, PAGE);
    for (const { userId, wrong } of page) {
      if (!wrong) continue;
      await withTransaction(db, async (tx) => {
        await shiftLine(tx, userId);
        await recountLine(tx, userId);
      });
      healed += 1;
    }
    const last = page.at(-1);
    if (last) after = last.userId;
    return page.length === PAGE;
  });
  return healed;
}
