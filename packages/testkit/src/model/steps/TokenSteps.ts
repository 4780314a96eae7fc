/** Steps on API tokens: create, rename, rotate and revoke, by their users and by administrators. */
import assert from "node:assert/strict"
import { choose, nth, nthOf } from "../definition/choices.ts"
import { asUserWho, defineStep, type Feature, type Observer, type StepContext } from "../definition/Step.ts"
import type { ErrorTag } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly label: string
  readonly organization?: string
}

/** The labels of the tokens of scenarios, which distinguish them from tokens that authenticate requests. */
const labels = { build: "Scenario: build", deploy: "Scenario: deploy" } as const
type Label = keyof typeof labels

const label = choose<Label>({ build: 1, deploy: 1 })

/** Resolves a token, and predicts how an action of the acting user on it ends. */
const resolveToken = (from: StepContext, given: { readonly token: number }) => {
  const [id, token] = nthOf([...from.model.tokens], given.token) ?? ["nothing", undefined]
  const expectedError: ErrorTag | undefined = token?.user === from.user ? undefined : "NotFound"
  return { id, token, expectedError }
}

/** Returns the context of the owner of a token, if the step chose a permitted actor. */
const asOwner = (from: StepContext, given: Parameters<typeof asUserWho>[1] & { readonly token: number }) => {
  const { token } = resolveToken(from, given)
  return asUserWho(from, given, (user) => user === token?.user)
}

/** The feature of API tokens. */
export const tokens: Feature = {
  steps: {
    createToken: defineStep<{ organization: number; limit: "organization" | "none"; label: Label }>({
      weight: 3,
      choices: { organization: nth, limit: choose({ organization: 2, none: 1 }), label },
      run: async ({ model, actors, user, expect }, given) => {
        const organization =
          given.limit === "none" ? undefined : nthOf(actors.organizations, given.organization)!
        const expectedError =
          organization === undefined ? undefined : model.membershipError(user, organization, null)
        const input = {
          label: labels[given.label],
          ...(organization === undefined ? {} : { organization })
        }
        const value = await expect(["tokens", "create", [input]], expectedError)
        if (expectedError !== undefined) return
        const { id } = value as Shown
        model.tokens.set(id, { user, organization, label: input.label, excluded: new Set() })
      }
    }),
    renameToken: defineStep<{ token: number; label: Label }>({
      weight: 1,
      choices: { token: nth, label },
      run: async (from, given) => {
        const context = asOwner(from, given)
        const { id, token, expectedError } = resolveToken(context, given)
        await context.expect(["tokens", "update", [id, { label: labels[given.label] }]], expectedError)
        if (expectedError === undefined) token!.label = labels[given.label]
      }
    }),
    rotateToken: defineStep<{ token: number }>({
      weight: 1,
      choices: { token: nth },
      run: async (from, given) => {
        const context = asOwner(from, given)
        const { id, expectedError } = resolveToken(context, given)
        await context.expect(["tokens", "rotate", [id, { formerSecretHours: 1 }]], expectedError)
      }
    }),
    revokeToken: defineStep<{ token: number }>({
      weight: 1,
      choices: { token: nth },
      run: async (from, given) => {
        const context = asOwner(from, given)
        const { id, expectedError } = resolveToken(context, given)
        await context.expect(["tokens", "revoke", [id]], expectedError)
        if (expectedError === undefined) context.model.tokens.delete(id)
      }
    }),
    revokeTokenOfMember: defineStep<{ organization: number; token: number }>({
      weight: 1,
      choices: { organization: nth, token: nth },
      run: async (from, given) => {
        const { model, actors } = from
        const organization = nthOf(actors.organizations, given.organization)!
        const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
        const { id, token } = resolveToken(context, given)
        const isOpening =
          token !== undefined &&
          (token.organization === undefined
            ? model.roleIn(token.user, organization) !== undefined && !token.excluded.has(organization)
            : token.organization === organization)
        const expectedError =
          model.membershipError(context.user, organization, "admin") ?? (isOpening ? undefined : "NotFound")
        await context.expect(["tokens", "revokeInOrganization", [organization, id]], expectedError)
        if (expectedError !== undefined) return
        if (token!.organization === organization) model.tokens.delete(id)
        else token!.excluded.add(organization)
      }
    })
  },
  compare: async ({ api, model, user }: Observer) => {
    const found = await readAllPages<Shown>(api, user, (page) => ["tokens", "list", [page]])
    assert.ok(typeof found !== "string", `Listing tokens failed with ${String(found)}.`)
    const own = [...model.tokens].filter(([, token]) => token.user === user).toReversed()
    assert.deepEqual(
      found
        .filter((shown) => shown.label.startsWith("Scenario: "))
        .map((shown) => [shown.id, shown.label, shown.organization]),
      own.map(([id, token]) => [id, token.label, token.organization])
    )
  }
}
