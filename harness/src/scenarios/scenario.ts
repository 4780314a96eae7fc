/**
 * Model-based tests of a workspace. A scenario is a random list of steps of several users in two organizations, which
 * runs on a workspace and on its model. Each call must end as the model predicts. After each step, one user compares
 * the resources of the step's feature, and of one other feature, with the model; at the end, users compare all features.
 */
import assert from "node:assert/strict"
import type { RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import { runs, runsMultiplier } from "../runs.ts"
import { recordCalls } from "./api/curlScript.ts"
import type { WorkspaceApi } from "./api/WorkspaceApi.ts"
import * as beginnings from "./beginnings.ts"
import { actorChoice, nthOf } from "./definition/choices.ts"
import { type Actors, type Feature, makeContext, type Step, type StepDefinition } from "./definition/Step.ts"
import { WorkspaceModel } from "./model/WorkspaceModel.ts"
import { changeRequests } from "./steps/ChangeRequestSteps.ts"
import { comments } from "./steps/CommentSteps.ts"
import { content } from "./steps/ContentSteps.ts"
import { integrations } from "./steps/IntegrationSteps.ts"
import { invites } from "./steps/InviteSteps.ts"
import { oidcProviders } from "./steps/OidcProviderSteps.ts"
import { people } from "./steps/PeopleSteps.ts"
import { reviews } from "./steps/ReviewSteps.ts"
import { sites } from "./steps/SiteSteps.ts"
import { specs } from "./steps/SpecSteps.ts"
import { tokens } from "./steps/TokenSteps.ts"
import { translations } from "./steps/TranslationSteps.ts"
import { tree } from "./steps/TreeSteps.ts"

/** The features that scenarios cover. */
const features = {
  ...{ tree, people, content, changeRequests, reviews, comments, sites },
  ...{ invites, oidcProviders, tokens, translations, specs, integrations }
} as const satisfies Record<string, Feature>
/** The name of a feature of the harness. */
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

interface RunOptions {
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
  /** Features to add to the features of the harness. */
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
  await api.advance(8 * 24 * 60 * 60 * 1000)
  await api.purge()
  const recording = recordCalls(api)
  try {
    await runSteps(recording.api, name, steps, options)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${message}\n\n${recording.script().join("\n")}\n`, { cause: error })
  }
}

const runSteps = async (
  api: WorkspaceApi,
  name: string,
  steps: ReadonlyArray<Step>,
  { observers = 5, beforeStep, features: others = {} }: RunOptions
): Promise<void> => {
  const every: Features = { ...features, ...others }
  const model = new WorkspaceModel(api.now())
  const actors = await createActors(api, model, name)
  for (const [index, step] of steps.entries()) {
    await beforeStep?.(model, index)
    model.now = api.now()
    const feature = findFeature(every, step)
    const context = makeContext({ api, model, actors }, nthOf(actors.users, step.user)!)
    // `findFeature` returned the feature of this step.
    const run = feature.steps[step.do]!.run as (
      context: ReturnType<typeof makeContext>,
      step: Step
    ) => Promise<void>
    await run(context, step)
    const user = nthOf(actors.users, step.user + index)!
    const observer = { api, model, user, focus: step.user * 7 + index }
    for (const { compare } of new Set([feature, nthOf(Object.values(every), index)!])) await compare(observer)
  }
  await beforeStep?.(model, steps.length)
  await api.work()
  model.applyJobs()
  for (const [index, user] of actors.users.entries()) {
    const isThorough = (index + steps.length) % actors.users.length < observers
    const focus = isThorough ? undefined : index + steps.length
    for (const { compare } of Object.values(every)) await compare({ api, model, user, focus })
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
interface Theme {
  /** The frequency of the theme relative to others. */
  readonly weight: number
  /** The first steps of its scenarios, some of which are omitted at random. */
  readonly beginning: ReadonlyArray<Step>
  /** Names of features and steps. A name that is repeated doubles its frequency. */
  readonly names: ReadonlyArray<string>
}

/** Some themes test few features thoroughly; others test the interaction of all features. */
const themes: ReadonlyArray<Theme> = [
  { weight: 2, beginning: [], names: ["tree", "people"] },
  {
    weight: 2,
    beginning: beginnings.nestedCollections,
    names: ["move", "move", "setDefaultLevel", "share", "remove", "transfer", "createSpace"]
  },
  { weight: 3, beginning: beginnings.pages, names: ["content", "changeRequests", "setEditMode"] },
  { weight: 2, beginning: beginnings.threads, names: ["comments"] },
  {
    weight: 2,
    beginning: beginnings.threads,
    names: ["reviews", "reviews", "changeRequests", "changeRole", "transfer", "duplicate"]
  },
  {
    weight: 2,
    beginning: beginnings.threads,
    names: ["content", "changeRequests", "comments", "comments", ...disruptiveSteps]
  },
  { weight: 2, beginning: beginnings.publishedSite, names: ["sites"] },
  {
    weight: 1,
    beginning: beginnings.sharedSite,
    names: ["updateSite", "publish", ...linkSteps, "visit", "visit", "visit"]
  },
  { weight: 3, beginning: beginnings.publishedSite, names: ["sites", ...disruptiveSteps] },
  {
    weight: 2,
    beginning: [],
    names: ["people", "invites", "oidcProviders", "tokens", "translations", "specs", "integrations"]
  },
  {
    weight: 1,
    beginning: beginnings.installedIntegration,
    names: ["integrations", "remove", "restore", "transfer", "changeRole"]
  },
  {
    weight: 4,
    beginning: [...beginnings.threads, ...beginnings.publishedSite],
    names: Object.keys(features)
  }
]

const themeArbitrary = (
  known: Features,
  { beginning, names }: Omit<Theme, "weight">,
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
 * `names`, they consist of the steps of these features, and of these steps. `others` adds features to the features of
 * the harness.
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
  ...runs(count),
  interruptAfterTimeLimit: 80_000 * Math.max(1, runsMultiplier)
})
