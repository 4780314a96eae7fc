/** `lectern org`: creates organizations, which the API cannot, and deletes them for their administrators. */
import { Administration, type Page, type PageQuery } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readRequiredSetting, settingFlag } from "../settings/Setting.ts"
import { organizationQuotas } from "../settings/StorageSettings.ts"
import { findAccount } from "./accounts.ts"
import { jsonFlag, printResult, requireConfirmation, yesFlag } from "./output.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

const organizationCreate = Command.make(
  "create",
  {
    title: Argument.String("title").pipe(
      Argument.withDescription("The title of the organization, 2 to 255 characters")
    ),
    admin: Flag.String("admin").pipe(
      Flag.withDescription("The e-mail address of its first administrator, an existing account")
    ),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const administration = yield* Administration
      const administrator = yield* findAccount(flags.admin)
      const id = yield* administration.createOrganization({
        administrator: administrator.id,
        input: { title: flags.title }
      })
      yield* printResult(flags.json, { id }, id)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("Create an organization and print its id."),
  Command.withExamples([
    {
      command: 'lectern org create "Acme" --admin ada@example.com',
      description: "Create an organization whose administrator is an existing account"
    }
  ])
)

/** Reads all pages of a list. */
export const readAll = Effect.fnUntraced(function* <A, E>(
  list: (parameters: { readonly input: PageQuery }) => Effect.Effect<Page<A>, E>
): Effect.fn.Return<ReadonlyArray<A>, E> {
  const all: Array<A> = []
  let page: string | undefined
  do {
    const { items, next } = yield* list({ input: { limit: 1_000, ...(page === undefined ? {} : { page }) } })
    all.push(...items)
    page = next?.page
  } while (page !== undefined)
  return all
})

const organizationList = Command.make(
  "list",
  { json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const { listOrganizations } = yield* Administration
      const all = yield* readAll(listOrganizations)
      const lines = all.map(
        ({ id, title, createdAt, deletedAt }) =>
          `${id}  ${title}  created ${createdAt}${deletedAt === undefined ? "" : `  deleted ${deletedAt}`}`
      )
      yield* printResult(flags.json, all, lines.length === 0 ? "No organizations." : lines.join("\n"))
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("List the organizations with their ids, oldest first."),
  Command.withExamples([{ command: "lectern org list", description: "Find the id of an organization" }])
)

const visitorKey = Command.make(
  "visitor-key",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The id of the organization")),
    yes: yesFlag,
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes,
      isJson: flags.json,
      effect: "Claims that are signed with the current key become invalid."
    })
    yield* Effect.gen(function* () {
      const administration = yield* Administration
      const key = Redacted.value(yield* administration.regenerateVisitorKey({ organization: flags.id }))
      yield* printResult(flags.json, { key }, key)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription("Replace the visitor key of an organization and print the new one once."),
  Command.withDescription(
    "Replace the key that signs visitor claims about the members of an organization, and print the new one once. Claims signed with the old key become invalid."
  ),
  Command.withExamples([
    { command: "lectern org visitor-key <organization> --yes", description: "Replace the key in a script" }
  ])
)

const usage = Command.make(
  "usage",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The id of the organization")),
    organizationQuotas: settingFlag(organizationQuotas),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ id, organizationQuotas: quotasFlag, json, ...flags }) {
    const quotas = yield* readRequiredSetting(organizationQuotas, quotasFlag)
    const quota = quotas.organizations.get(id) ?? quotas.default
    yield* Effect.gen(function* () {
      const used = yield* (yield* Administration).readUsage({ organization: id })
      const usage = (["spaces", "members", "bytes"] as const).map((resource) => ({
        resource,
        count: used[resource],
        maximum: quota[resource]
      }))
      const lines = usage.map(
        ({ resource, count, maximum }) =>
          `${resource}: ${count}${maximum === undefined ? ", without a maximum" : ` of at most ${maximum}`}`
      )
      yield* printResult(json, usage, lines.join("\n"))
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription(
    "Print how many spaces, members and bytes of content an organization has, and its quota."
  ),
  Command.withDescription(
    "Print how many spaces, including the trash, members, and bytes of content an organization has, with its quota of --organization-quotas."
  ),
  Command.withExamples([
    { command: "lectern org usage <organization>", description: "Print the usage of an organization" }
  ])
)

const organizationDelete = Command.make(
  "delete",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The id of the organization")),
    yes: yesFlag,
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes,
      isJson: flags.json,
      effect:
        "No user can use the organization from then on, and its sites are not published. It can be restored for 30 days, and is removed permanently after that."
    })
    yield* Effect.gen(function* () {
      const administration = yield* Administration
      const { id, deletedAt, restorableUntil } = yield* administration.removeOrganization({
        organization: flags.id
      })
      yield* printResult(
        flags.json,
        { id, deletedAt, restorableUntil },
        `Moved the organization to the trash. Restore it until ${restorableUntil} with: lectern org restore ${id}`
      )
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription("Move an organization to the trash for 30 days."),
  Command.withDescription(
    "Move an organization to the trash, from which it can be restored for 30 days. No user can use it, its sites are not published, and its webhooks are not active. After 30 days, a server removes it permanently."
  ),
  Command.withExamples([
    { command: "lectern org delete <organization> --yes", description: "Delete an organization in a script" }
  ])
)

const organizationRestore = Command.make(
  "restore",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The id of the organization")),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const administration = yield* Administration
      yield* administration.restoreOrganization({ organization: flags.id })
      yield* printResult(flags.json, { id: flags.id }, "Restored the organization.")
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription(
    "Restore an organization from the trash, with the sites and webhooks that its deletion has suspended."
  ),
  Command.withExamples([
    { command: "lectern org restore <organization>", description: "Undo the deletion of an organization" }
  ])
)

export const organization = Command.make("org").pipe(
  Command.withDescription(
    "Create, list, delete and restore organizations, print their usage, and replace their visitor keys."
  ),
  Command.withSubcommands([
    organizationCreate,
    organizationList,
    organizationDelete,
    organizationRestore,
    usage,
    visitorKey
  ])
)
