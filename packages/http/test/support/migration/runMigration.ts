/** Runs migrations between two servers in this process, with faults. */
import { nodeFetcher } from "@lectern/http"
import { Effect } from "effect"
import { makeApiClient } from "../../../../lectern/src/migrate/ApiClient.ts"
import { openJournal } from "../../../../lectern/src/migrate/Journal.ts"
import { migrateOrganization } from "../../../../lectern/src/migrate/migrateOrganization.ts"
import { makeReport, resultOf } from "../../../../lectern/src/migrate/Report.ts"
import { fetchTransport, type Transport } from "../../../../lectern/src/migrate/Transport.ts"

import { publicUrl } from "./compareOrganizations.ts"

/** A server with the token of an administrator of an organization. */
export interface MigrationSide {
  readonly url: string
  readonly token: string
  readonly organization: string
}

/** Wraps the requests to the source and to the target. */
export interface Faults {
  readonly source?: (transport: Transport) => Transport
  readonly target?: (transport: Transport) => Transport
}

/** Copies an organization, with a journal in a folder. Returns the result of the report, and the journal. */
export const runMigration = (from: MigrationSide, to: MigrationSide, folder: string, faults: Faults = {}) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const network = fetchTransport(nodeFetcher({ allow: ["127.0.0.1"] }))
        const transport: Transport = (request) =>
          network({ ...request, url: request.url.replace(publicUrl, from.url) })
        const clientOf = (side: MigrationSide, wrap: Faults["source"]) =>
          makeApiClient({
            transport: wrap === undefined ? transport : wrap(transport),
            baseUrl: side.url,
            token: side.token,
            concurrency: 4,
            backoffMillis: 1
          })
        const journal = yield* openJournal(
          folder,
          {
            from: from.url,
            fromOrganization: from.organization,
            to: to.url,
            toOrganization: to.organization
          },
          "test"
        )
        const report = makeReport(journal)
        yield* migrateOrganization({
          source: yield* clientOf(from, faults.source),
          target: yield* clientOf(to, faults.target),
          journal,
          report,
          concurrency: 4,
          retryMillis: 1,
          skipped: new Set(),
          progress: () => Effect.void
        })
        const ids = new Map(
          journal
            .entries("")
            .flatMap(([key, id]) => (id === "1" ? [] : [[key.split("/").at(-1)!, id] as const]))
        )
        return { ...resultOf(journal, report), journalIds: ids }
      })
    )
  )
