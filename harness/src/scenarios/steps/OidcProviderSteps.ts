/** Steps on the OpenID Connect providers of organizations: create, update and remove. */
import assert from "node:assert/strict"
import {
  type ActorChoice,
  choose,
  nth,
  nthOf,
  type OrganizationChoice,
  organizationChoice
} from "../definition/choices.ts"
import { asUserWho, defineStep, type Feature, type Observer, type StepContext } from "../definition/Step.ts"
import type { OidcProviderState } from "../model/PeopleModel.ts"
import type { ErrorTag, WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly label: string
  readonly status: "active" | "pending"
  readonly issuer?: string
  readonly clientID?: string
  readonly hasClientSecret: boolean
  readonly domains: ReadonlyArray<string>
  readonly defaultTeam?: { readonly id: string }
}

/** The settings of a step. Without an issuer, a new provider is pending. */
const settings = {
  none: {},
  issuer: { issuer: "https://login.example.com" },
  otherIssuer: { issuer: "https://other.example.com", domains: ["example.com"] },
  client: { clientID: "lectern", clientSecret: "secret" },
  publicClient: { clientID: "lectern", clientSecret: null },
  complete: {
    issuer: "https://login.example.com",
    clientID: "lectern",
    domains: ["example.com", "example.net"]
  }
} as const

type Settings = keyof typeof settings

interface Choices {
  readonly settings: Settings
  readonly team: "own" | "other" | "none" | "absent"
}

const choices = {
  settings: choose<Settings>({ none: 1, issuer: 2, otherIssuer: 1, client: 2, publicClient: 1, complete: 2 }),
  team: choose<Choices["team"]>({ own: 2, other: 1, none: 1, absent: 3 })
}

/** Returns the default team of an input; undefined if the step does not set it. */
const teamOf = (model: WorkspaceModel, organization: string, team: Choices["team"]) => {
  if (team === "absent") return undefined
  if (team === "none") return null
  const [id] =
    [...model.teams].find(([, one]) => (one.organization === organization) === (team === "own")) ?? []
  return id
}

/** Returns the input of a step, with the error that its team causes. */
const inputOf = (model: WorkspaceModel, organization: string, given: Choices) => {
  const team = teamOf(model, organization, given.team)
  const isForeign = team != null && model.teams.get(team)!.organization !== organization
  return {
    input: { ...settings[given.settings], ...(team === undefined ? {} : { defaultTeam: team }) },
    error: isForeign ? ("InvalidInput" as const) : undefined
  }
}

/** Resolves a provider, and the organization in which the step looks it up. Permitted actors are administrators. */
const resolveProvider = (
  from: StepContext,
  given: ActorChoice & { readonly organization: OrganizationChoice; readonly provider: number }
) => {
  const { model, actors } = from
  const [id, provider] = nthOf([...model.oidcProviders], given.provider) ?? ["nothing", undefined]
  const { which, nth } = given.organization
  const isAny = which === "any" || provider === undefined
  const organization = isAny ? nthOf(actors.organizations, nth)! : provider.organization
  const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
  const missing: ErrorTag | undefined = provider?.organization === organization ? undefined : "NotFound"
  return { id, provider, organization, context, missing }
}

/** Applies an input to the state of a provider. */
const applyInput = (
  provider: OidcProviderState,
  { clientSecret, ...input }: Partial<Record<string, unknown>>
): void => {
  Object.assign(provider, input)
  if (clientSecret !== undefined) provider.hasClientSecret = clientSecret !== null
}

const compareProvider = (model: WorkspaceModel, shown: Shown): void => {
  const provider = model.oidcProviders.get(shown.id)!
  const { issuer, clientID, hasClientSecret, domains, defaultTeam } = provider
  const team = defaultTeam !== null && model.teams.has(defaultTeam) ? defaultTeam : undefined
  assert.deepEqual(
    [shown.status, shown.issuer, shown.clientID, shown.hasClientSecret, shown.domains, shown.defaultTeam?.id],
    [
      issuer === undefined || clientID === undefined ? "pending" : "active",
      issuer,
      clientID,
      hasClientSecret,
      domains,
      team
    ]
  )
}

/** The feature of OpenID Connect providers of organizations. */
export const oidcProviders: Feature = {
  steps: {
    createOidcProvider: defineStep<Choices & { organization: number }>({
      weight: 2,
      choices: { ...choices, organization: nth },
      run: async (from, given) => {
        const { model, actors } = from
        const organization = nthOf(actors.organizations, given.organization)!
        const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
        const { input, error } = inputOf(model, organization, given)
        const expectedError = model.membershipError(context.user, organization, "admin") ?? error
        const value = await context.expect(
          ["oidcProviders", "create", [organization, { label: "Acme", ...input }]],
          expectedError
        )
        if (expectedError !== undefined) return
        const { id } = value as Shown
        const provider: OidcProviderState = {
          organization,
          issuer: undefined,
          clientID: undefined,
          hasClientSecret: false,
          domains: [],
          defaultTeam: null
        }
        applyInput(provider, input)
        model.oidcProviders.set(id, provider)
        compareProvider(model, value as Shown)
      }
    }),
    updateOidcProvider: defineStep<Choices & { organization: OrganizationChoice; provider: number }>({
      weight: 2,
      choices: { ...choices, organization: organizationChoice, provider: nth },
      run: async (from, given) => {
        const { id, provider, organization, context, missing } = resolveProvider(from, given)
        const { model, user } = context
        const { input, error } = inputOf(model, organization, given)
        const expectedError = model.membershipError(user, organization, "admin") ?? missing ?? error
        const value = await context.expect(
          ["oidcProviders", "update", [organization, id, input]],
          expectedError
        )
        if (expectedError !== undefined) return
        applyInput(provider!, input)
        compareProvider(model, value as Shown)
      }
    }),
    removeOidcProvider: defineStep<{ organization: OrganizationChoice; provider: number }>({
      weight: 1,
      choices: { organization: organizationChoice, provider: nth },
      run: async (from, given) => {
        const { id, organization, context, missing } = resolveProvider(from, given)
        const expectedError = context.model.membershipError(context.user, organization, "admin") ?? missing
        await context.expect(["oidcProviders", "remove", [organization, id]], expectedError)
        if (expectedError === undefined) context.model.oidcProviders.delete(id)
      }
    })
  },
  compare: async ({ api, model, user }: Observer) => {
    for (const organization of model.members.keys()) {
      const found = await readAllPages<Shown>(api, user, (page) => [
        "oidcProviders",
        "list",
        [organization, page]
      ])
      const expectedError = model.membershipError(user, organization, "admin")
      if (expectedError !== undefined) {
        assert.equal(found, expectedError)
        continue
      }
      assert.ok(typeof found !== "string", `Listing OpenID Connect providers failed with ${String(found)}.`)
      const expected = [...model.oidcProviders].filter(([, one]) => one.organization === organization)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(([id]) => id).toReversed()
      )
      for (const shown of found) compareProvider(model, shown)
    }
  }
}
