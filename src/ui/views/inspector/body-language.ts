import type { Language } from "@codemirror/language";

/** A language for highlighting bodies. */
export type LanguageName = "json" | "html" | "xml" | "css" | "javascript";

/** The loaders of the languages. Each language is a separate chunk, so that a JSON body loads no other language. */
const LANGUAGES: Readonly<Record<LanguageName, () => Promise<Language>>> = {
  json: async () => (await import("@codemirror/lang-json")).jsonLanguage,
  html: async () => (await import("@codemirror/lang-html")).htmlLanguage,
  xml: async () => (await import("@codemirror/lang-xml")).xmlLanguage,
  css: async () => (await import("@codemirror/lang-css")).cssLanguage,
  javascript: async () => (await import("@codemirror/lang-javascript")).javascriptLanguage,
};

export function languageOf(name: LanguageName): Promise<Language> {
  return LANGUAGES[name]();
}
