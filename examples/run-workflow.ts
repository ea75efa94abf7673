/** Runs a workflow without the server: `npx node examples/run-workflow.ts`; the picture is in `examples/work/output`. */
import { runWorkflow } from '@atelier/engine';

const workflow = {
  1: { class_type: 'EmptyImage', inputs: { width: 640, height: 360, batch_size: 1, color: 0x336699 } },
  2: { class_type: 'ImageAddNoise', inputs: { image: ['1', 0], seed: 7, strength: 0.2 } },
  3: { class_type: 'ImageScaleBy', inputs: { image: ['2', 0], upscale_method: 'lanczos', scale_by: 0.5 } },
  4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'first' } },
};
const packs = { modules: [import.meta.resolve('@atelier/nodes')] };
const { status, outputs } = await runWorkflow(workflow, { packs, folder: `${import.meta.dirname}/work` });
console.log(status, JSON.stringify(outputs));
