// BASE DATA OUT width theme path...
import { readFileSync, mkdirSync } from 'node:fs';
import { startBrowser } from './support/browser.ts';
const [base, data, out, widths, themes, ...paths] = process.argv.slice(2);
mkdirSync(out!, { recursive: true });
const admin = JSON.parse(readFileSync(`${data}/bootstrap.json`, 'utf8'));
const browser = await startBrowser();
for (const width of widths!.split(',')) for (const theme of themes!.split(',')) {
  const context = await browser.newContext({ viewport: { width: Number(width), height: width === '390' ? 844 : 800 }, colorScheme: theme as 'dark', baseURL: base, locale: process.env.LOCALE ?? 'en' });
  const answer = await context.request.post('/auth/session', { data: { email: admin.email, password: admin.password }, headers: { origin: base! } });
  if (!answer.ok()) throw new Error(String(answer.status()));
  const page = await context.newPage();
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') console.log('CONSOLE', m.text().slice(0, 300)); });
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message.slice(0, 500)));
  for (const path of paths) {
    const [url, click] = path.split('@@');
    await page.goto(`/console${url}`);
    await page.waitForSelector('#content h1');
    await page.waitForTimeout(Number(process.env.WAIT ?? 2000));
    if (click) { await page.getByRole('button', { name: click }).first().click().catch((e) => console.log(e.message)); await page.waitForTimeout(800); }
    await page.screenshot({ path: `${out}/${(url!.split('/').slice(1,3).join('_').replaceAll(/[^a-z0-9]+/gi, '_') || 'home').slice(0,50)}-${width}-${theme}.png`, fullPage: process.env.FULL === '1' });
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (wide) console.log('SIDEWAYS', path, width, wide);
  }
  await context.close();
}
await browser.close();
