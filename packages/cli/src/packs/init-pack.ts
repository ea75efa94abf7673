import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { PackError, packFolder } from '@atelier/packing';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { makeFolder } from '../make-folder.ts';

export interface InitOptions {
  readonly name?: string;
  readonly publisher?: string;
  readonly description?: string;
}

/** Writes the files that make a folder a pack. Existing files stay unchanged. */
export async function initPack(context: Context, folder: string, options: InitOptions): Promise<void> {
  const { output } = context;
  const project = join(folder, 'pyproject.toml');
  if (await exists(project))
    throw new CliError(`${project} already exists.`, {
      advice: `Check it with "atelier packs check ${folder}".`,
    });
  const own = basename(resolve(folder)).replaceAll(/[^A-Za-z0-9_.-]+/g, '-');
  const name = options.name ?? (await ask(context, 'The id of the pack', own)) ?? own;
  const publisher = options.publisher ?? (await ask(context, 'The id of its publisher'));
  if (publisher === undefined)
    throw new CliError('A publisher is required.', { advice: 'Give its id: --publisher ID' });
  const description = options.description ?? (await ask(context, 'What it does, in one line', '')) ?? '';
  const files = {
    'pyproject.toml': pyprojectOf({ name, publisher, description }),
    '__init__.py': initOf(name),
  };
  await validate(files);
  const written: string[] = [];
  await makeFolder(folder);
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file);
    if (await exists(path)) continue;
    await writeFile(path, content, { flag: 'wx' });
    written.push(path);
  }
  output.result({ written }, () => written.join('\n'));
  output.note(`Next: "atelier packs check ${folder}", then "atelier packs publish ${folder}".`);
}

async function ask(
  { output, signal }: Context,
  message: string,
  initial?: string,
): Promise<string | undefined> {
  if (!output.canAsk) return undefined;
  const { isCancel, text } = await import('@clack/prompts');
  const { stdin: input, stderr } = output;
  const defaults = initial === undefined ? {} : { initialValue: initial };
  const answer = await text({ message, ...defaults, input, output: stderr, signal });
  if (isCancel(answer)) throw new CliError('Nothing was written.', { exitCode: EXIT.cancelled });
  return answer === '' && initial === undefined ? undefined : answer;
}

/** Packs the files in a temporary folder first, so that the registry's rules exist only once. */
async function validate(files: Readonly<Record<string, string>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-init-'));
  try {
    for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
    await packFolder(folder);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    throw new CliError(error.message, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pyprojectOf({ name, publisher, description }: Required<InitOptions>): string {
  // A JSON string is also a TOML string.
  return `[project]
name = ${JSON.stringify(name)}
description = ${JSON.stringify(description)}
version = "0.1.0"
dependencies = []

[tool.comfy]
PublisherId = ${JSON.stringify(publisher)}
DisplayName = ${JSON.stringify(name)}
`;
}

function initOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const type = /^\d/.test(pascal) || pascal === '' ? `Pack${pascal}` : pascal;
  return `class ${type}:
    """Inverts a picture."""

    CATEGORY = ${JSON.stringify(name)}
    FUNCTION = "invert"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",)}}

    def invert(self, image):
        return (1.0 - image,)


NODE_CLASS_MAPPINGS = {"${type}": ${type}}
NODE_DISPLAY_NAME_MAPPINGS = {"${type}": ${JSON.stringify(name)}}
`;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
