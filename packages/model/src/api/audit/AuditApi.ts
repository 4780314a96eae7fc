import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { AuditRecord, ListAuditRecords, OrganizationId, pageOf } from "../../index.ts"
import { reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"

/** The group of operations on the audit log. */
export const AuditApi = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("listAuditRecords", "/orgs/:organizationId/audit-log", {
      params: { organizationId: OrganizationId },
      query: ListAuditRecords.fields,
      success: pageOf(AuditRecord),
      error: reading
    }).annotateMerge(
      describe(
        "List audit records",
        "Returns the calls that have changed the organization or exported its data, and calls that were denied to its members, newest first. Requires the role `admin`. To export all records, request `/orgs/{organizationId}/audit-log/export`, which returns one JSON object per line, oldest first, with the same filters."
      )
    )
  )
  .annotateMerge(describeGroup("Audit log", "Who called which operation of an organization, and when."))
