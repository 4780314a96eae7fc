/** `lectern audit`: prints the audit log. */
import { type AuditRecord, type ListAuditRecords, WorkspaceAuditLog } from "@lectern/core"
import { Console, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { readEnvironment, workspaceFlags } from "./settings.ts"

const filterFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const actorOf = ({ actor, actorType }: AuditRecord): string => actor ?? actorType

/** Formats a record as one line. Text from outside of the workspace is quoted. */
const formatRecord = (record: AuditRecord): string =>
  [
    record.createdAt,
    record.outcome === "denied" ? `denied (${record.reason ?? "unknown"})` : record.outcome,
    record.operation,
    actorOf(record),
    ...(record.token === undefined ? [] : [`token ${record.token}`]),
    ...(record.session === undefined ? [] : [`session ${JSON.stringify(record.session)}`]),
    ...(record.address === undefined ? [] : [`from ${record.address}`]),
    ...record.resources.map(({ type, id }) => `${type} ${id}`)
  ].join("  ")

export const audit = Command.make(
  "audit",
  {
    organization: filterFlag("organization", "Print the records of this organization; of all by default"),
    actor: filterFlag("actor", "Only records of the user with this id"),
    operation: filterFlag("operation", "Only records of this operation, as in Spaces.remove"),
    resource: filterFlag("resource", "Only records of the resource with this id"),
    outcome: filterFlag("outcome", "Only records with this outcome: success or denied"),
    from: filterFlag("from", "Only records from this time on, as in 2026-11-20T22:10:00Z"),
    to: filterFlag("to", "Only records before this time"),
    json: Flag.Boolean("json").pipe(
      Flag.withAlias("jsonl"),
      Flag.withDescription("Print each record as one line of JSON"),
      Flag.withDefault(false)
    ),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ organization, json, ...flags }) {
    const { workspace, logging } = yield* readEnvironment(flags)
    const { actor, operation, resource, outcome, from, to } = flags
    const input = Object.fromEntries(
      Object.entries({ actor, operation, resource, outcome, from, to }).flatMap(([name, value]) =>
        Option.isSome(value) ? [[name, value.value]] : []
      )
    ) as ListAuditRecords
    yield* Effect.gen(function* () {
      const log = yield* WorkspaceAuditLog
      const records = yield* Option.isSome(organization)
        ? log.exportOrganization({ organization: organization.value, input })
        : log.export({ input })
      yield* Stream.runForEach(records, (record) =>
        Console.log(json ? JSON.stringify(record) : formatRecord(record))
      )
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withShortDescription("Print the audit log."),
  Command.withDescription(
    "Print the audit log of the workspace or of one organization, oldest first: who called which operation, on what, from where, and with which outcome. The call is recorded in the log."
  ),
  Command.withExamples([
    {
      command: "lectern audit --organization <organization> --outcome denied --from 2026-11-01T00:00:00Z",
      description: "Print the denied calls of an organization since November"
    },
    { command: "lectern audit --json > audit.jsonl", description: "Export the whole log" }
  ])
)
