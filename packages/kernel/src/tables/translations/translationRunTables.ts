/** The tables of the runs of translations, and of translated pages. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { TranslationId } from "@lectern/model/translations"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { translations } from "./translationTable.ts"

/** The status of a run. Only `running` changes. */
export type TranslationRunStatus = "running" | "completed" | "failed" | "cancelled"

/** A string that a run could not translate, which the variant has in the language of its source. */
export interface UntranslatedText {
  /** The id of the page; absent for a problem that concerns no page. */
  readonly page?: string
  /** The begin of the text. */
  readonly text: string
  /** Why it is not translated, as a sentence. */
  readonly reason: string
}

/** The progress and the report of a run. */
export interface TranslationProgress {
  /** The number of pages of the source. */
  readonly pages: number
  /** The number of pages that are done. */
  readonly done: number
  /** The number of strings that the model has translated. */
  readonly translated: number
  /** The number of translations of earlier runs that were used again. */
  readonly reused: number
  /** The words of the source that the model has translated. */
  readonly words: number
  /** The number of strings that are not translated. */
  readonly untranslatedCount: number
  /** The first strings that are not translated. */
  readonly untranslated: ReadonlyArray<UntranslatedText>
}

const translationRunColumns = {
  organization: Table.text<OrganizationId>(),
  id: Table.text(),
  translation: Table.text<TranslationId>(),
  user: Table.text<UserId>(),
  status: Table.text<TranslationRunStatus>(),
  progress: Table.json<TranslationProgress>(),
  /** The change request of the variant, by its id; null until something was proposed. */
  changeRequest: Table.nullable(Table.text()),
  error: Table.nullable(Table.text()),
  startedAt: Table.text(),
  /** When the process that performs the run last wrote. A run without a sign for a time was interrupted. */
  aliveAt: Table.text(),
  completedAt: Table.nullable(Table.text())
}

/** A row of the table `translationRuns`. */
export interface TranslationRunRow extends Table.RowOf<typeof translationRunColumns> {}

/** The table of runs. Their rows change by single statements with a condition on the status, which need no locks. */
export const translationRuns: Table.ProtectedTable<
  "translationRuns",
  TranslationRunRow,
  "organization" | "id"
> = Table.makeProtected("translationRuns", {
  tenant: "organization",
  columns: translationRunColumns,
  locking: Table.withoutLocks,
  key: ["organization", "id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    translation: { table: () => translations, onRemove: "cascade" }
  },
  indexes: [["translation", "id"]]
})

/** A translated text, by the hash of its source and of everything that its translation depends on. */
export interface TranslatedText {
  /** The hash of the source. */
  readonly hash: string
  /** The translation; empty without one. */
  readonly text: string
}

const translatedPageColumns = {
  organization: Table.text<OrganizationId>(),
  translation: Table.text<TranslationId>(),
  /** The id of the page of the source. */
  page: Table.text(),
  /** The id of the page of the variant; empty until it was written. */
  target: Table.text(),
  /** The strings of the page in their order. */
  texts: Table.json<ReadonlyArray<TranslatedText>>(),
  /** The hash of the page of the source as the variant last had it; empty until then. */
  written: Table.text()
}

/** A row of the table `translatedPages`. */
export interface TranslatedPageRow extends Table.RowOf<typeof translatedPageColumns> {}

/** The table of the strings that were translated. Its rows are replaced as a whole. */
export const translatedPages: Table.ProtectedTable<
  "translatedPages",
  TranslatedPageRow,
  "organization" | "translation" | "page"
> = Table.makeProtected("translatedPages", {
  tenant: "organization",
  columns: translatedPageColumns,
  locking: Table.withoutLocks,
  key: ["organization", "translation", "page"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    translation: { table: () => translations, onRemove: "cascade" }
  },
  indexes: [["translation"]]
})
