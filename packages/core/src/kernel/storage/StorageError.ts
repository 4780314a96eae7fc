/** What can go wrong in a store, whichever it is. Drivers' own errors and messages stay inside their adapters. */
import { Schema } from "effect"

/** The store cannot be reached, or a transaction kept failing. Trying again later may work. */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  /** What happened, for the log; it is not shown to callers. */
  reason: Schema.String,
  cause: Schema.optional(Schema.Defect())
}) {}

/** A row would share its key, or the values of a unique set of columns, with another. */
export class UniqueViolation extends Schema.TaggedError<UniqueViolation>()("UniqueViolation", {
  /** The table's name. */
  table: Schema.String
}) {}

/** A row would refer to one that is not there, or leave others that refer to it. */
export class ReferenceViolation extends Schema.TaggedError<ReferenceViolation>()("ReferenceViolation", {
  /** The name of the table that was written to. */
  table: Schema.String
}) {}

/** Two transactions met, and this one has to be tried again from its start. `Records` does so by itself. */
export class StorageConflict extends Schema.TaggedError<StorageConflict>()("StorageConflict", {}) {}
