import { startScriptedComfyUi } from '@atelier/testing';

/** A scripted ComfyUI as a process of its own, so that it can be killed and stopped. Each prompt takes a moment and saves a file. */
const RUN_MS = 60;
let turns = Promise.resolve();

const comfy = await startScriptedComfyUi(
  (prompt) => {
    turns = turns.then(async () => {
      prompt.say('execution_start', { timestamp: Date.now() });
      prompt.say('executing', { node: '1', display_node: '1' });
      await new Promise((resolve) => setTimeout(resolve, RUN_MS));
      const subfolder = `atelier/${prompt.id}`;
      const file = { filename: 'a_00001_.txt', subfolder, type: 'output' };
      comfy.files.set(`output/${subfolder}/${file.filename}`, Buffer.from(prompt.id));
      const output = { files: [file] };
      prompt.say('executed', { node: '2', display_node: '2', output });
      prompt.end('success', {}, { '2': output });
    });
  },
  { port: Number(process.argv[2]) },
);
