/** Creates the content of `requests.ts`: a space with many pages, some of which have a body of five kilobytes. */
import type { RecordsAdapter } from "@lectern/core"
import { Content, CurrentUser, Spaces, UserId, Workspace } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { members } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import type { Measured } from "./workspace.ts"

/** The number of pages of the space. */
const pageCount = 8_000

/** The number of pages with a body. */
const bodyCount = 400

/** The maximum number of changes of one edit. */
const changesPerEdit = 50

/** Returns a section of a usual page: text with marks and links, lists, a table, code and a quote. */
const sectionOf = (page: number, index: number): string =>
  [
    `## Section ${index} of ${page}`,
    `The **section** ${index} explains \`option-${index}\`, see [the guide](/pages/p${index}) and its _examples_.`,
    "Some sentences follow without any marks, because most text has no marks. ".repeat(4),
    "* One\n* Two with `code`\n  * Three\n* [Four](https://example.com/four)",
    "| Name | Value |\n| ---- | ----- |\n| a | **b** |\n| c | [d](e.md) |",
    '{% hint style="info" %}\nA hint with a sentence.\n{% endhint %}',
    "```js\nconst answer = compute()\nconsole.log(answer)\n```"
  ].join("\n\n")

const bodyOf = (page: number): string =>
  Array.from({ length: 7 }, (_, index) => sectionOf(page, index)).join("\n\n")

/** The ids of a space with pages. */
export interface FilledContent {
  readonly space: string
  /** The pages with a body. */
  readonly pages: ReadonlyArray<string>
}

/** Creates a space with pages in the organization of a workspace that `fill` has created. */
export const fillContent = (
  storage: Layer.Layer<RecordsAdapter, unknown>,
  { organization }: Measured
): Promise<FilledContent> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const content = yield* Content
      const records = yield* allRecords
      const [administrator] = (yield* records.find(members, {})).filter(
        (member) => member.organization === organization && member.role === "admin"
      )
      return yield* CurrentUser.provide(UserId.make(administrator!.user))(
        Effect.gen(function* () {
          const { id: space } = yield* (yield* Spaces).create({ organization, input: {} })
          const pages: Array<string> = []
          for (let from = 0; from < pageCount; from += changesPerEdit) {
            const changes = Array.from({ length: changesPerEdit }, (_, offset) => ({
              operation: "insert_page" as const,
              title: `Page ${from + offset}`,
              ...(from + offset < bodyCount ? { document: { markdown: bodyOf(from + offset) } } : {})
            }))
            const edited = yield* content.edit({ content: { space }, input: { changes } })
            if (from >= bodyCount) continue
            for (const { page } of edited.changes) if (typeof page !== "string") pages.push(page.id)
          }
          return { space, pages }
        })
      )
    }).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(storage))))
  )
