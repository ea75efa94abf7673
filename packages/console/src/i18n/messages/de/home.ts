import type { Messages } from '../en/index.ts';

export const home: Messages['home'] = {
  title: 'Start',
  welcome: 'Der erste Workflow',
  welcomeText:
    'Diese Beispiele brauchen weder Modelle noch Grafikkarte. Auf Ausführen drücken und zusehen, wie das Bild entsteht.',
  drop: 'Workflow hier ablegen, oder ein Bild, das mit einem entstanden ist, und es läuft los',
  dropHint: 'JSON in beiden Formaten, PNG, WebP oder MP4. Klicken zum Auswählen oder Einfügen geht auch.',
  tryExample: 'Mit einem Beispiel beginnen',
  allExamples: 'Alle Beispiele',
  now: 'Gerade jetzt',
  nothingRuns: 'Im Moment läuft nichts.',
  recent: 'Letzte Ergebnisse',
  toGallery: 'Galerie öffnen',
  noOutputs: 'Hier erscheint, was entsteht.',
  open: (name) => `${name} öffnen`,
  runNamed: (name) => `${name} ausführen`,
};
