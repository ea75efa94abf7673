import { isObject } from '@atelier/contracts/is-object';

import { readText } from '../files/read-text.ts';
import { PackError, quoted } from '../pack-error.ts';
import type { Table } from './tables.ts';

/** A line such as `__version__ = "1.2.3"`. No code runs, so a computed value is not found. */
const VERSION_LINE =
  /^(?:__version__|VERSION)(?:[\t ]*:[^=\n]+)?[\t ]*=[\t ]*(["'])([^"'\\\n]+)\1[\t ]*(?:[#;].*)?\r?$/m;

/** `project.version`, or with `dynamic = ["version"]` the version in the file of `[tool.comfy.version]`. */
export async function readVersion(root: string, project: Table, comfy: Table): Promise<string> {
  if (project.text('version') !== '' || !project.texts('dynamic').includes('version')) {
    return project.required('version', 'version = "1.0.0"');
  }
  const { version } = comfy.values;
  const path = isObject(version) ? version['path'] : undefined;
  if (typeof path !== 'string' || path === '') {
    throw new PackError(
      'pyproject.toml: the version is dynamic, and tool.comfy.version.path is missing. Add path = "_version.py" under [tool.comfy.version].',
    );
  }
  const text = await readText(root, path);
  if (text === undefined) {
    throw new PackError(
      `pyproject.toml: tool.comfy.version.path names ${quoted(path)}, which does not exist. Correct it under [tool.comfy.version].`,
    );
  }
  const found = VERSION_LINE.exec(text)?.[2]?.trim();
  if (found === undefined || found === '') {
    throw new PackError(`${quoted(path)} has no line such as __version__ = "1.2.3". Add one.`);
  }
  return found;
}
