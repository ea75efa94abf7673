import type { Translations } from '@atelier/contracts';

type ByLanguage = Record<string, Record<string, unknown>>;

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
