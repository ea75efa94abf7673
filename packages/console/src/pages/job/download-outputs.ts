import type { JobOutput } from '@atelier/sdk';

/** Saves a single file directly, and several as a zip. */
export async function downloadOutputs(outputs: readonly JobOutput[], zipName: string): Promise<void> {
  const [first] = outputs;
  if (!first) return;
  if (outputs.length === 1) {
    save(await first.blob(), first.name);
    return;
  }
  const { downloadZip } = await import('client-zip');
  const names = new Map<string, number>();
  async function* files() {
    for (const output of outputs) {
      yield { name: freeName(output.name, names), input: await output.blob() };
    }
  }
  save(await downloadZip(files()).blob(), `${zipName}.zip`);
}

/** Files with the same name would overwrite each other when the zip is extracted. */
function freeName(name: string, taken: Map<string, number>): string {
  const count = taken.get(name) ?? 0;
  taken.set(name, count + 1);
  return count === 0 ? name : name.replace(/(?=\.[^.]*$)|$/, ` (${count})`);
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
