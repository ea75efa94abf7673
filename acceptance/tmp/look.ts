// usage: node look.ts BASE DATA OUT width theme path...
import { readFileSync, mkdirSync } from 'node:fs';
import { startBrowser } from '../support/browser.ts';
const [base, data, out, widths, themes, ...paths] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const admin = JSON.parse(readFileSync(`${data}/bootstrap.json`, 'utf8'));
const browser = await startBrowser();
for (const width of widths.split(',')) for (const theme of themes.split(',')) {
const context = await browser.newContext({ baseURL: base, viewport: { width: Number(width), height: width === '390' ? 844 : width === '1920' ? 1080 : 800 }, colorScheme: theme as 'dark' });
await context.request.post('/auth/session', { data: { email: admin.email, password: admin.password }, headers: { origin: base } });
const page = await context.newPage();
page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') console.log('CONSOLE', m.text().slice(0, 300)); });
page.on('pageerror', (e) => console.log('PAGEERROR', e.message.slice(0, 500)));
for (const path of paths) {
  await page.goto(`${base}/console${path}`);
  await page.waitForTimeout(2500);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (over > 0) console.log('SIDEWAYS', path, width, over);
  await page.screenshot({ path: `${out}/${path.replaceAll(/[^a-z0-9]+/gi, '_') || 'home'}-${width}-${theme}.png`, fullPage: false });
}
await context.close();
}
await browser.close();
