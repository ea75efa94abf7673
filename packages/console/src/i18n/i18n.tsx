import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';

import { setNoAnswerMessage } from '../ui/error-sentence.ts';
import { createFormats, type Formats } from './formats.ts';
import { isLanguage, type Language } from './languages.ts';
import { english, type Messages } from './messages/en/index.ts';

const STORAGE_KEY = 'atelier.language';

interface Context {
  readonly language: Language;
  readonly messages: Messages;
  readonly formats: Formats;
  readonly setLanguage: (language: Language) => void;
}

/** Messages missing in a language are shown in English. */
export type PartialMessages = { readonly [Area in keyof Messages]?: Partial<Messages[Area]> };

const LOADERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ messages: PartialMessages }>>> = {
  de: async () => await import('./messages/de/index.ts'),
  es: async () => await import('./messages/es.ts'),
  fr: async () => await import('./messages/fr.ts'),
  ja: async () => await import('./messages/ja.ts'),
  ko: async () => await import('./messages/ko.ts'),
  zh: async () => await import('./messages/zh.ts'),
};

const I18nContext = createContext<Context | undefined>(undefined);

/** The chosen language, else the browser's first language that is available. */
export function initialLanguage(): Language {
  const wanted = [
    localStorage.getItem(STORAGE_KEY),
    ...navigator.languages.map((tag) => tag.split('-', 1)[0]),
  ];
  return wanted.find(isLanguage) ?? 'en';
}

export async function loadMessages(language: Language): Promise<Messages> {
  if (language === 'en') return english;
  const { messages } = await LOADERS[language]();
  const areas = Object.entries(english).map(([area, texts]) => [
    area,
    { ...texts, ...messages[area as keyof Messages] },
  ]);
  return Object.fromEntries(areas) as Messages;
}

interface Props {
  readonly initial: { readonly language: Language; readonly messages: Messages };
  readonly children: ReactNode;
}

export function I18nProvider({ initial, children }: Props) {
  const [{ language, messages }, setState] = useState(initial);
  useEffect(() => {
    document.documentElement.lang = language;
    setNoAnswerMessage(messages.common.noAnswer);
  }, [language, messages]);
  const value = useMemo<Context>(
    () => ({
      language,
      messages,
      formats: createFormats(language),
      setLanguage(next) {
        localStorage.setItem(STORAGE_KEY, next);
        void loadMessages(next).then((loaded) => setState({ language: next, messages: loaded }));
      },
    }),
    [language, messages],
  );
  return <I18nContext value={value}>{children}</I18nContext>;
}

export function useI18n(): Context {
  const context = use(I18nContext);
  if (!context) throw new Error('There is no I18nProvider above.');
  return context;
}

/** The texts of the chosen language, by area: `const { jobs } = useMessages()`. */
export const useMessages = (): Messages => useI18n().messages;
/** Numbers, times and sizes in the chosen language. */
export const useFormat = (): Formats => useI18n().formats;
