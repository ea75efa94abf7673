/** What is wrong with the name of a file that is not there: ComfyUI's words, and what to do. */
export function missingFile(kind: 'image' | 'audio' | 'video', name: string): string {
  return `Invalid ${kind} file: ${name}. Upload it first, and use the name that the upload answers with.`;
}
