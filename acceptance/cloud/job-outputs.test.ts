import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import sharp from 'sharp';

import { download, finish, newSubmitter, type Submitter, untilStatus } from '../support/cloud.ts';
import { HOLDING, submitHeld } from '../support/held-jobs.ts';
import { onEachEngine } from '../support/servers.ts';
import { type Message, watch } from '../support/sockets.ts';
import { longTextWorkflow, textWorkflow, type Workflow } from '../support/workflows.ts';

interface JobAsset {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly mime_type: string;
  readonly size: number;
  readonly preview_url: string;
  readonly node_id: string;
  readonly output_key: string;
  readonly output_index: number;
}

interface AssetPage {
  readonly job_id: string;
  readonly assets: readonly JobAsset[];
  readonly pagination: Readonly<Record<string, unknown>>;
}

interface Described {
  readonly outputs_count: number;
  readonly previewable_outputs_count: number;
  readonly preview_output?: Readonly<Record<string, unknown>>;
}

const BIG = '18446744073709551615';

function nodes(...list: readonly (readonly [string, string, object])[]): Workflow {
  return Object.fromEntries(
    list.map(([id, type, inputs]) => [id, { class_type: type, inputs: { ...inputs } }]),
  );
}

/** Some pictures of a color that no other test uses. */
function pictures(count: number) {
  const color = Math.floor(Math.random() * 0xff_ff_ff);
  return ['pictures', 'EmptyImage', { width: 8, height: 6, batch_size: count, color }] as const;
}

const text = ['text', 'PrimitiveString', { value: 'words' }] as const;

