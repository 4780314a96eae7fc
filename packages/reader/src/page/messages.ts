/** The messages of the user interface, in the languages of the customization. */
import type { ApiMessages } from "@lectern/markdown/openapi"
import type { ConsentCategory } from "@lectern/model/sites"
import { de } from "./locales/de.ts"
import { en } from "./locales/en.ts"
import { es } from "./locales/es.ts"
import { fr } from "./locales/fr.ts"
import { ja } from "./locales/ja.ts"
import { nl } from "./locales/nl.ts"
import { no } from "./locales/no.ts"
import { ptBr } from "./locales/ptBr.ts"
import { ru } from "./locales/ru.ts"
import { zh } from "./locales/zh.ts"

/** The messages of the user interface. */
export interface Messages {
  /** The language tag, for `lang` and for the format of dates and numbers. */
  readonly locale: string
  readonly skipToContent: string
  readonly menu: string
  readonly close: string
  readonly mainNavigation: string
  readonly pages: string
  readonly sections: string
  readonly breadcrumbs: string
  readonly onThisPage: string
  readonly variant: string
  readonly search: string
  readonly searchPlaceholder: string
  readonly searchHint: string
  readonly results: (count: number) => string
  readonly noResults: (query: string) => string
  readonly didYouMean: string
  readonly previous: string
  readonly next: string
  readonly pagination: string
  readonly lastUpdated: (date: string) => string
  readonly lightTheme: string
  readonly darkTheme: string
  readonly switchTheme: string
  readonly copy: string
  readonly copied: string
  readonly copyPage: string
  readonly viewMarkdown: string
  readonly editPage: string
  readonly downloadPdf: string
  readonly moreActions: string
  readonly code: string
  readonly formula: string
  readonly table: string
  readonly open: string
  readonly done: string
  readonly notDone: string
  readonly footnotes: string
  readonly showMore: string
  readonly notFound: string
  readonly notFoundText: string
  readonly suggestions: string
  readonly backToStart: string
  readonly emptyPage: string
  readonly privacyPolicy: string
  readonly dismiss: string
  readonly tab: (number: number) => string
  /** Questions, and their answers by a language model. */
  readonly ask: {
    readonly ask: string
    readonly answer: string
    readonly answering: string
    readonly failed: string
    readonly unanswered: string
    readonly sources: string
    readonly further: string
    readonly notice: string
  }
  /** The rating of a page. */
  readonly feedback: {
    readonly helpful: string
    readonly yes: string
    readonly no: string
    readonly thanks: string
  }
  /** The banner that asks visitors for their consent to scripts. */
  readonly consent: {
    readonly title: string
    readonly text: string
    readonly acceptAll: string
    readonly rejectAll: string
    readonly save: string
    readonly settings: string
    readonly categories: { readonly [category in ConsentCategory]: string }
  }
  /** The link to the rest of a list of pages. */
  readonly morePages: (count: number) => string
  readonly pagesBelow: (title: string) => string
  readonly linkToSection: (title: string) => string
  readonly rating: (stars: number, most: number) => string
  readonly hints: { readonly [style in "info" | "success" | "warning" | "danger"]: string }
  readonly openApi: ApiMessages & {
    readonly testIt: string
    readonly send: string
    readonly server: string
    readonly username: string
    readonly password: string
    readonly token: string
    readonly directRequest: string
    readonly noResponse: string
    readonly noBody: string
    readonly headers: string
    /** The text of the link to the document. */
    readonly document: string
  }
}

const byLocale: Readonly<Record<string, Messages>> = { de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh }

/** Returns the messages in a language of the customization. */
export const messagesOf = (locale: string): Messages =>
  Object.hasOwn(byLocale, locale) ? byLocale[locale]! : en
