/**
 * Exports the audit log of an organization as one JSON object per line: `/v1/orgs/:organizationId/audit-log/export`, with the
 * filters of the list. It is not in the OpenAPI document, because its response is not one JSON value.
 */
import { AuditLog, CurrentUser, type ListAuditRecords } from "@lectern/core"
import { Effect, Stream } from "effect"
import { makeAuthenticateRequest } from "../authentication/authenticateRequest.ts"
import { decodePath } from "../messages/decodePath.ts"
import { toResponse } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

const pathPattern = /^\/v1\/orgs\/([^/]+)\/audit-log\/export$/

/** Whether a path is that of an export of an audit log. */
export const isAuditExport = (path: string): boolean => pathPattern.test(path)

const encoder = new TextEncoder()

const filterNames = ["actor", "operation", "resource", "outcome", "from", "to"] as const

/** Creates the route that exports audit logs. The records are read while they are sent. */
export const makeAuditExports = Effect.gen(function* () {
  const authenticate = yield* makeAuthenticateRequest
  const auditLog = yield* AuditLog

  return (request: ApiRequest): Effect.Effect<ApiResponse> => {
    const { url } = request
    const [path, search] = url.split("?", 2)
    const query = new URLSearchParams(search)
    return Effect.gen(function* () {
      const user = yield* authenticate(request)
      const segment = pathPattern.exec(path!)![1]!
      const organization = decodePath(segment) ?? segment
      const input = Object.fromEntries(
        filterNames.flatMap((name) => {
          const value = query.get(name)
          return value === null ? [] : [[name, value]]
        })
      ) as ListAuditRecords
      const records = yield* Effect.provideService(
        auditLog.export({ organization, input }),
        CurrentUser,
        user
      )
      const response: ApiResponse = {
        status: 200,
        headers: {
          "content-type": "application/jsonl; charset=utf-8",
          "cache-control": "no-store",
          "content-disposition": 'attachment; filename="audit-log.jsonl"'
        },
        body: {
          stream: Stream.map(records, (record) => encoder.encode(`${JSON.stringify(record)}\n`)),
          length: undefined
        }
      }
      return response
    }).pipe(Effect.catch((error) => Effect.succeed(toResponse(error))))
  }
})
