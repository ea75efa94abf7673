import assert from 'node:assert/strict';
import { createCatalogue, type JobFiles, type NodeType, validatePrompt } from '@atelier/engine';

/** What the check of a node type says of constants, before a job with them is accepted. */
export async function customProblems(
  type: NodeType,
  inputs: Readonly<Record<string, unknown>>,
  files: JobFiles,
): Promise<readonly string[]> {
  const catalogue = createCatalogue([{ name: 'test', nodes: [{ ...type, outputNode: true }] }]);
  const validation = await validatePrompt({ node: { class_type: type.type, inputs } }, { catalogue, files });
  const { errors = [] } = validation.node_errors['node'] ?? {};
  return errors
    .filter(({ type: kind }) => {
      assert.notEqual(kind, 'exception_during_validation');
      return kind === 'custom_validation_failed';
    })
    .map(({ details }) => details);
}

export function missingFile(input: string, media: 'image' | 'audio' | 'video', name: string): string {
  return `${input} - Invalid ${media} file: ${name}. Upload it first, and use the name that the upload answers with.`;
}
