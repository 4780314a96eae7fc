/**
 * Model-based tests of a workspace. A scenario is a random list of steps of several users in two organizations, which
 * runs on a workspace and on its model. Each call must end as the model predicts. After each step, one user compares
 * the resources of the step's feature, and of one other feature, with the model; at the end, users compare all features.
 */
import assert from "node:assert/strict"
import type { RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import { runsMultiplier, scaledRuns } from "../conformance/numRuns.ts"
import { recordCalls } from "./api/curlScript.ts"
import type { WorkspaceApi } from "./api/WorkspaceApi.ts"
import * as beginnings from "./beginnings.ts"
import { actorChoice, nthOf } from "./definition/choices.ts"
import {
  type Feature,
  makeContext,
  type Observer,
  type Step,
  type StepDefinition
} from "./definition/Step.ts"
import { eventually } from "./eventually.ts"
import type { Actors } from "./state/Actors.ts"
import { WorkspaceModel } from "./state/WorkspaceModel.ts"
import { adaptiveSchemas } from "./steps/AdaptiveSchemaSteps.ts"
import { changeRequests } from "./steps/ChangeRequestSteps.ts"
import { comments } from "./steps/CommentSteps.ts"
import { content } from "./steps/ContentSteps.ts"
import { git } from "./steps/GitSteps.ts"
import { integrations } from "./steps/IntegrationSteps.ts"
import { invites } from "./steps/InviteSteps.ts"
import { oidcProviders } from "./steps/OidcProviderSteps.ts"
import { people } from "./steps/PeopleSteps.ts"
import { reviews } from "./steps/ReviewSteps.ts"
import { samlProviders } from "./steps/SamlProviderSteps.ts"
import { sites } from "./steps/SiteSteps.ts"
import { specs } from "./steps/SpecSteps.ts"
import { tokens } from "./steps/TokenSteps.ts"
import { translations } from "./steps/TranslationSteps.ts"
import { tree } from "./steps/TreeSteps.ts"
import { uploads } from "./steps/UploadSteps.ts"
import { webhooks } from "./steps/WebhookSteps.ts"

/** The features that scenarios cover. */
export const features = {
  ...{ tree, people, content, changeRequests, reviews, comments, sites, adaptiveSchemas },
  ...{ invites, oidcProviders, samlProviders, tokens, translations, specs, integrations },
  ...{ webhooks, git, uploads }
} as const satisfies Record<string, Feature>
/** The name of a feature. */
export type FeatureName = keyof typeof features

/** Features by name. */
export type Features = Readonly<Record<string, Feature>>

const findFeature = (known: Features, step: Step): Feature => {
  const feature = Object.values(known).find(({ steps }) => step.do in steps)
  assert.ok(
    feature !== undefined,
    `No feature defines the step "${step.do}". Pass its feature in \`features\`.`
  )
  return feature
}

/** Creates two organizations, five users with different roles in each, and a team in each. */
const createActors = async (api: WorkspaceApi, model: WorkspaceModel, name: string): Promise<Actors> => {
  const users: Array<string> = []
  for (let i = 0; i < 5; i++) users.push(await api.createUser(`${name}-${i}@example.com`))
  const organizations: Array<string> = []
  const teams: Array<string> = []
  const roles: ReadonlyArray<ReadonlyArray<RoleOrGuest | undefined>> = [
    ["admin", "create", "read", null, undefined],
    ["create", "admin", undefined, "edit", "create"]
  ]
  for (const [index, memberRoles] of roles.entries()) {
    const organization = await api.createOrganization(`Organization ${index}`, users[index]!)
    organizations.push(organization)
    // The creator of an organization is its first member.
    model.members.set(organization, new Map([[users[index]!, "admin"]]))
    for (const [member, role] of memberRoles.entries()) {
      if (role === undefined) continue
      await api.setMember(organization, users[member]!, role)
      model.members.get(organization)!.set(users[member]!, role)
    }
    const inTeam = [users[2 + 2 * index]!, users[3]!]
    const team = await api.createTeam(organization, inTeam)
    teams.push(team)
    model.teams.set(team, { organization, users: new Map(inTeam.map((user) => [user, "member"])) })
  }
  return { users, organizations, teams }
}

/** Options of {@link runScenario}. */
export interface RunOptions {
  /**
   * The number of users, of five, who compare all resources at the end; 5 by default. The others compare one of each
   * kind.
   */
  readonly observers?: number
  /**
   * Runs before each step, and before the comparison at the end, with the number of steps that have run. It can change the
   * workspace and the model.
   */
  readonly beforeStep?: (model: WorkspaceModel, completed: number) => Promise<void>
  /** Features of a host, in addition. */
  readonly features?: Features
}

/**
 * Runs a scenario on a workspace. Rejects if the workspace deviates from the model; the error contains the calls as
 * lines of `curl`, which reproduce it on a new server. Several scenarios can run on one workspace one after the other,
 * each with a `name` of its own.
 */
export const runScenario = async (
  api: WorkspaceApi,
  name: string,
  steps: ReadonlyArray<Step>,
  options: RunOptions = {}
): Promise<void> => {
  // Purge the spaces that an earlier scenario on the same database left in the trash.
  await api.advance?.(8 * 24 * 60 * 60 * 1000)
  await api.purge?.()
  const recording = recordCalls(api)
  try {
    await runSteps(recording.api, name, steps, options)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${message}\n\n${recording.script().join("\n")}\n`, { cause: error })
  }
}

/** How far the clock of a server can be from that of the tests, in milliseconds. */
const clockToleranceMs = 60_000

/** Runs the background jobs that are due. If the server runs them itself, the following comparisons wait for them. */
const runJobs = async ({ work }: WorkspaceApi, model: WorkspaceModel): Promise<void> => {
  await work?.()
  model.applyJobs()
}

/** Compares the resources of a feature, as a user sees them, with the model. */
const compare = (feature: Feature, observer: Observer): Promise<void> =>
  observer.api.work === undefined ? eventually(() => feature.compare(observer)) : feature.compare(observer)

/** Performs a step. Returns its feature. */
const performStep = async (
  known: Features,
  step: Step,
  world: { readonly api: WorkspaceApi; readonly model: WorkspaceModel; readonly actors: Actors }
): Promise<Feature> => {
  const feature = findFeature(known, step)
  const { run, needsClock } = feature.steps[step.do]!
  if (needsClock === true && world.api.advance === undefined) return feature
  const context = makeContext(world, nthOf(world.actors.users, step.user)!)
  // `findFeature` returned the feature of this step.
  await (run as (of: typeof context, given: Step) => Promise<void>)(context, step)
  return feature
}

const runSteps = async (
  api: WorkspaceApi,
  name: string,
  steps: ReadonlyArray<Step>,
  { observers = 5, beforeStep, features: others = {} }: RunOptions
): Promise<void> => {
  const every: Features = { ...features, ...others }
  const model = new WorkspaceModel(api.now(), api.advance === undefined ? clockToleranceMs : 0)
  const actors = await (api.prepare?.(model) ?? createActors(api, model, name))
  for (const [index, step] of steps.entries()) {
    await beforeStep?.(model, index)
    model.now = api.now()
    const feature = await performStep(every, step, { api, model, actors })
    const user = nthOf(actors.users, step.user + index)!
    const focus = step.user * 7 + index
    // The jobs of a step end before the next one: how they interleave with it is not predicted.
    if (api.work === undefined) model.applyJobs()
    const seeing = api.work === undefined ? actors.users : [user]
    for (const one of seeing) await compare(feature, { api, model, user: one, focus })
    const other = nthOf(Object.values(every), index)!
    if (other !== feature) await compare(other, { api, model, user, focus })
  }
  await beforeStep?.(model, steps.length)
  await runJobs(api, model)
  for (const [index, user] of actors.users.entries()) {
    const isThorough = (index + steps.length) % actors.users.length < observers
    const focus = isThorough ? undefined : index + steps.length
    for (const feature of Object.values(every)) await compare(feature, { api, model, user, focus })
  }
}

/** Generates steps with the given names. The name of a feature selects all of its steps. */
const stepArbitrary = (known: Features, names: ReadonlyArray<string>): fc.Arbitrary<Step> => {
  const definitions: Readonly<Record<string, StepDefinition>> = Object.assign(
    {},
    ...Object.values(known).map(({ steps }) => steps)
  )
  return fc.oneof(
    ...names
      .flatMap((name) => (known[name] === undefined ? [name] : Object.keys(known[name].steps)))
      .map((name) => {
        const definition = definitions[name]
        assert.ok(definition !== undefined, `"${name}" is neither a feature nor a step of one.`)
        const { weight, choices } = definition
        const arbitrary = fc.record({ do: fc.constant(name), ...actorChoice, ...choices })
        return { weight, arbitrary: arbitrary as unknown as fc.Arbitrary<Step> }
      })
  )
}

/** Steps that change spaces and members to which other things refer. */
const disruptiveSteps = [
  "duplicate",
  "runJobs",
  "remove",
  "restore",
  "transfer",
  "transfer",
  "removeAndRestore",
  "purge",
  "changeRole",
  "removeMember",
  "share",
  "setDefaultLevel"
]

const linkSteps = ["createLink", "updateLink", "removeLink"]

/** A kind of scenario: a beginning, and a selection of steps. */
export interface Theme {
  /** The subject of its scenarios, as the title of a test. */
  readonly title: string
  /** The frequency of the theme relative to others. */
  readonly weight: number
  /** The first steps of its scenarios, some of which are omitted at random. */
  readonly beginning: ReadonlyArray<Step>
  /** Names of features and steps. A name that is repeated doubles its frequency. */
  readonly names: ReadonlyArray<string>
}

/** Some themes test few features thoroughly; others test the interaction of all features. */
export const themes: ReadonlyArray<Theme> = [
  { title: "collections, spaces and roles", weight: 2, beginning: [], names: ["tree", "people"] },
  {
    title: "moves in nested collections",
    weight: 2,
    beginning: beginnings.nestedCollections,
    names: ["move", "move", "setDefaultLevel", "share", "remove", "transfer", "createSpace"]
  },
  {
    title: "content and change requests",
    weight: 3,
    beginning: beginnings.pages,
    names: ["content", "changeRequests", "setEditMode"]
  },
  { title: "comments", weight: 2, beginning: beginnings.threads, names: ["comments"] },
  {
    title: "reviews and merge rules",
    weight: 2,
    beginning: beginnings.threads,
    names: ["reviews", "reviews", "changeRequests", "changeRole", "transfer", "duplicate"]
  },
  {
    title: "content, change requests and comments, while spaces are removed and transferred",
    weight: 2,
    beginning: beginnings.threads,
    names: ["content", "changeRequests", "comments", "comments", ...disruptiveSteps]
  },
  { title: "sites", weight: 2, beginning: beginnings.publishedSite, names: ["sites"] },
  {
    title: "share links",
    weight: 1,
    beginning: beginnings.sharedSite,
    names: ["updateSite", "publish", ...linkSteps, "visit", "visit", "visit"]
  },
  {
    title: "sites, while their spaces are removed and transferred",
    weight: 3,
    beginning: beginnings.publishedSite,
    names: ["sites", ...disruptiveSteps]
  },
  {
    title: "members, invites, sign-in, tokens, translations, OpenAPI specs and integrations",
    weight: 2,
    beginning: [],
    names: ["people", "invites", "oidcProviders", "tokens", "translations", "specs", "integrations"]
  },
  {
    title: "webhooks, Git synchronization, uploads, SAML and adaptive schemas",
    weight: 2,
    beginning: beginnings.publishedSite,
    names: [
      "samlProviders",
      "webhooks",
      "git",
      "git",
      "uploads",
      "adaptiveSchemas",
      "sites",
      ...disruptiveSteps
    ]
  },
  {
    title: "integrations, while their organizations change",
    weight: 1,
    beginning: beginnings.installedIntegration,
    names: ["integrations", "remove", "restore", "transfer", "changeRole"]
  },
  {
    title: "all features",
    weight: 4,
    beginning: [...beginnings.threads, ...beginnings.publishedSite],
    names: Object.keys(features)
  }
]

/** Generates scenarios of a theme, of at most `length` steps after its beginning. */
export const themeArbitrary = (
  known: Features,
  { beginning, names }: Pick<Theme, "beginning" | "names">,
  length: number
): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc
    .tuple(
      fc.tuple(...beginning.map((step) => fc.option(fc.constant(step), { freq: 8 }))),
      fc.array(stepArbitrary(known, names), { maxLength: length, size: "max" })
    )
    .map(([first, then]) => [...first.filter((step) => step !== null), ...then])

/**
 * Generates scenarios of at most `length` steps after the beginning. Without `names`, they have all themes; with
 * `names`, they consist of the steps of these features, and of these steps. `others` adds features of a host.
 *
 * @example
 * fc.asyncProperty(scenario(40), (steps) => runScenario(api, "scenario", steps))
 */
export const scenario = <Others extends Features = Record<never, Feature>>(
  length: number,
  names?: ReadonlyArray<FeatureName | (string & keyof Others)>,
  others?: Others
): fc.Arbitrary<ReadonlyArray<Step>> =>
  names === undefined
    ? fc.oneof(
        ...themes.map((theme) => ({
          weight: theme.weight,
          arbitrary: themeArbitrary(features, theme, length)
        }))
      )
    : themeArbitrary({ ...features, ...others }, { beginning: beginnings.spaces, names }, length)

/**
 * Returns the fast-check parameters for `count` scenarios, times `LECTERN_TEST_RUNS`. Generation and shrinking end
 * after 80 s, before the test times out, so that a failure is reported with the smallest scenario found by then.
 */
export const scenarioRuns = (
  count: number
): { readonly numRuns: number; readonly interruptAfterTimeLimit: number } => ({
  ...scaledRuns(count),
  interruptAfterTimeLimit: 80_000 * Math.max(1, runsMultiplier)
})
