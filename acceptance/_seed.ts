import { readFileSync } from 'node:fs';
import { createAtelier, file } from '@atelier/sdk';
const [base, data] = process.argv.slice(2);
const admin = JSON.parse(readFileSync(`${data}/bootstrap.json`, 'utf8'));
const atelier = createAtelier({ url: base, apiKey: admin.api_key });
const F = 'packages/renderers/test/fixtures/';
const names: Record<string, string> = {};
for (const n of ['dahlia', 'eileen-collins', 'grace-hopper', 'coffee', 'barack-obama']) {
  const up = await atelier.files.upload(new File([readFileSync(F + n + '.jpg')], n + '.jpg'));
  names[n] = up.name;
}
const pics = Object.values(names);
const soft = (image: string, sigma: number) => ({
  '1': { class_type: 'LoadImage', inputs: { image }, _meta: { title: 'Portrait' } },
  '2': { class_type: 'ImageBlur', inputs: { image: ['1', 0], blur_radius: 12, sigma }, _meta: { title: 'Soften the skin' } },
  '3': { class_type: 'ImageBlend', inputs: { image1: ['1', 0], image2: ['2', 0], blend_factor: 0.6, blend_mode: 'normal' } },
  '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'soft' }, _meta: { title: 'Save' } },
});
const invert = (image: string) => ({
  '1': { class_type: 'LoadImage', inputs: { image } },
  '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'negative' } },
});
const fail = () => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: Math.floor(Math.random() * 1e6) } },
  '2': { class_type: 'ImageToMask', inputs: { image: ['1', 0], channel: 'alpha' }, _meta: { title: 'Cut out the subject' } },
  '3': { class_type: 'MaskPreview', inputs: { mask: ['2', 0] } },
});
const text = (t: string) => ({ '1': { class_type: 'PrimitiveString', inputs: { value: t } }, '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } } });
const ids: string[] = [];
for (let n = 0; n < Number(process.argv[4] ?? 12); n++) {
  const p = pics[n % pics.length]!;
  ids.push((await atelier.jobs.submit(soft(p, 1 + n / 7), { workflowName: 'Soft portrait', tags: n % 2 ? ['client: Meyer', 'final'] : ['draft'] })).id);
  if (n % 3 === 0) ids.push((await atelier.jobs.submit(invert(p), { workflowName: 'Negative' })).id);
  if (n % 4 === 1) ids.push((await atelier.jobs.submit(fail(), { workflowName: 'Cut out the subject and put it before a new background, in the style of the autumn catalogue' })).id);
  if (n % 5 === 2) ids.push((await atelier.jobs.submit(text('A description ' + n + ' of the picture.'))).id);
}
for (const id of ids) await atelier.jobs.attach(id).result().catch(() => {});
const long = (pictures: number) => ({
  '1': { class_type: 'LoadImage', inputs: { image: pics[0] } },
  '2': { class_type: 'RepeatImageBatch', inputs: { image: ['1', 0], amount: pictures } },
  '3': { class_type: 'ImageBlur', inputs: { image: ['2', 0], blur_radius: 31, sigma: 9 + Math.random() }, _meta: { title: 'Soften all frames' } },
  '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'frames' } },
});
if (process.argv[5] === 'run') for (let n = 0; n < 4; n++) console.log((await atelier.jobs.submit(long(40), { workflowName: 'Frames for the film', tags: ['film'] })).id);
console.log(JSON.stringify((await atelier.jobs.list({ pageSize: 5 }).page()).items.map((j) => [j.id, j.status, j.workflow_name, j.execution_error?.['exception_message']]), null, 1));
