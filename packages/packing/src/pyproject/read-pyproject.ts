import { isObject } from '@atelier/contracts/is-object';
import { parse, TomlError } from 'smol-toml';

import { readText } from '../files/read-text.ts';
import { PackError } from '../pack-error.ts';
import { checkProject, type Project } from './check-project.ts';
import { readVersion } from './read-version.ts';
import { readSupport } from './supported-systems.ts';
import { createTables, type Table } from './tables.ts';

const FRONTEND = 'comfyui-frontend-package';

/** Reads a pyproject.toml into the fields of the registry. */
export async function readPyproject(root: string): Promise<Project> {
  const text = await readText(root, 'pyproject.toml');
  if (text === undefined) {
    throw new PackError(
      `There is no pyproject.toml in ${root}. Name the folder of a node pack, or add the file with [project] and [tool.comfy].`,
    );
  }
  const { project, urls, comfy } = createTables(parseToml(text));
  const dependencies = project.texts('dependencies');
  const { support, warnings } = readSupport({
    classifiers: project.texts('classifiers'),
    comfyui: comfy.text('requires-comfyui'),
    frontend: dependencies.find((one) => one.startsWith(FRONTEND))?.slice(FRONTEND.length) ?? '',
  });
  return checkProject({
    publisherId: comfy.required('PublisherId', 'PublisherId = "my-publisher"'),
    nodeId: project.required('name', 'name = "my-pack"'),
    node: {
      name: comfy.text('DisplayName'),
      description: project.text('description'),
      icon: comfy.text('Icon'),
      banner_url: comfy.text('Banner'),
      license: licenseOf(project),
      repository: urls.text('Repository'),
      ...support,
    },
    nodeVersion: {
      version: await readVersion(root, project, comfy),
      // The frontend is not a Python package to install.
      dependencies: dependencies.filter((one) => !one.startsWith(FRONTEND)),
      ...support,
    },
    includes: comfy.texts('includes'),
    warnings,
  });
}

function parseToml(text: string): Readonly<Record<string, unknown>> {
  try {
    // Tables of other tools may have any number.
    return parse(text, { integersAsBigInt: 'asNeeded', maxDepth: 100 });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
    throw new PackError(`pyproject.toml is not valid TOML: line ${error.line}: ${why}. Correct that line.`, {
      cause: error,
    });
  }
}

/** JSON with a file or a text, as ComfyUI's clients send it. */
function licenseOf(project: Table): string {
  const license = project.values['license'] ?? {};
  if (typeof license === 'string') return JSON.stringify({ text: license });
  if (isObject(license)) {
    const { file, text } = license;
    if (typeof file === 'string' && file !== '') return JSON.stringify({ file });
    if (typeof text === 'string' && text !== '') return JSON.stringify({ text });
    if (Object.keys(license).length === 0) return '{}';
  }
  throw new PackError(
    'pyproject.toml: project.license must be a text such as "MIT", { file = "LICENSE" } or { text = "MIT License" }. Correct it under [project].',
  );
}
