/** Where a file of the account is. */
export interface FilePlace {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: 'input' | 'output' | 'temp';
}

/** What a widget for files has: `folder/name.png [input]`. */
export function toFilePlace(value: string): FilePlace {
  const [, path = value, folder] = /^(.*?)(?: \[(input|output|temp)\])?$/s.exec(value) ?? [];
  const slash = path.lastIndexOf('/');
  return {
    filename: path.slice(slash + 1),
    subfolder: slash < 0 ? '' : path.slice(0, slash),
    type: (folder ?? 'input') as FilePlace['type'],
  };
}
