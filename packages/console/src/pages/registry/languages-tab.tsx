import type { Pack } from '@atelier/sdk';
import { Languages } from 'lucide-react';

import { useI18n } from '../../i18n/i18n.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** The translations of a pack's metadata. */
export function LanguagesTab({ pack }: { readonly pack: Pack }) {
  const { language, messages } = useI18n();
  const { registry } = messages;
  const translations = Object.entries(pack.translations ?? {});
  if (translations.length === 0) {
    return <EmptyState icon={<Languages size={28} aria-hidden />}>{registry.noLanguages}</EmptyState>;
  }
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return (
    <Panel>
      {translations.map(([tag, fields]) => (
        <section key={tag} className="border-b border-line p-4 last:border-b-0">
          <h2 className="mb-2 flex items-baseline gap-2 font-medium">
            {nameOf(names, tag)} <code className="font-mono text-12 font-normal text-muted">{tag}</code>
          </h2>
          <div lang={tag}>
            <Facts facts={Object.entries(fields).map(([field, value]) => [field, textOf(value)])} />
          </div>
        </section>
      ))}
    </Panel>
  );
}

function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    // Language names are free text.
    return tag;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTexts ? value.join(', ') : JSON.stringify(value);
}
