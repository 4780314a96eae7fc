/** Copies members, as invitations, and teams. */
import { Effect } from "effect"
import type { Item, RequestFailed } from "./ApiClient.ts"
import { ensureCopy, type Findings, type MigrationContext, onceComplete, step, textOf } from "./Context.ts"
import { organizationPath } from "./copySpaces.ts"

/** The maximum number of addresses of an invitation. */
const maximumEmails = 100

const emailOf = (member: Item): string | undefined => {
  const { email } = (member.user ?? {}) as { readonly email?: unknown }
  return typeof email === "string" && email !== "" ? email.toLowerCase() : undefined
}

/** Notes which members of the target have the addresses of members of the source. */
const matchMembers = Effect.fnUntraced(function* (
  { target, journal }: MigrationContext,
  members: ReadonlyArray<Item>
): Effect.fn.Return<void, RequestFailed> {
  const path = organizationPath(journal.migration.toOrganization)
  const byEmail = new Map(
    (yield* target.list(`${path}/members`)).map((member) => [emailOf(member), member.id])
  )
  for (const member of members) {
    const email = emailOf(member)
    const copy = email === undefined ? undefined : byEmail.get(email)
    if (copy !== undefined && journal.idOf(`user/${member.id}`) !== copy)
      yield* journal.finish(`user/${member.id}`, copy)
  }
})

const invite = Effect.fnUntraced(function* (
  context: MigrationContext,
  members: ReadonlyArray<Item>,
  findings: Findings
) {
  const { target, journal } = context
  const path = organizationPath(journal.migration.toOrganization)
  const isNew = (member: Item) => journal.idOf(`user/${member.id}`) === undefined
  for (const member of members) {
    const name = textOf((member.user as { readonly displayName?: unknown } | undefined)?.displayName)
    if (emailOf(member) === undefined)
      findings.missing("The source does not return the e-mail address.", `member ${name}`)
    else if (member.disabled === true)
      findings.missing("The membership is disabled: the member was not invited.", `member ${name}`)
  }
  const invited = members.filter(
    (member) => isNew(member) && emailOf(member) !== undefined && member.disabled !== true
  )
  for (let at = 0; at < invited.length; at += maximumEmails) {
    const emails = invited
      .slice(at, at + maximumEmails)
      .map((member) => ({ email: emailOf(member), role: member.role ?? null }))
    // Repeated invitations of members have no effect.
    yield* target.send({ method: "POST", path: `${path}/invites`, body: { emails }, isRepeatable: true })
    for (const { email } of emails) yield* journal.finish(`invited/${email}`, "1")
  }
  // The ones of earlier runs too: a run replaces the findings of this step.
  for (const [key] of journal.entries("invited/")) {
    findings.changed("The member of the source was invited.", `member ${key.slice("invited/".length)}`)
  }
})

/** Invites the members of the source who are not members of the target, with their roles. */
export const copyMembers = (context: MigrationContext) =>
  step(context, "members", "members", (findings) =>
    Effect.gen(function* () {
      const path = organizationPath(context.journal.migration.fromOrganization)
      // The list begins with the member who joined last.
      const members = (yield* context.source.list(`${path}/members`)).toReversed()
      yield* matchMembers(context, members)
      if (context.skipped.has("members")) return
      yield* invite(context, members, findings)
      yield* matchMembers(context, members)
    })
  )

const copyTeam = Effect.fnUntraced(function* (context: MigrationContext, team: Item, findings: Findings) {
  const { source, target, journal } = context
  const from = organizationPath(journal.migration.fromOrganization)
  const to = organizationPath(journal.migration.toOrganization)
  const title = textOf(team.title).trim().slice(0, 64)
  const copy = yield* ensureCopy(context, "team", team.id, {
    findCreated: (isUnknown) =>
      Effect.map(
        target.list(`${to}/teams`),
        (teams) => teams.find((one) => isUnknown(one.id) && one.title === title)?.id
      ),
    create: () =>
      // A PUT request has no idempotency key: it is not repeated unless no team was created.
      Effect.map(target.send({ method: "PUT", path: `${to}/teams`, body: { title } }), ({ id }) => textOf(id))
  })
  yield* onceComplete(
    context,
    `team-members/${team.id}`,
    findings,
    Effect.gen(function* () {
      const members = yield* source.list(`${from}/teams/${team.id}/members`)
      const memberships: Record<string, unknown> = {}
      for (const member of members) {
        const of = member.organization as Item | undefined
        const user = of === undefined ? undefined : journal.idOf(`user/${of.id}`)
        if (user === undefined) findings.missing("A member who was not copied.")
        else
          memberships[user] = {
            role: (member.team as { readonly role?: unknown } | undefined)?.role ?? "member"
          }
      }
      if (Object.keys(memberships).length === 0) return
      yield* target.send({
        method: "PUT",
        path: `${to}/teams/${copy}/members`,
        body: { memberships },
        isRepeatable: true
      })
    })
  )
})

/** Copies teams with their members. */
export const copyTeams = Effect.fnUntraced(function* (context: MigrationContext) {
  const path = organizationPath(context.journal.migration.fromOrganization)
  const teams = yield* step(context, "teams", "teams", () => context.source.list(`${path}/teams`))
  // The list begins with the newest.
  for (const team of (teams ?? []).toReversed()) {
    yield* step(context, `team/${team.id}`, `team ${textOf(team.title)}`, (findings) =>
      copyTeam(context, team, findings)
    )
  }
})
