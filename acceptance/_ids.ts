import { readFileSync } from 'node:fs';
import { createAtelier } from '@atelier/sdk';

const [base, data] = process.argv.slice(2);
const a = createAtelier({
  url: base,
  apiKey: JSON.parse(readFileSync(`${data}/bootstrap.json`, 'utf8')).api_key,
});
const jobs = await a.jobs.list({ pageSize: 200 }).toArray(200);
const one = (f: (j: any) => boolean) => jobs.find(f)?.id;
console.log(
  `FAIL=${one((j) => j.status === 'failed')} SOFT=${one((j) => j.workflow_name === 'Soft portrait')} SOFT2=${jobs.filter((j) => j.workflow_name === 'Soft portrait')[5]?.id} FILM=${one((j) => j.workflow_name?.startsWith('Frames'))} TEXT=${one((j) => !j.workflow_name)}`,
);
