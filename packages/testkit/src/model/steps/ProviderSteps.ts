/** The feature of the identity providers of organizations: what the steps of SAML and of OpenID Connect have in common. */
import assert from "node:assert/strict"
import type { ServiceName } from "../api/services.ts"
import {
  type ActorChoice,
  choose,
  nth,
  nthOf,
  type OrganizationChoice,
  organizationChoice
} from "../definition/choices.ts"
import { asUserWho, defineStep, type Feature, type Observer, type StepContext } from "../definition/Step.ts"
import type { ProviderState } from "../state/PeopleModel.ts"
import type { ErrorTag, WorkspaceModel } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

/** The fields of a provider that a workspace returns. */
export interface ShownProvider {
  readonly id: string
  readonly status: "active" | "pending"
  readonly defaultTeam?: { readonly id: string }
  readonly [field: string]: unknown
}

/** A kind of providers. */
interface ProviderKind<Settings extends string> {
  readonly service: ServiceName
  /** The first letters of the names of its steps, after the verb. */
  readonly name: string
  /** Inputs of its steps by name, with their frequencies. */
  readonly settings: Readonly<
    Record<Settings, readonly [weight: number, input: Readonly<Record<string, unknown>>]>
  >
  /** Returns the providers of this kind in a model. */
  readonly of: (model: WorkspaceModel) => Map<string, ProviderState>
  /** The fields of a new provider that its input does not set. */
  readonly initial: Readonly<Record<string, unknown>>
  /** Returns the fields that a workspace returns for a provider, and its status. */
  readonly shownFields: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

type TeamChoice = "own" | "other" | "none" | "absent"

/** Returns the default team of an input; undefined if the step does not set it. */
const teamOf = (model: WorkspaceModel, organization: string, team: TeamChoice) => {
  if (team === "absent") return undefined
  if (team === "none") return null
  const [id] =
    [...model.teams].find(([, one]) => (one.organization === organization) === (team === "own")) ?? []
  return id
}

/** Creates the feature of a kind of providers. */
export const defineProviders = <Settings extends string>(kind: ProviderKind<Settings>): Feature => {
  const { service, of, initial, shownFields } = kind
  interface Choices {
    readonly settings: Settings
    readonly team: TeamChoice
  }
  const weights = Object.fromEntries(
    Object.entries<readonly [number, object]>(kind.settings).map(([name, [weight]]) => [name, weight])
  ) as Record<Settings, number>
  const choices = {
    settings: choose<Settings>(weights),
    team: choose<TeamChoice>({ own: 2, other: 1, none: 1, absent: 3 })
  }

  /** Returns the input of a step, with the error that its team causes. */
  const inputOf = (model: WorkspaceModel, organization: string, given: Choices) => {
    const team = teamOf(model, organization, given.team)
    const isForeign = team != null && model.teams.get(team)!.organization !== organization
    return {
      input: { ...kind.settings[given.settings][1], ...(team === undefined ? {} : { defaultTeam: team }) },
      error: isForeign ? ("InvalidInput" as const) : undefined
    }
  }

  /** Resolves a provider, and the organization in which the step looks it up. Permitted actors are administrators. */
  const resolve = (
    from: StepContext,
    given: ActorChoice & { readonly organization: OrganizationChoice; readonly provider: number }
  ) => {
    const { model, actors } = from
    const [id, provider] = nthOf([...of(model)], given.provider) ?? ["nothing", undefined]
    const { which, nth } = given.organization
    const isAny = which === "any" || provider === undefined
    const organization = isAny ? nthOf(actors.organizations, nth)! : provider.organization
    const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
    const missing: ErrorTag | undefined = provider?.organization === organization ? undefined : "NotFound"
    return { id, provider, organization, context, missing }
  }

  const compareOne = (model: WorkspaceModel, shown: ShownProvider): void => {
    const { fields } = of(model).get(shown.id)!
    const { defaultTeam } = fields
    const team = typeof defaultTeam === "string" && model.teams.has(defaultTeam) ? defaultTeam : undefined
    const expected = { ...shownFields(fields), defaultTeam: team }
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, shown[name]]))
    assert.deepEqual({ ...found, defaultTeam: shown.defaultTeam?.id }, expected)
  }

  return {
    steps: {
      [`create${kind.name}`]: defineStep<Choices & { organization: number }>({
        weight: 2,
        choices: { ...choices, organization: nth },
        run: async (from, given) => {
          const { model, actors } = from
          const organization = nthOf(actors.organizations, given.organization)!
          const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
          const { input, error } = inputOf(model, organization, given)
          const expectedError = model.membershipError(context.user, organization, "admin") ?? error
          const value = await context.expect(
            [service, "create", [organization, { label: "Acme", ...input }]],
            expectedError
          )
          if (expectedError !== undefined) return
          const shown = value as ShownProvider
          of(model).set(shown.id, { organization, fields: { ...initial, ...input } })
          compareOne(model, shown)
        }
      }),
      [`update${kind.name}`]: defineStep<Choices & { organization: OrganizationChoice; provider: number }>({
        weight: 2,
        choices: { ...choices, organization: organizationChoice, provider: nth },
        run: async (from, given) => {
          const { id, provider, organization, context, missing } = resolve(from, given)
          const { model, user } = context
          const { input, error } = inputOf(model, organization, given)
          const expectedError = model.membershipError(user, organization, "admin") ?? missing ?? error
          const value = await context.expect([service, "update", [organization, id, input]], expectedError)
          if (expectedError !== undefined) return
          provider!.fields = { ...provider!.fields, ...input }
          compareOne(model, value as ShownProvider)
        }
      }),
      [`remove${kind.name}`]: defineStep<{ organization: OrganizationChoice; provider: number }>({
        weight: 1,
        choices: { organization: organizationChoice, provider: nth },
        run: async (from, given) => {
          const { id, organization, context, missing } = resolve(from, given)
          const expectedError = context.model.membershipError(context.user, organization, "admin") ?? missing
          await context.expect([service, "remove", [organization, id]], expectedError)
          if (expectedError === undefined) of(context.model).delete(id)
        }
      })
    },
    compare: async ({ api, model, user }: Observer) => {
      for (const organization of model.members.keys()) {
        const found = await readAllPages<ShownProvider>(api, user, (page) => [
          service,
          "list",
          [organization, page]
        ])
        const expectedError = model.membershipError(user, organization, "admin")
        if (expectedError !== undefined) {
          assert.equal(found, expectedError)
          continue
        }
        assert.ok(typeof found !== "string", `Listing providers failed with ${String(found)}.`)
        const expected = [...of(model)].filter(([, one]) => one.organization === organization)
        assert.deepEqual(
          found.map(({ id }) => id),
          expected.map(([id]) => id).toReversed()
        )
        for (const shown of found) compareOne(model, shown)
      }
    }
  }
}