onEachEngine(
  'what jobs put out',
  (server) => {
    let ada: Submitter;
    before(async () => {
      ada = await newSubmitter(server.current);
    });
    const raw = async (path: string) => {
      const answer = await fetch(server.current.url + path, { headers: { 'x-api-key': ada.key } });
      assert.equal(answer.status, 200);
      return await answer.text();
    };
    const described = async (workflow: Workflow): Promise<Described> => {
      const { prompt_id: id, status } = await finish(ada.api, workflow);
      assert.equal(status, 'completed');
      return await newest(id);
    };
    const newest = async (id: string): Promise<Described> => {
      const { body } = await ada.api.get<{ jobs: (Described & { id: string })[] }>('/api/jobs?limit=1');
      assert.equal(body.jobs[0]?.id, id);
      return body.jobs[0];
    };

    test('[CLD-29] a text of more than 64 KiB is cut wherever it is shown, and a file has the whole', async () => {
      const workflow = longTextWorkflow(20);
      const whole = String(workflow['0']?.inputs['value']).repeat(2 ** 15);
      using watcher = await watch(server.current.url, ada.key);
      const { prompt_id: id, status, outputs } = await finish(ada.api, workflow);
      assert.equal(status, 'completed');
      const shown: unknown = outputs['show']?.['text']?.[0];
      assert.ok(typeof shown === 'string');
      assert.ok(whole.startsWith(shown));
      assert.ok(shown.length > 65_000 && shown.length < 65_536, String(shown.length));
      const [file, ...others] = outputs['show']?.['files'] ?? [];
      assert.ok(file);
      assert.deepEqual(others, []);
      assert.partialDeepStrictEqual(file, { type: 'output', full_output: true });
      const { filename, subfolder, type } = file;
      const bytes = await download(ada.api, { filename, subfolder, type });
      assert.equal(Buffer.from(bytes).toString(), whole);
      const { assets } = (await ada.api.get<AssetPage>(`/api/jobs/${id}/assets`)).body;
      assert.deepEqual(
        assets.map(({ name, size, node_id }) => [name, size, node_id]),
        [[filename, whole.length, 'show']],
      );
      await watcher.end(id);
      const told = watcher.about(id).find((message) => message.type === 'executed');
      assert.deepEqual(told?.data['output'], outputs['show']);
      for (const path of [`/api/jobs/${id}`, `/api/jobs/${id}/events`, `/history/${id}`]) {
        assert.ok((await raw(path)).length < 160_000, path);
      }
    });

    test('[CLD-29] all nodes of a job show at most 1 MiB, and answers stay short', async () => {
      const { show, ...others } = longTextWorkflow(17);
      assert.ok(show);
      const shown = Array.from({ length: 30 }, (_, n) => [`show ${n}`, show]);
      const workflow = { ...others, ...(Object.fromEntries(shown) as Workflow) };
      const { status, outputs } = await finish(ada.api, workflow);
      assert.equal(status, 'completed');
      assert.equal(Object.keys(outputs).length, 30);
      assert.ok(JSON.stringify(outputs).length < 1_100_000);
      for (const output of Object.values(outputs)) assert.equal(output['files']?.length, 1);
    });

    test('[CLD-10] a job that is answered from earlier results has the files of those', async () => {
      const workflow = nodes(pictures(2), [
        'save',
        'SaveImage',
        { images: ['pictures', 0], filename_prefix: 'twice' },
      ]);
      const [first, second] = [await finish(ada.api, workflow), await finish(ada.api, workflow)];
      assert.deepEqual(first.outputs, second.outputs);
      const assetsOf = async (id: string) =>
        (await ada.api.get<AssetPage>(`/api/jobs/${id}/assets`)).body.assets;
      const ids = (await assetsOf(first.prompt_id)).map(({ id }) => id);
      assert.equal(ids.length, 2);
      assert.deepEqual(
        (await assetsOf(second.prompt_id)).map(({ id }) => id),
        ids,
      );
    });

    test('[CLD-10] the files of a job are listed page by page with links, temporary ones too', async () => {
      const { prompt_id: id, outputs } = await finish(
        ada.api,
        nodes(
          pictures(3),
          ['save', 'SaveImage', { images: ['pictures', 0], filename_prefix: 'sub/cat' }],
          ['show', 'PreviewImage', { images: ['pictures', 0] }],
        ),
      );
      const read = async (query: string) =>
        (await ada.api.get<AssetPage>(`/api/jobs/${id}/assets?${query}`)).body;
      const all = await read('');
      assert.equal(all.job_id, id);
      assert.deepEqual(all.pagination, { offset: 0, limit: 20, total: 6, has_more: false });
      const saved = all.assets.filter(({ node_id: node }) => node === 'save');
      assert.deepEqual(
        saved.map(({ name, output_key, output_index }) => [name, output_key, output_index]),
        outputs['save']?.['images']?.map(({ filename }, index) => [filename, 'images', index]),
      );
      const [asset] = saved;
      assert.match(asset?.hash ?? '', /^blake3:[0-9a-f]{64}$/);
      assert.equal(asset?.mime_type, 'image/png');
      const linked = await fetch(asset.preview_url);
      const bytes = Buffer.from(await linked.arrayBuffer());
      assert.equal(bytes.length, asset.size);
      const { width, height } = await sharp(bytes).metadata();
      assert.deepEqual([width, height], [8, 6]);
      const pages = [await read('limit=4'), await read('limit=4&offset=4')];
      assert.deepEqual(
        pages.flatMap(({ assets }) => assets.map((each) => each.id)),
        all.assets.map((each) => each.id),
      );
      assert.deepEqual(
        pages.map(({ pagination }) => pagination['has_more']),
        [true, false],
      );
      for (const query of ['limit=0', 'limit=501', 'offset=-1', 'limit=x']) {
        assert.equal((await ada.api.get(`/api/jobs/${id}/assets?${query}`)).status, 400, query);
      }
      const none = await finish(ada.api, textWorkflow());
      const { body } = await ada.api.get<AssetPage>(`/api/jobs/${none.prompt_id}/assets`);
      assert.deepEqual(body.assets, []);
    });

    test('[CLD-11] numbers of any size and texts come back as they were sent', async () => {
      const odd = JSON.stringify('é \u2028 "quoted" \\ 😀');
      const graph = `{"1":{"class_type":"PrimitiveInt","inputs":{"value":9007199254740993,"seed":${BIG}}},"2":{"class_type":"PreviewAny","inputs":{"source":["1",0]}}}`;
      const body = `{"prompt":${graph},"extra_data":{"n":${BIG},"tiny":1e-7,"odd":${odd}}}`;
      const submitted = await ada.api.request<{ prompt_id: string; status: string }>(
        'POST',
        '/api/prompt?wait=60',
        { body, headers: { 'content-type': 'application/json' } },
      );
      assert.equal(submitted.body.status, 'completed', JSON.stringify(submitted.body));
      const { prompt_id: id } = submitted.body;
      for (const path of [`/api/jobs/${id}`, `/history/${id}`, `/api/history_v2/${id}`]) {
        const answer = await raw(path);
        for (const part of [graph, `"n":${BIG}`, `"tiny":1e-7`, `"odd":${odd}`]) {
          assert.ok(answer.includes(part), `${path}: ${part}`);
        }
        assert.ok(answer.includes('"text":["9007199254740993"]'), path);
      }
    });

    test('[CLD-12] no answer has a credential in it, whatever the state of the job', async () => {
      const names = ['api_key_platform_org', 'api_key_comfy_org', 'auth_token_comfy_org'];
      const secrets = names.map((name) => [name, `${name}-${ada.key}`]);
      const held = await submitHeld(server.current, ada.api, {
        extra_data: { ...Object.fromEntries(secrets), mine: 'shown' },
      });
      const paths = ['/queue', '/api/queue', `/api/jobs/${held.prompt_id}`];
      const ended = ['/history', `/history/${held.prompt_id}`, '/api/history_v2'];
      const assertHidden = async (path: string) => {
        const answer = await raw(path);
        assert.ok(!answer.includes(ada.key) && names.every((name) => !answer.includes(name)), path);
        assert.match(answer, /"mine":"shown"/, path);
      };
      for (const path of paths) await assertHidden(path);
      await held.letGo();
      assert.equal(await untilStatus(ada.api, held.prompt_id), 'completed');
      for (const path of [...ended, `/api/history_v2/${held.prompt_id}`]) await assertHidden(path);
    });

    test('[CLD-27] [CLD-28] files are counted, and what was saved stands before what was shown', async () => {
      const job = await described(
        nodes(
          pictures(2),
          text,
          ['a-show', 'PreviewImage', { images: ['pictures', 0] }],
          ['b-text', 'PreviewAny', { source: ['text', 0] }],
          ['c-save', 'SaveImage', { images: ['pictures', 0], filename_prefix: 'x' }],
        ),
      );
      assert.deepEqual([job.outputs_count, job.previewable_outputs_count], [4, 4]);
      const { preview_output: preview } = job;
      assert.partialDeepStrictEqual(preview, { nodeId: 'c-save', mediaType: 'images', type: 'output' });
      const { filename, subfolder, type } = preview as Record<'filename' | 'subfolder' | 'type', string>;
      assert.ok((await download(ada.api, { filename, subfolder, type })).length > 0);
    });

    test('[CLD-27] the flag of moving pictures is not a file, a CSV is none that can be shown', async () => {
      const job = await described(
        nodes(
          pictures(2),
          text,
          [
            'moves',
            'SaveAnimatedPNG',
            { images: ['pictures', 0], filename_prefix: 'm', fps: 2, compress_level: 1 },
          ],
          ['table', 'SaveText', { text: ['text', 0], filename_prefix: 't', format: 'csv' }],
        ),
      );
      assert.deepEqual([job.outputs_count, job.previewable_outputs_count], [2, 1]);
      assert.partialDeepStrictEqual(job.preview_output, { nodeId: 'moves', mediaType: 'images' });
    });

    test('[CLD-28] without a saved one, a picture that was shown stands for the job, then files of text', async () => {
      const shown = await described(
        nodes(
          pictures(1),
          text,
          ['note', 'SaveText', { text: ['text', 0], filename_prefix: 't', format: 'md' }],
          ['show', 'PreviewImage', { images: ['pictures', 0] }],
        ),
      );
      assert.partialDeepStrictEqual(shown.preview_output, { nodeId: 'show', type: 'temp' });
      const file = await described(
        nodes(text, ['note', 'SaveText', { text: ['text', 0], filename_prefix: 't', format: 'md' }]),
      );
      assert.partialDeepStrictEqual(file.preview_output, { nodeId: 'note', type: 'output' });
    });

    test('[CLD-28] text alone stands for the job with its first 1024 characters', async () => {
      const short = await described(textWorkflow('short'));
      assert.deepEqual(short.preview_output, { content: 'short', nodeId: '2', mediaType: 'text' });
      assert.deepEqual([short.outputs_count, short.previewable_outputs_count], [0, 0]);
      const long = await described(textWorkflow('😀'.repeat(1025)));
      assert.partialDeepStrictEqual(long.preview_output, { content: '😀'.repeat(1024), truncated: true });
    });

    test('[CLD-28] what a job had shown when it was cancelled stands for it', async () => {
      using watcher = await watch(server.current.url, ada.key);
      const { prompt_id: id } = await submitHeld(server.current, ada.api);
      const isShown = ({ type, data }: Message) => type === 'executed' && data['prompt_id'] === id;
      await watcher.find('its text', isShown);
      await ada.api.post(`/api/jobs/${id}/cancel`);
      assert.partialDeepStrictEqual((await newest(id)).preview_output, { nodeId: '2', mediaType: 'text' });
    });
  },
  { environment: HOLDING },
);
