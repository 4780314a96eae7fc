/** Doctor checks of OpenAPI specs: their source, their latest version and their background job. */

import {
  byId,
  type Check,
  type Examination,
  examination,
  jobs,
  type Problem,
  rowsWith,
  Where
} from "@lectern/kernel"
import { openApiSpecs, openApiTexts, openApiVersions, type SpecRow } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { processSpec } from "./SpecProcessing.ts"

const decisionRecord = "docs/decisions/0013-openapi-specs.md"

const versionCheck: Check = {
  name: "spec-version",
  invariant: "The latest version of a spec is one of its versions, and is set if it has versions.",
  source: decisionRecord,
  repair: "sets it to the newest version"
}

const sourceCheck: Check = {
  name: "spec-source",
  invariant: "A spec has either a source URL or an uploaded document.",
  source: decisionRecord
}

const jobCheck: Check = {
  name: "spec-job",
  invariant: "A spec whose processing is not complete has a waiting job.",
  source: decisionRecord,
  repair: "schedules the job again"
}

/** The doctor checks of OpenAPI specs. */
export const openApiSpecExaminations: ReadonlyArray<Examination> = [
  examination(
    openApiSpecs,
    [versionCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const versions = Map.groupBy(
        yield* rowsWith(
          records,
          openApiVersions,
          "spec",
          rows.map(({ id }) => id),
          ["id", "spec"]
        ),
        ({ spec }) => spec
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const ids = (versions.get(row.id) ?? []).map(({ id }) => id).sort()
        const isValid = row.lastVersion === null ? ids.length === 0 : ids.includes(row.lastVersion)
        if (isValid) return []
        return [
          {
            check: versionCheck,
            row,
            message: `has the latest version ${row.lastVersion ?? "(none)"}; the newest of its ${ids.length} versions is ${ids.at(-1) ?? "(none)"}`,
            repair: records.update(openApiSpecs, Where.eq<SpecRow, "id">("id", row.id), {
              lastVersion: ids.at(-1) ?? null
            })
          }
        ]
      })
    })
  ),
  examination(
    openApiSpecs,
    [sourceCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const texts = yield* byId(
        records,
        openApiTexts,
        rows.map(({ id }) => id),
        ["spec"]
      )
      return rows.flatMap((row) =>
        (row.sourceURL === null) === texts.has(row.id)
          ? []
          : [
              {
                check: sourceCheck,
                row,
                message:
                  row.sourceURL === null
                    ? "has neither a source URL nor an uploaded document"
                    : "has both a source URL and an uploaded document"
              }
            ]
      )
    })
  ),
  examination(
    openApiSpecs,
    [jobCheck],
    Effect.fnUntraced(function* ({ records, jobs: queue }, rows) {
      const incomplete = rows.filter(({ processingState }) => processingState !== "complete")
      if (incomplete.length === 0) return []
      const waiting = yield* records.find(jobs, {
        select: ["payload"],
        where: Where.and(Where.eq("kind", processSpec), Where.eq("state", "waiting"))
      })
      const scheduled = new Set(
        waiting.map(({ payload }) => {
          const { spec, round } = payload as { readonly spec?: string; readonly round?: number }
          return `${spec} ${round}`
        })
      )
      return incomplete.flatMap(
        (row): ReadonlyArray<Problem> =>
          scheduled.has(`${row.id} ${row.round}`)
            ? []
            : [
                {
                  check: jobCheck,
                  row,
                  message: `waits for round ${row.round} of its processing, which has no job`,
                  repair: queue.enqueue(processSpec, { spec: row.id, round: row.round })
                }
              ]
      )
    })
  )
]
