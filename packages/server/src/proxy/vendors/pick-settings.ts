import type { Fields } from './classify-answer.ts';

/** The settings named, without those that are absent or what the vendor takes them for when they are absent. */
export function pickSettings(settings: Fields, names: readonly string[], defaults: Fields = {}): Fields {
  return Object.fromEntries(
    names
      .map((name) => [name, settings[name]] as const)
      .filter(([name, value]) => value !== undefined && value !== defaults[name]),
  );
}
