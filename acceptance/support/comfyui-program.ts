import { type ScriptedPrompt, startScriptedComfyUi } from '@atelier/testing';

const RUN_MS = 60;

/** A scripted ComfyUI as a process of its own, so that it can be killed and stopped. Each prompt takes a moment and saves a file. */
const comfy = await startScriptedComfyUi(
  (prompt) => {
    prompt.say('execution_start', { timestamp: Date.now() });
    prompt.say('executing', { node: '1', display_node: '1' });
    setTimeout(() => finish(prompt), RUN_MS);
  },
  { port: Number(process.argv[2]) },
);

function finish(prompt: ScriptedPrompt): void {
  const subfolder = `atelier/${prompt.id}`;
  const file = { filename: 'a_00001_.txt', subfolder, type: 'output' };
  comfy.files.set(`output/${subfolder}/${file.filename}`, Buffer.from(prompt.id));
  const output = { files: [file] };
  prompt.say('executed', { node: '2', display_node: '2', output });
  prompt.end('success', {}, { '2': output });
}
