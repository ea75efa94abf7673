/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { parentPort } from 'node:worker_threads';
import type { SavedFile } from '../files/save-path.ts';
import { saveVideo } from '../video/save-video.ts';
import { componentsOf, gradients, loadSaved, makeVideo } from './clips.ts';
import { nodeContext, runNode } from './run-node.ts';
import { sines } from './sounds.ts';

parentPort?.once('message', () => process.exit(3));

/** Saves and reads a video in a thread of its own, saying how far it is. */
using context = nodeContext();
const telling = { ...context, progress: (value: number) => parentPort?.postMessage({ value }) };
const video = await makeVideo(
  { images: gradients({ frames: 60 }), audio: sines({ samples: 88200 }) },
  telling,
);
const { ui } = await runNode(saveVideo, { video, filename_prefix: 'w', format: { choice: 'mp4' } }, telling);
const { images, audio } = await componentsOf(
  await loadSaved(ui?.['images']?.[0] as SavedFile, context),
  context,
);
parentPort?.postMessage({ frames: images.batch, samples: audio?.waveform.samples });
parentPort?.close();
