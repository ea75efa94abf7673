import type { Translations } from '@atelier/contracts';

import { invalid } from '../../platform/errors/app-error.ts';

const LANGUAGE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,34}$/;

type ByLanguage = Record<string, Record<string, unknown>>;

export function assertLanguages(languages: readonly string[]): void {
  if (languages.every((language) => LANGUAGE.test(language))) return;
  throw invalid('A language is named by 1 to 35 letters, digits, "-" and "_", such as "fr" or "zh-Hant".');
}

/** Merged per language and field: what is not named stays, `null` removes a field or a whole language. */
export function mergeTranslations(present: string, changes: Translations['data']): ByLanguage {
  const merged = new Map(Object.entries(JSON.parse(present) as ByLanguage));
  for (const [language, fields] of Object.entries(changes)) {
    if (fields === null) {
      merged.delete(language);
      continue;
    }
    const all = { ...merged.get(language), ...fields };
    const kept = Object.entries(all).filter(([, value]) => value !== null);
    if (kept.length > 0) merged.set(language, Object.fromEntries(kept));
    else merged.delete(language);
  }
  return Object.fromEntries(merged);
}
