import type { Messages } from '../en/index.ts';

export const common: Messages['common'] = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  copied: 'Kopiert',
  copy: 'Kopieren',
  delete: 'Löschen',
  download: 'Herunterladen',
  loadMore: 'Mehr laden',
  loading: 'Wird geladen',
  name: 'Name',
  none: 'Keine',
  plainText: 'Dieser Text lässt sich nicht formatiert anzeigen.',
  rename: 'Umbenennen',
  request: 'Anfrage',
  retry: 'Erneut versuchen',
  run: 'Ausführen',
  save: 'Speichern',
  search: 'Suchen',
  undo: 'Rückgängig',
  states: {
    pending: 'Wartet',
    in_progress: 'Läuft',
    completed: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
};
