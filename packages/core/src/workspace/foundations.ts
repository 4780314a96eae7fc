/** The foundations of every feature: the services, tables and checks of the layers below the features. */

import { Access, Operations, VisitorAccess } from "@lectern/access"
import {
  Blobs,
  blobs,
  chunkedBlobs,
  Encryption,
  EventLog,
  type Examination,
  events,
  Ids,
  Jobs,
  jobExaminations,
  jobs,
  outboxEvents,
  Records,
  type RecordsAdapter,
  rateLimits,
  Signatures,
  secrets,
  type Table,
  TransactionEvents
} from "@lectern/kernel"
import { Layer } from "effect"

/** The services that every feature may require. */
export type FoundationServices =
  | Records
  | Blobs
  | Signatures
  | Encryption
  | Ids
  | TransactionEvents
  | EventLog
  | Jobs
  | Access
  | VisitorAccess
  | Operations

/** Provides the services that every feature may require. */
export const foundations: Layer.Layer<FoundationServices, never, RecordsAdapter> = Layer.mergeAll(
  EventLog.layer,
  Operations.layer
).pipe(
  Layer.provideMerge(Jobs.layer),
  Layer.provideMerge([Access.layer, VisitorAccess.layer, Blobs.layer, Ids.layer, TransactionEvents.layer]),
  Layer.provideMerge(Encryption.layer),
  Layer.provideMerge(Signatures.layer),
  Layer.provideMerge(Records.layer)
)

/** The tables of the foundations. */
export const foundationTables: ReadonlyArray<Table.AnyTable> = [
  blobs,
  chunkedBlobs,
  secrets,
  jobs,
  rateLimits,
  outboxEvents,
  events
]

/** The examinations of the tables of the foundations. */
export const foundationExaminations: ReadonlyArray<Examination> = jobExaminations
