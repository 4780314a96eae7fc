/** The tables `auditRecords` and `tokenAddresses`. */

import {
  type AuditDetails,
  type AuditOutcome,
  type AuditRecord,
  type AuditRecordId,
  toResource
} from "@lectern/model/audit"
import type { OrganizationId } from "@lectern/model/organizations"
import { Table } from "../../storage/index.ts"
import { decodeSet } from "../../storage/textSet.ts"

const recordColumns = {
  id: Table.text<AuditRecordId>(),
  /** Null for calls outside of organizations. */
  organization: Table.nullable(Table.text<OrganizationId>()),
  createdAt: Table.text(),
  operation: Table.text(),
  outcome: Table.text<AuditOutcome>(),
  /** The id of the user; null for visitors and operators. */
  actor: Table.nullable(Table.text()),
  /** The id of the API token. */
  token: Table.nullable(Table.text()),
  /** The IP address of the client. */
  address: Table.nullable(Table.text()),
  /** The set of the resources, each with its kind, as in `space:<id>`. */
  resources: Table.text(),
  details: Table.json<AuditDetails>()
}

/** A row of the table `auditRecords`. */
export interface AuditRecordRow extends Table.RowOf<typeof recordColumns> {}

/** The audit log. Rows are only inserted, by the transaction of the command, and removed after their retention period. */
export const auditRecords: Table.ProtectedTable<"auditRecords", AuditRecordRow, "id"> = Table.makeProtected(
  "auditRecords",
  {
    tenant: "organization",
    columns: recordColumns,
    locking: Table.withoutLocks,
    key: ["id"],
    indexes: [["organization", "id"]]
  }
)

const addressColumns = {
  organization: Table.text<OrganizationId>(),
  token: Table.text(),
  /** The IPv4 address, or the network of 64 bits of an IPv6 address. */
  network: Table.text(),
  firstUsedAt: Table.text()
}

/** A row of the table `tokenAddresses`. */
export interface TokenAddressRow extends Table.RowOf<typeof addressColumns> {}

/** The addresses from which API tokens were used in organizations, so that the first use of each is recorded. */
export const tokenAddresses: Table.ProtectedTable<
  "tokenAddresses",
  TokenAddressRow,
  "organization" | "token" | "network"
> = Table.makeProtected("tokenAddresses", {
  tenant: "organization",
  columns: addressColumns,
  locking: Table.withoutLocks,
  key: ["organization", "token", "network"],
  indexes: [["firstUsedAt"]]
})

/** Converts a row to the resource. */
export const presentAuditRecord = (row: AuditRecordRow): AuditRecord => {
  const { actorType = "user", ...details } = row.details
  return {
    object: "audit-record",
    id: row.id,
    ...(row.organization === null ? {} : { organization: row.organization }),
    createdAt: row.createdAt,
    operation: row.operation,
    outcome: row.outcome,
    actorType,
    ...(row.actor === null ? {} : { actor: row.actor }),
    ...(row.token === null ? {} : { token: row.token }),
    ...(row.address === null ? {} : { address: row.address }),
    resources: decodeSet(row.resources).map(toResource),
    ...details
  }
}
