import {
  isNodeId,
  isOneLine,
  NODE_ID_HAS,
  NodeInput,
  ONE_LINE_IS,
  PUBLISHER_ID_EXPECTS,
  PublisherId,
  VersionInput,
} from '@atelier/contracts';
import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';

import { PackError, quoted } from '../pack-error.ts';

/** A pack as its pyproject.toml describes it: a publish without token and archive. */
export interface Project {
  readonly publisherId: string;
  readonly nodeId: string;
  readonly node: NodeInput;
  readonly nodeVersion: VersionInput;
  /** Files and folders that are always packed. */
  readonly includes: readonly string[];
  readonly warnings: readonly string[];
}

const WRITTEN_AS: Readonly<Record<string, string>> = {
  name: 'tool.comfy.DisplayName',
  description: 'project.description',
  icon: 'tool.comfy.Icon',
  banner_url: 'tool.comfy.Banner',
  license: 'project.license',
  repository: 'project.urls.Repository',
  supported_os: 'project.classifiers',
  supported_accelerators: 'project.classifiers',
  supported_comfyui_version: 'tool.comfy.requires-comfyui',
  supported_comfyui_frontend_version: 'project.dependencies',
  version: 'project.version',
  dependencies: 'project.dependencies',
};

/** Checks a project by the rules of the registry, so that it is refused before anything is sent. */
export function checkProject(project: Project): Project {
  const { publisherId, nodeId, node, nodeVersion } = project;
  if (Errors(PublisherId, publisherId).length > 0) {
    throw wrong('tool.comfy.PublisherId', publisherId, `A publisher id must be ${PUBLISHER_ID_EXPECTS}.`);
  }
  if (!isNodeId(nodeId)) throw wrong('project.name', nodeId, `The id of a pack has ${NODE_ID_HAS}.`);
  if (!isOneLine(node.name ?? '')) {
    throw wrong('tool.comfy.DisplayName', node.name ?? '', `A name is ${ONE_LINE_IS}.`);
  }
  checkFields(NodeInput, node);
  checkFields(VersionInput, nodeVersion);
  return project;
}

function checkFields(
  schema: TSchema & { properties: Record<string, TSchema> },
  fields: NodeInput | VersionInput,
): void {
  const [first] = Errors(schema, fields);
  if (!first) return;
  const [, field = ''] = first.instancePath.split('/');
  const { expects } = (schema.properties[field] ?? {}) as { expects?: string };
  const value = String(fields[field as keyof typeof fields]);
  const rule = expects !== undefined && first.keyword === 'pattern' ? `must be ${expects}` : first.message;
  throw wrong(WRITTEN_AS[field] ?? field, value, `It ${rule}.`);
}

function wrong(where: string, value: string, rule: string): PackError {
  return new PackError(`pyproject.toml: ${where} is ${quoted(value)}. ${rule} Correct it, and try again.`);
}
