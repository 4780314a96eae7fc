/** Checks automatic saves: a revision that another one replaced is removed later, so that nothing may have it as its content. */

import { byId, type Check, type Examination, examination, type Problem } from "@lectern/kernel"
import { changeRequests, type RevisionRow, revisions } from "@lectern/kernel/tables"
import { Effect } from "effect"

const replacedRevisionsCheck: Check = {
  name: "replaced-revisions",
  invariant:
    "A revision that an automatic save replaced is not the content of a change request, and the one that replaced it has its change request, its author, its parents and the time of its first save.",
  source: "docs/decisions/0087-automatic-saves.md"
}

const joinedColumns = ["changeRequest", "author", "parents", "automaticSince"] as const

type Joined = Pick<RevisionRow, (typeof joinedColumns)[number]>

/** Returns the column in which a revision differs from the one that it replaced. */
const differingColumn = (row: Joined, replaced: Joined): string | undefined =>
  joinedColumns.find((name) => JSON.stringify(row[name]) !== JSON.stringify(replaced[name]))

/** Examines the revisions that automatic saves created and replaced. */
export const automaticSaveExamination: Examination = examination(
  revisions,
  [replacedRevisionsCheck],
  Effect.fnUntraced(function* ({ records }, rows) {
    const replaced = yield* byId(
      records,
      revisions,
      rows.map(({ replaces }) => replaces),
      [...joinedColumns]
    )
    const marked = rows.filter(({ replacedAt }) => replacedAt !== null)
    const requests = yield* byId(
      records,
      changeRequests,
      marked.map(({ changeRequest }) => changeRequest),
      ["revision"]
    )
    const problems: Array<Problem> = []
    for (const row of marked) {
      if (requests.get(row.changeRequest ?? "")?.revision !== row.id) continue
      const message = `is replaced, and is the content of the change request ${row.changeRequest}`
      problems.push({ check: replacedRevisionsCheck, row, message })
    }
    for (const row of rows) {
      const before = replaced.get(row.replaces ?? "")
      const column = before === undefined ? undefined : differingColumn(row, before)
      if (column === undefined) continue
      const message = `replaces the revision ${row.replaces}, which has another value of ${column}`
      problems.push({ check: replacedRevisionsCheck, row, message })
    }
    return problems
  })
)
