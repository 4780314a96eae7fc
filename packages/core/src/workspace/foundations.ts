/** The foundations of every feature: the services, tables and checks of the layers below the features. */
import { Layer } from "effect"
import { Operations } from "../access/operations/Operations.ts"
import { Access } from "../access/roles/Access.ts"
import { VisitorAccess } from "../access/visitors/VisitorAccess.ts"
import type { Examination } from "../kernel/doctor/Check.ts"
import { jobExaminations } from "../kernel/doctor/jobChecks.ts"
import { EventLog } from "../kernel/events/EventLog.ts"
import { TransactionEvents } from "../kernel/events/TransactionEvents.ts"
import { Ids } from "../kernel/ids/Ids.ts"
import { jobs } from "../kernel/jobs/Job.ts"
import { Jobs } from "../kernel/jobs/Jobs.ts"
import { rateLimits } from "../kernel/rate-limits/rateLimitCounts.ts"
import { Encryption } from "../kernel/security/Encryption.ts"
import { Signatures, secrets } from "../kernel/security/Signatures.ts"
import { events, outboxEvents } from "../kernel/storage/eventTables.ts"
import {
  Blobs,
  blobs,
  chunkedBlobs,
  Records,
  type RecordsAdapter,
  type Table
} from "../kernel/storage/index.ts"

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
