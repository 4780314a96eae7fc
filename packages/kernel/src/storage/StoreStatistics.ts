/** The state that stores report. */

/** The state of a store, for metrics. */
export interface StoreStatistics {
  /** The connections of this process, if the store has a pool. */
  readonly pool?: {
    /** The maximum number of open connections. */
    readonly maximum: number
    /** The number of connections in use. */
    readonly inUse: number
    /** The number of callers that wait for a connection. */
    readonly waiting: number
  }
  /** The sizes of the files of the database, if they are on this machine. */
  readonly files?: {
    /** The size of the database without its write-ahead log, in bytes. */
    readonly databaseBytes: number
    /** The size of the write-ahead log, in bytes. */
    readonly walBytes: number
  }
}
