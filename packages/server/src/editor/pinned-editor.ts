import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The stock frontend of ComfyUI, GPL-3.0: fetched by the operator, never a part of Atelier. */
export const EDITOR = {
  project: 'comfyui-frontend-package',
  version: '1.58.1',
  wheel: 'comfyui_frontend_package-1.58.1-py3-none-any.whl',
  sha256: '37912597537a731a8f421179618a736c24184c5bdbfa327f38b2fb7c291852d9',
  /** The folder of the wheel that is served. */
  folder: 'comfyui_frontend_package/static/',
} as const;

export function editorFolder(dataFolder: string): string {
  return join(dataFolder, 'editor', EDITOR.version);
}

/** Whether it has been fetched. Its files appear all at once. */
export function hasEditor(dataFolder: string): boolean {
  return existsSync(join(editorFolder(dataFolder), 'index.html'));
}
