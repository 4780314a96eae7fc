/** OpenAPI specs: their versions, and that one which waits to be read is read (decision D11). */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { byId, rowsWith } from "../../kernel/doctor/lookups.ts"
import { jobs } from "../../kernel/jobs/Job.ts"
import { Where } from "../../kernel/storage/index.ts"
import {
  openApiSpecs,
  openApiTexts,
  openApiVersions,
  type SpecRow
} from "../../model/openapi-specs/OpenApiSpec.ts"
import { processSpec } from "./SpecProcessing.ts"

export const lastVersion: Check = {
  name: "spec-version",
  says: "The last version of a spec is one of its versions, as soon as there is any.",
  source: "D11",
  repair: "takes the one that was made last"
}

export const source: Check = {
  name: "spec-source",
  says: "A spec has an address, or else a text.",
  source: "D11"
}

export const isRead: Check = {
  name: "spec-job",
  says: "A spec that waits to be read, or is being read, has a job that does it.",
  source: "D11",
  repair: "asks for it again"
}

export const openApiSpecExaminations: ReadonlyArray<Examination> = [
  examination(
    openApiSpecs,
    [lastVersion],
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
        const isRight = row.lastVersion === null ? ids.length === 0 : ids.includes(row.lastVersion)
        if (isRight) return []
        return [
          {
            check: lastVersion,
            row,
            message: `has the last version ${row.lastVersion ?? "(none)"}; of ${ids.length} versions it is ${ids.at(-1) ?? "(none)"}`,
            mend: records.update(openApiSpecs, Where.eq<SpecRow, "id">("id", row.id), {
              lastVersion: ids.at(-1) ?? null
            })
          }
        ]
      })
    })
  ),
  examination(
    openApiSpecs,
    [source],
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
                check: source,
                row,
                message:
                  row.sourceURL === null ? "has neither an address nor a text" : "has an address and a text"
              }
            ]
      )
    })
  ),
  examination(
    openApiSpecs,
    [isRead],
    Effect.fnUntraced(function* ({ records, jobs: queue }, rows) {
      const waiting = rows.filter(({ processingState }) => processingState !== "complete")
      if (waiting.length === 0) return []
      const asked = yield* records.find(jobs, {
        select: ["payload"],
        where: Where.and(Where.eq("kind", processSpec), Where.eq("state", "waiting"))
      })
      const known = new Set(
        asked.map(({ payload }) => {
          const { spec, round } = payload as { readonly spec?: string; readonly round?: number }
          return `${spec} ${round}`
        })
      )
      return waiting.flatMap(
        (row): ReadonlyArray<Problem> =>
          known.has(`${row.id} ${row.round}`)
            ? []
            : [
                {
                  check: isRead,
                  row,
                  message: `waits to be read for the ${row.round}. time, and no job does it`,
                  mend: queue.enqueue(processSpec, { spec: row.id, round: row.round })
                }
              ]
      )
    })
  )
]
