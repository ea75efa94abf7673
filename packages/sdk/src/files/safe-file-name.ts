/** A file name from a server, without folders and without characters that some systems refuse. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // oxlint-disable-next-line no-control-regex
  const clean = last.replaceAll(/[\u0000-\u001f<>:"|?*]/g, '_');
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean;
}
