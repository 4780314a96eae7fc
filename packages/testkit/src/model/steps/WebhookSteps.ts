/** Steps on the webhooks of organizations: create, update, rotate the secret, and remove. */
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
import type { WebhookState } from "../state/OutsideModel.ts"
import type { ErrorTag, WorkspaceModel } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly url: string
  readonly description?: string
  readonly events: ReadonlyArray<string>
  readonly active: boolean
  readonly formerSecretExpiresAt?: string
  readonly secret?: string
}

/** The maximum number of webhooks of an organization. */
const maximumWebhooks = 50

/** Receivers that do not exist: the top-level domain `invalid` is reserved. */
const urls = { first: "https://first.invalid/hook", second: "https://second.invalid/hook" } as const

/** The inputs of steps, by name. */
const inputs = {
  url: { url: urls.second },
  description: { description: "Chat" },
  noDescription: { description: null },
  spaces: { events: ["space.created", "space.updated"] },
  everything: { events: [] },
  inactive: { active: false },
  active: { active: true },
  unknownEvent: { events: ["space.exploded"] }
} as const
type Input = keyof typeof inputs

const input = choose<Input>({
  ...{ url: 2, description: 2, noDescription: 1, spaces: 2, everything: 1, inactive: 2, active: 1 },
  unknownEvent: 1
})

interface WebhookChoice {
  readonly organization: OrganizationChoice
  readonly webhook: number
}

const webhookChoice = { organization: organizationChoice, webhook: nth }

const administratorOf = (from: StepContext, given: ActorChoice, organization: string): StepContext =>
  asUserWho(from, given, (user) => from.model.roleIn(user, organization) === "admin")

/** Resolves a webhook, and the organization in which the step looks it up. Permitted actors are administrators. */
const resolveWebhook = (from: StepContext, given: WebhookChoice & ActorChoice) => {
  const { model, actors } = from
  const [id, webhook] = nthOf([...model.webhooks], given.webhook) ?? ["nothing", undefined]
  const { which, nth } = given.organization
  const organization =
    which === "any" || webhook === undefined ? nthOf(actors.organizations, nth)! : webhook.organization
  const context = administratorOf(from, given, organization)
  const expectedError: ErrorTag | undefined =
    model.membershipError(context.user, organization, "admin") ??
    (webhook?.organization === organization ? undefined : "NotFound")
  return { id, webhook, organization, context, expectedError }
}

const errorOf = (name: Input): ErrorTag | undefined => (name === "unknownEvent" ? "InvalidInput" : undefined)

const compareWebhook = (model: WorkspaceModel, shown: Shown): void => {
  const { url, description, events, active, formerSecretUntil } = model.webhooks.get(shown.id)!
  const hasFormerSecret = formerSecretUntil !== undefined && formerSecretUntil > model.now
  assert.deepEqual(
    {
      ...{ url: shown.url, description: shown.description, events: shown.events, active: shown.active },
      hasFormerSecret: shown.formerSecretExpiresAt !== undefined
    },
    { url, description: description ?? undefined, events, active, hasFormerSecret }
  )
}

/** Compares a webhook in a response that contains its secret: the only ones. */
const compareSecret = (webhook: WebhookState, shown: Shown): void => {
  assert.match(shown.secret ?? "", /^whsec_/)
  assert.ok(!webhook.secrets.has(shown.secret!), "A webhook has a secret again.")
  webhook.secrets.add(shown.secret!)
}

const hourMs = 3_600_000

const create = async (
  from: StepContext,
  given: { readonly organization: number; readonly input: Input } & ActorChoice
): Promise<void> => {
  const { model, actors } = from
  const organization = nthOf(actors.organizations, given.organization)!
  const context = administratorOf(from, given, organization)
  const count = [...model.webhooks.values()].filter((one) => one.organization === organization).length
  const expectedError =
    model.membershipError(context.user, organization, "admin") ??
    errorOf(given.input) ??
    (count >= maximumWebhooks ? "Conflict" : undefined)
  const fields = { url: urls.first, ...inputs[given.input] }
  const value = await context.expect(["webhooks", "create", [organization, fields]], expectedError)
  if (expectedError !== undefined) return
  const shown = value as Shown
  const webhook: WebhookState = {
    organization,
    description: null,
    events: [],
    active: true,
    formerSecretUntil: undefined,
    secrets: new Set(),
    ...fields
  }
  model.webhooks.set(shown.id, webhook)
  compareWebhook(model, shown)
  compareSecret(webhook, shown)
}

/** The feature of webhooks. */
export const webhooks: Feature = {
  steps: {
    createWebhook: defineStep<{ organization: number; input: Input }>({
      weight: 3,
      choices: { organization: nth, input },
      run: create
    }),
    updateWebhook: defineStep<WebhookChoice & { input: Input }>({
      weight: 3,
      choices: { ...webhookChoice, input },
      run: async (from, given) => {
        const { id, webhook, organization, context, ...resolved } = resolveWebhook(from, given)
        const expectedError = resolved.expectedError ?? errorOf(given.input)
        const fields = inputs[given.input]
        const value = await context.expect(["webhooks", "update", [organization, id, fields]], expectedError)
        if (expectedError !== undefined) return
        Object.assign(webhook!, fields)
        compareWebhook(context.model, value as Shown)
      }
    }),
    rotateWebhookSecret: defineStep<WebhookChoice & { hours: "none" | "two" }>({
      weight: 2,
      choices: { ...webhookChoice, hours: choose({ none: 1, two: 2 }) },
      run: async (from, given) => {
        const { id, webhook, organization, context, expectedError } = resolveWebhook(from, given)
        const formerSecretHours = given.hours === "two" ? 2 : 0
        const value = await context.expect(
          ["webhooks", "rotateSecret", [organization, id, { formerSecretHours }]],
          expectedError
        )
        if (expectedError !== undefined) return
        webhook!.formerSecretUntil =
          formerSecretHours === 0 ? undefined : context.model.now + formerSecretHours * hourMs
        compareWebhook(context.model, value as Shown)
        compareSecret(webhook!, value as Shown)
      }
    }),
    removeWebhook: defineStep<WebhookChoice>({
      weight: 1,
      choices: webhookChoice,
      run: async (from, given) => {
        const { id, organization, context, expectedError } = resolveWebhook(from, given)
        await context.expect(["webhooks", "remove", [organization, id]], expectedError)
        if (expectedError === undefined) context.model.webhooks.delete(id)
      }
    })
  },
  compare: async ({ api, model, user }: Observer) => {
    for (const organization of model.members.keys()) {
      const found = await readAllPages<Shown>(api, user, (page) => ["webhooks", "list", [organization, page]])
      const expectedError = model.membershipError(user, organization, "admin")
      if (expectedError !== undefined) {
        assert.equal(found, expectedError)
        continue
      }
      assert.ok(typeof found !== "string", `Listing webhooks failed with ${String(found)}.`)
      const expected = [...model.webhooks].filter(([, one]) => one.organization === organization)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(([id]) => id).toReversed()
      )
      for (const shown of found) {
        compareWebhook(model, shown)
        assert.equal(shown.secret, undefined)
      }
    }
  }
}
