import { execFileSync } from 'node:child_process';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';

export const PYPROJECT = `[project]
name = "acme-blur"
version = "1.2.0"
description = "Blurs pictures."
license = { file = "LICENSE" }
dependencies = ["numpy", "comfyui-frontend-package>=1.20.0"]
classifiers = ["Operating System :: OS Independent", "Environment :: GPU :: NVIDIA CUDA"]

[project.urls]
Repository = "https://example.org/acme/blur"

[tool.comfy]
PublisherId = "acme"
DisplayName = "Acme Blur"
Icon = "https://example.org/icon.png"
requires-comfyui = ">=0.3.0"
`;

export const INIT = `class AcmeBlur:
    CATEGORY = "acme"
    RETURN_TYPES = ("IMAGE",)

NODE_CLASS_MAPPINGS = {"AcmeBlur": AcmeBlur}
`;

/** A folder with a sound pack and more files, or others in place of its own. */
export async function makeFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  const path = await realpath(folder.path);
  for (const [name, content] of Object.entries({
    'pyproject.toml': PYPROJECT,
    '__init__.py': INIT,
    ...files,
  })) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose]() };
}

export function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
}

export const HAS_GIT = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
