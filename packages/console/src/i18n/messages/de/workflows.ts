import type { Messages } from '../en/index.ts';

export const workflows: Messages['workflows'] = {
  title: 'Workflows',
  search: 'Workflows suchen',
  openFile: 'Datei öffnen',
  saved: 'Gespeichert',
  examples: 'Beispiele',
  none: 'Noch ist kein Workflow gespeichert. Eine Datei öffnen oder mit einem Beispiel beginnen.',
  noneFound: (query) => `Kein Workflow hat „${query}“ im Namen.`,
  clearSearch: 'Alle zeigen',
  edited: 'Geändert',
  shared: 'Geteilt',
  actions: (name) => `Aktionen für ${name}`,
  open: 'Öffnen',
  openGraph: 'Als Graph öffnen',
  duplicate: 'Duplizieren',
  copyOf: (name) => `${name} Kopie`,
  share: 'Per Link teilen',
  unshare: 'Nicht mehr teilen',
  unshared: 'Der Link funktioniert nicht mehr.',
  linkCopied: 'Der Link ist kopiert. Öffnen können ihn alle, die sich hier anmelden können.',
  versions: 'Versionen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    'Der Workflow und seine Versionen gehen verloren. Was damit entstanden ist, bleibt in der Galerie.',
  deleted: (name) => `${name} ist gelöscht.`,
  renameTitle: (name) => `${name} umbenennen`,
  noWorkflow: (name) =>
    `${name} enthält keinen Workflow. Geeignet sind JSON-Dateien sowie PNG, WebP oder MP4, so wie sie gespeichert wurden.`,
};
