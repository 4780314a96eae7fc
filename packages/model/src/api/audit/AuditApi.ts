import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import {
  AuditEvent,
  AuditEventActions,
  AuditEventDetails,
  AuditEventId,
  AuditRecord,
  ListAuditEvents,
  ListAuditRecords,
  OrganizationId,
  pageOf
} from "../../index.ts"
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
    ),
    HttpApiEndpoint.get("listOrganizationAuditEventActions", "/orgs/:organizationId/audit-event-actions", {
      params: { organizationId: OrganizationId },
      success: AuditEventActions,
      error: reading
    }).annotateMerge(
      describe(
        "List the actions of audit events",
        "Returns the actions that audit events can have: the operations that are recorded. Requires the role `admin`."
      )
    ),
    HttpApiEndpoint.get("listOrganizationAuditEvents", "/orgs/:organizationId/audit-events", {
      params: { organizationId: OrganizationId },
      query: ListAuditEvents.fields,
      success: pageOf(AuditEvent),
      error: reading
    }).annotateMerge(
      describe(
        "List audit events",
        "Returns the changes of the organization in the form of the public contract, newest first: the audit records with the outcome `success`. Requires the role `admin`."
      )
    ),
    HttpApiEndpoint.get("getOrganizationAuditEvent", "/orgs/:organizationId/audit-events/:auditEventId", {
      params: { organizationId: OrganizationId, auditEventId: AuditEventId },
      success: AuditEventDetails,
      error: reading
    }).annotateMerge(
      describe("Get an audit event", "Returns an audit event with its details. Requires the role `admin`.")
    )
  )
  .annotateMerge(describeGroup("Audit log", "Who called which operation of an organization, and when."))
