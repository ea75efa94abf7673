import { type CheckContext, NodeError, parseFileName } from '@atelier/engine';

type Kind = 'image' | 'audio' | 'video';

/** What is wrong with the name of a file that is not there: ComfyUI's words, and what to do. */
export function missingFile(kind: Kind, name: string): string {
  return `Invalid ${kind} file: ${name}. Upload it first, and use the name that the upload answers with.`;
}

/** The check of an input that names a file. */
export function fileMustExist<const Name extends string>(input: Name, kind: Kind) {
  return {
    inputs: [input],
    async check(values: { readonly [K in Name]?: unknown }, { files }: CheckContext): Promise<true | string> {
      const value = values[input];
      if (value === undefined) return true;
      const name = typeof value === 'string' ? value : JSON.stringify(value);
      return (await isFile(name, files)) || missingFile(kind, name);
    },
  } as const;
}

/** A name that leaves the folder is not that of a file. */
async function isFile(name: string, files: CheckContext['files']): Promise<boolean> {
  try {
    return await files.exists(parseFileName(name));
  } catch (error) {
    if (error instanceof NodeError) return false;
    throw error;
  }
}
