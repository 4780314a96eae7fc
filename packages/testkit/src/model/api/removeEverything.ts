/** Removes everything that a scenario created in an organization, so that the next one begins with an empty one. */
import { toMergeRules } from "../state/ReviewModel.ts"
import type { ServiceName } from "./services.ts"
import type { Call, Outcome } from "./WorkspaceApi.ts"

/** A kind of resources: how to list and remove them. */
interface Removal {
  readonly service: ServiceName
  /** The field that identifies a resource; `id` by default. */
  readonly key?: string
  /** Returns the arguments of the list. */
  readonly list: (organization: string, page: object) => ReadonlyArray<unknown>
  /** Returns the arguments of the removal. */
  readonly remove: (organization: string, id: string) => ReadonlyArray<unknown>
}

const inOrganization = (service: ServiceName, key = "id"): Removal => ({
  service,
  key,
  list: (organization, page) => [organization, page],
  remove: (organization, id) => [organization, id]
})

/** The kinds of resources, in the order of their removal. */
const removals: ReadonlyArray<Removal> = [
  inOrganization("sites"),
  { ...inOrganization("spaces"), remove: (_, id) => [id] },
  { ...inOrganization("collections"), remove: (_, id) => [id] },
  inOrganization("translations"),
  inOrganization("specs", "slug"),
  inOrganization("invites"),
  inOrganization("oidcProviders"),
  inOrganization("samlProviders"),
  inOrganization("webhooks"),
  inOrganization("teams"),
  {
    service: "integrations",
    key: "name",
    list: (organization, page) => [{ ...page, owner: organization }],
    remove: (_, name) => [name]
  }
]

/** The settings of an organization that scenarios change, with their defaults. */
const settings = { inviteLinks: true, mergeRules: toMergeRules("none") }

/** Removes everything that scenarios create in an organization, and resets its settings. Rejects if a call fails. */
export const removeEverything = async (
  call: (call: Call) => Promise<Outcome>,
  organization: string
): Promise<void> => {
  const require = async (one: Call): Promise<unknown> => {
    const outcome = await call(one)
    if (!outcome.ok) throw new Error(`${JSON.stringify(one)} failed with ${outcome.error}.`)
    return outcome.value
  }
  for (const { service, key = "id", list, remove } of removals) {
    for (;;) {
      const { items } = (await require([service, "list", list(organization, { limit: 100 })])) as {
        readonly items: ReadonlyArray<Readonly<Record<string, string>>>
      }
      if (items.length === 0) break
      for (const item of items) {
        const method = service === "integrations" ? "unpublish" : "remove"
        const outcome = await call([service, method, remove(organization, item[key]!)])
        // A collection is removed with the collections in it.
        if (!outcome.ok && outcome.error !== "NotFound")
          throw new Error(`Removing ${item[key]} of ${service} failed with ${outcome.error}.`)
      }
    }
  }
  const { items: tokens } = (await require(["tokens", "list", [{ limit: 1000 }]])) as {
    readonly items: ReadonlyArray<{ readonly id: string; readonly label: string }>
  }
  for (const { id, label } of tokens) {
    if (label.startsWith("Scenario: ")) await require(["tokens", "revoke", [id]])
  }
  await require(["organizations", "update", [organization, settings]])
}
