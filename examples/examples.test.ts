import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { InvalidWorkflow, runWorkflow } from '@atelier/engine';
import { longTest } from '@atelier/testing';

const HERE = import.meta.dirname;
const run = promisify(execFile);

describe('the examples', () => {
  it('run a workflow without the server', async () => {
    const output = join(HERE, 'work', 'output');
    rmSync(join(HERE, 'work'), { recursive: true, force: true });
    const { stdout } = await run(process.execPath, [join(HERE, 'run-workflow.ts')]);
    assert.match(stdout, /^success .*"filename":"first_00001_\.png"/);
    assert.deepEqual(readdirSync(output), ['first_00001_.png']);
    rmSync(join(HERE, 'work'), { recursive: true, force: true });
  });

  longTest('show what each setting of the renderers does, before and after', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-example-'));
    const options = ['--edge', '48', '--seconds', '0.25', '--folder', folder];
    await run(process.execPath, [join(HERE, 'before-and-after.ts'), ...options], { timeout: 100_000 });
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const shown = [...page.matchAll(/src="([^"]+)"/g)].map(([, file = '']) => file);
    assert.ok(shown.length > 80, `${shown.length} files are shown`);
    for (const file of shown) assert.ok(statSync(join(folder, file)).size > 0, file);
    rmSync(folder, { recursive: true });
  });

  describe('of a node pack', () => {
    const packs = {
      modules: [import.meta.resolve('@atelier/nodes')],
      folders: [join(HERE, 'node-pack')],
    };
    const at = (): string => mkdtempSync(join(tmpdir(), 'atelier-example-'));
    const duotone = (dark: string) => ({
      1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 2, color: 0xffffff } },
      2: {
        class_type: 'ExampleDuotone',
        inputs: { image: ['1', 0], dark, light: '#ff8000', amount: 1 },
      },
      3: { class_type: 'ImageColorToMask', inputs: { image: ['2', 0], color: 0xff8000 } },
      4: { class_type: 'MaskToImage', inputs: { mask: ['3', 0] } },
      5: { class_type: 'SaveImage', inputs: { images: ['4', 0], filename_prefix: 'mask' } },
    });

    it('color a picture', async () => {
      const folder = at();
      const { status, outputs } = await runWorkflow(duotone('#000000'), { packs, folder });
      assert.equal(status, 'success');
      assert.equal(outputs['5']?.['images']?.length, 2);
      rmSync(folder, { recursive: true, force: true });
    });

    it('say what is wrong with a color', async () => {
      const folder = at();
      const { error } = await runWorkflow(duotone('black'), { packs, folder });
      assert.match(error?.exception_message ?? '', /"black" is not a color/);
      rmSync(folder, { recursive: true, force: true });
    });

    it('let what follows run once for each word', async () => {
      const folder = at();
      const { outputs } = await runWorkflow(
        {
          1: { class_type: 'ExampleWords', inputs: { text: 'red green blue', order: 'sorted', limit: 2 } },
          2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
        },
        { packs, folder },
      );
      assert.deepEqual(outputs['2'], { text: ['blue', 'green'] });
      rmSync(folder, { recursive: true, force: true });
    });

    it('tell every wrong input of a workflow at once', async () => {
      const folder = at();
      const workflow = {
        1: { class_type: 'ExampleWords', inputs: { text: 'a', order: 'odd', limit: 0 } },
        2: { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
      };
      await assert.rejects(runWorkflow(workflow, { packs, folder }), (error) => {
        assert.ok(error instanceof InvalidWorkflow);
        assert.match(error.message, /1 \(ExampleWords\): Value not in list: order/);
        assert.match(error.message, /Value 0 smaller than min of 1: limit/);
        return true;
      });
      rmSync(folder, { recursive: true, force: true });
    });
  });
});
