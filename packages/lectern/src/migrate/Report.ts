/** The report of a migration: what could not be read, written or represented, and the ids of the copies. */
import { mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import type { Journal } from "./Journal.ts"
import { neverCopied } from "./neverCopied.ts"

/** A finding: `missing` is not in the copy, and `changed` is in another form. */
export interface Finding {
  readonly kind: "missing" | "changed"
  /** The resource, as in `space Guide, page /start`. */
  readonly resource: string
  readonly message: string
}

/** The findings by the step that has found them: a step that is repeated replaces its findings. */
export interface Report {
  /** Replaces the findings of a step. They are in the journal, so that a later run reports them too. */
  readonly replace: (step: string, findings: ReadonlyArray<Finding>) => Effect.Effect<void>
  readonly findings: () => ReadonlyArray<Finding>
}

/** The maximum number of findings of one step. */
const maximumFindings = 50

const prefix = "findings/"

const Findings = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["missing", "changed"]),
      resource: Schema.String,
      message: Schema.String
    })
  )
)

/** Parses findings that the journal has as text. */
export const parseFindings = (text: string | undefined): ReadonlyArray<Finding> => {
  const decoded = Schema.decodeUnknownOption(Findings)(text)
  return decoded._tag === "Some" ? decoded.value : []
}

/** Returns each finding once: resources with the same name have the same one. */
const unique = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> => [
  ...new Map(
    findings.map((finding) => [JSON.stringify([finding.kind, finding.resource, finding.message]), finding])
  ).values()
]

/** Creates the report over a journal, with the findings of earlier runs. */
export const makeReport = (journal: Journal): Report => ({
  replace: (step, findings) => {
    const first = findings.slice(0, maximumFindings)
    if (findings.length > first.length) {
      const more = findings.length - first.length
      first.push({
        kind: "changed",
        resource: findings[0]!.resource,
        message: `There are ${more} more findings.`
      })
    }
    const text = JSON.stringify(first)
    const before = journal.noteOf(prefix + step) ?? "[]"
    return text === before ? Effect.void : journal.note(prefix + step, text)
  },
  findings: () => unique(journal.notes(prefix).flatMap(([, text]) => parseFindings(text)))
})

/** Escapes text of the source for a list or a table of Markdown, without characters that control a terminal. */
const escape = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/[\\`*_[\]<>|#]/g, "\\$&")

const sectionOf = (title: string, findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  if (findings.length === 0) return []
  const byResource = Map.groupBy(findings, ({ resource }) => resource)
  return [
    `## ${title}`,
    "",
    ...[...byResource].flatMap(([resource, some]) => [
      `- ${escape(resource)}`,
      ...some.map(({ message }) => `  - ${escape(message)}`)
    ]),
    ""
  ]
}

/** The result of a migration. */
export interface MigrationResult {
  readonly organization: string
  /** The number of copies by kind. */
  readonly copied: Readonly<Record<string, number>>
  readonly findings: ReadonlyArray<Finding>
  /** The ids of the copies by kind and id of the source. */
  readonly ids: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** The kinds of resources whose ids are in the report. */
const reportedKinds = [
  "collection",
  "space",
  "page",
  "file",
  "reusable-content",
  "site",
  "section",
  "site-space",
  "team",
  "spec",
  "change-request"
]

/** Derives the result of a migration from its journal and its findings. */
export const resultOf = ({ migration, entries }: Journal, report: Report): MigrationResult => {
  const ids = reportedKinds.map((kind) => {
    const prefix = `${kind}/`
    return [
      kind,
      Object.fromEntries(entries(prefix).map(([key, id]) => [key.slice(prefix.length), id]))
    ] as const
  })
  return {
    organization: migration.toOrganization,
    copied: Object.fromEntries(ids.map(([kind, map]) => [kind, Object.keys(map).length])),
    findings: report.findings(),
    ids: Object.fromEntries(ids)
  }
}

const pluralOf = (kind: string): string => `${kind.replace("-", " ")}s`

/** Formats the result as Markdown. */
export const formatReport = ({ copied, findings, ids }: MigrationResult): string =>
  [
    "# Migration",
    "",
    ...Object.entries(copied).map(([kind, count]) => `- ${pluralOf(kind)}: ${count}`),
    "",
    ...sectionOf(
      "Not copied",
      findings.filter(({ kind }) => kind === "missing")
    ),
    ...sectionOf(
      "Changed",
      findings.filter(({ kind }) => kind === "changed")
    ),
    "## Never copied",
    "",
    ...neverCopied.map(({ text }) => `- ${text}`),
    "",
    "## Ids",
    "",
    "| kind | source | copy |",
    "| ---- | ------ | ---- |",
    ...Object.entries(ids).flatMap(([kind, map]) =>
      Object.entries(map).map(([from, to]) => `| ${kind} | ${escape(from)} | ${escape(to)} |`)
    ),
    ""
  ].join("\n")

/** Writes `report.md` and `report.json` to the folder of the migration, each as a whole. */
export const writeReport = (folder: string, result: MigrationResult): Effect.Effect<void> =>
  Effect.promise(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const files = { "report.md": formatReport(result), "report.json": `${JSON.stringify(result, null, 2)}\n` }
    for (const [name, text] of Object.entries(files)) {
      const temporary = join(folder, `${name}.${process.pid}`)
      await writeFile(temporary, text, { mode: 0o600 })
      await rename(temporary, join(folder, name))
    }
  })
