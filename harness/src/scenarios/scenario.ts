/**
 * Stories: random sequences of what several users do in two organizations, played on a workspace and on the model side
 * by side. After each step the answer has to be the one that the model expects, and what one of the users is shown of
 * the step's feature, and of another, has to be what the model says; at the end, all that each of them is shown.
 */
import assert from "node:assert/strict"
import type { RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import { runs, runsMultiplier } from "../runs.ts"
import { record } from "./api/curlScript.ts"
import type { WorkspaceApi } from "./api/WorkspaceApi.ts"
import { at, type Cast, type Feature, pick, type Step, type StepKind, stageFor } from "./Feature.ts"
import { WorkspaceModel } from "./model/WorkspaceModel.ts"
import { changeRequests } from "./steps/ChangeRequestSteps.ts"
import { comments } from "./steps/CommentSteps.ts"
import { content } from "./steps/ContentSteps.ts"
import { integrations } from "./steps/IntegrationSteps.ts"
import { invites } from "./steps/InviteSteps.ts"
import { people } from "./steps/PeopleSteps.ts"
import { sites } from "./steps/SiteSteps.ts"
import { specs } from "./steps/SpecSteps.ts"
import { translations } from "./steps/TranslationSteps.ts"
import { tree } from "./steps/TreeSteps.ts"

/** All that stories are about. */
const features = {
  ...{ tree, people, content, changeRequests, comments, sites },
  ...{ invites, translations, specs, integrations }
} as const satisfies Record<string, Feature>
export type Name = keyof typeof features

const featureOf = (step: Step): Feature => {
  const found = Object.values<Feature>(features).find(({ kinds }) => step.do in kinds)
  assert.ok(found !== undefined, `there is no step ${step.do}`)
  return found
}

/** Two organizations, five people with different roles in each, and a team in each. */
const assemble = async (api: WorkspaceApi, model: WorkspaceModel, name: string): Promise<Cast> => {
  const users: Array<string> = []
  for (let i = 0; i < 5; i++) users.push(await api.createUser(`${name}-${i}@example.com`))
  const organizations: Array<string> = []
  const teams: Array<string> = []
  const roles: ReadonlyArray<ReadonlyArray<RoleOrGuest | undefined>> = [
    ["admin", "create", "read", null, undefined],
    ["create", "admin", undefined, "edit", "create"]
  ]
  for (const [index, given] of roles.entries()) {
    const organization = await api.createOrganization(`Organization ${index}`, users[index]!)
    organizations.push(organization)
    // Whoever makes an organization is its first member.
    model.members.set(organization, new Map([[users[index]!, "admin"]]))
    for (const [member, itsRole] of given.entries()) {
      if (itsRole === undefined) continue
      await api.setMember(organization, users[member]!, itsRole)
      model.members.get(organization)!.set(users[member]!, itsRole)
    }
    const inTeam = [users[2 + 2 * index]!, users[3]!]
    const team = await api.createTeam(organization, inTeam)
    teams.push(team)
    model.teams.set(team, { organization, users: new Map(inTeam.map((user) => [user, "member"])) })
  }
  return { users, organizations, teams }
}

/** How a story is played. */
interface Playing {
  /** How many of the five users look at everything in the end; all by default. The others look at one of everything. */
  readonly observers?: number
}

/**
 * Plays a story on a workspace, and fails where the workspace is not what the model says: with what was asked of it as
 * lines of `curl`, which do the same to a fresh server.
 */
export const runScenario = async (
  api: WorkspaceApi,
  name: string,
  steps: ReadonlyArray<Step>,
  { observers = 5 }: Playing = {}
): Promise<void> => {
  // What an earlier story left in the bin of the same database is none of this one's.
  await api.advance(8 * 24 * 60 * 60 * 1000)
  await api.purge()
  const recording = record(api)
  try {
    await playOn(recording.api, name, steps, observers)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new Error(`${said}\n\n${recording.script().join("\n")}\n`, { cause: error })
  }
}

const playOn = async (
  api: WorkspaceApi,
  name: string,
  steps: ReadonlyArray<Step>,
  observers: number
): Promise<void> => {
  const model = new WorkspaceModel(api.now())
  const cast = await assemble(api, model, name)
  for (const [index, step] of steps.entries()) {
    model.now = api.now()
    const feature = featureOf(step)
    const { play } = feature.kinds[step.do]!
    await play(stageFor({ api, model, cast }, at(cast.users, step.by)!), step as never)
    const watch = { api, model, user: at(cast.users, step.by + index)!, focus: step.by * 7 + index }
    for (const one of new Set([feature, at(Object.values<Feature>(features), index)!]))
      await one.compare(watch)
  }
  await api.work()
  model.workIsDone()
  for (const [index, user] of cast.users.entries()) {
    const isThorough = (index + steps.length) % cast.users.length < observers
    const focus = isThorough ? undefined : index + steps.length
    for (const { compare } of Object.values<Feature>(features)) await compare({ api, model, user, focus })
  }
}

/** All kinds of steps, by their names. */
const kinds: Readonly<Record<string, StepKind>> = Object.assign(
  {},
  ...Object.values(features).map(({ kinds }) => kinds)
)

/** A step of one of these features, or of one of these kinds. */
const step = (names: ReadonlyArray<string>): fc.Arbitrary<Step> =>
  fc.oneof(
    ...names
      .flatMap((name) => (name in features ? Object.keys(features[name as Name].kinds) : [name]))
      .map((name) => {
        const { weight, fields } = kinds[name]!
        const arbitrary = fc.record({ by: pick, do: fc.constant(name), ...fields })
        return { weight, arbitrary: arbitrary as unknown as fc.Arbitrary<Step> }
      })
  )

const spaces: ReadonlyArray<Step> = [
  { by: 0, do: "createSpace", organization: 0, into: 0 },
  { by: 1, do: "createCollection", organization: 1, into: 0 },
  { by: 1, do: "createSpace", organization: 1, into: 1 }
]
const nested: ReadonlyArray<Step> = [
  { by: 0, do: "createCollection", organization: 0, into: 0 },
  { by: 0, do: "createCollection", organization: 0, into: 0 },
  { by: 0, do: "createCollection", organization: 0, into: 3 },
  { by: 0, do: "createSpace", organization: 0, into: 1 },
  { by: 0, do: "createSpace", organization: 0, into: 2 },
  { by: 0, do: "level", item: 0, level: null },
  { by: 0, do: "level", item: 1, level: "comment" },
  { by: 0, do: "share", item: 1, to: 2, team: false, role: "review" }
]
const pages: ReadonlyArray<Step> = [
  ...spaces,
  { by: 1, do: "edit", of: 0, changes: [{ operation: "insert_page", page: 1, into: "stay", body: "stoat" }] },
  { by: 1, do: "propose", space: 0, subject: "Reword" }
]
const threads: ReadonlyArray<Step> = [
  ...pages,
  { by: 1, do: "post", subject: 0, page: 1, text: "Is this so?" },
  { by: 1, do: "post", subject: 1, page: 0, text: "It is *so*." },
  { by: 1, do: "reply", thread: 1, text: "Is this so?" }
]
const published: ReadonlyArray<Step> = [
  { by: 0, do: "createCollection", organization: 0, into: 0 },
  { by: 0, do: "createSpace", organization: 0, into: 1 },
  { by: 0, do: "createSpace", organization: 0, into: 1 },
  { by: 0, do: "createSpace", organization: 0, into: 0 },
  { by: 1, do: "createSpace", organization: 0, into: 0 },
  { by: 0, do: "createSite", organization: 0, visibility: "public", spaces: [1, 2] },
  { by: 0, do: "addSection", site: 1, space: 3 },
  { by: 0, do: "publish", site: 1, published: true }
]
const shared: ReadonlyArray<Step> = [
  { by: 0, do: "createSite", organization: 0, visibility: "share-link", spaces: "new" },
  { by: 0, do: "createLink", site: 1 },
  { by: 0, do: "publish", site: 1, published: true },
  { by: 0, do: "updateLink", site: 1, link: 1, active: false }
]
const installed: ReadonlyArray<Step> = [
  ...spaces,
  { by: 0, do: "publishIntegration", organization: 0, integration: 1, isPrivate: false },
  { by: 0, do: "install", organization: 0, integration: 1 },
  { by: 1, do: "install", organization: 1, integration: 1 }
]
/** What happens to spaces and to people that others refer to. */
const upheaval = [
  "duplicate",
  "work",

  "remove",
  "restore",
  "transfer",
  "transfer",
  "expire",
  "purge",
  "member",
  "dismiss",
  "share",
  "level"
]

const links = ["createLink", "updateLink", "removeLink"]

interface Theme {
  readonly weight: number
  /** What most of its stories begin with, or with some of it. */
  readonly beginning: ReadonlyArray<Step>
  /** Its features and kinds of steps; those that are named twice come up twice as often. */
  readonly names: ReadonlyArray<string>
}

/** What stories are about: some go deep into few features, some through all of them. */
const themes: ReadonlyArray<Theme> = [
  { weight: 2, beginning: [], names: ["tree", "people"] },
  {
    weight: 2,
    beginning: nested,
    names: ["move", "move", "level", "share", "remove", "transfer", "createSpace"]
  },
  { weight: 3, beginning: pages, names: ["content", "changeRequests", "lock"] },
  { weight: 2, beginning: threads, names: ["comments"] },
  {
    weight: 2,
    beginning: threads,
    names: ["content", "changeRequests", "comments", "comments", ...upheaval]
  },
  { weight: 2, beginning: published, names: ["sites"] },
  { weight: 1, beginning: shared, names: ["updateSite", "publish", ...links, "visit", "visit", "visit"] },
  { weight: 3, beginning: published, names: ["sites", ...upheaval] },
  { weight: 2, beginning: [], names: ["people", "invites", "translations", "specs", "integrations"] },
  { weight: 1, beginning: installed, names: ["integrations", "remove", "restore", "transfer", "member"] },
  { weight: 4, beginning: [...threads, ...published], names: Object.keys(features) }
]

/** A story of a theme. */
const storyOf = (
  { beginning, names }: Omit<Theme, "weight">,
  length: number
): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc
    .tuple(
      fc.tuple(...beginning.map((one) => fc.option(fc.constant(one), { freq: 8 }))),
      fc.array(step(names), { maxLength: length, size: "max" })
    )
    .map(([first, then]) => [...first.filter((one) => one !== null), ...then])

/** A story: its steps. It is about anything, or about the features that are named. */
export const scenario = (length: number, names?: ReadonlyArray<Name>): fc.Arbitrary<ReadonlyArray<Step>> =>
  names === undefined
    ? fc.oneof(...themes.map((theme) => ({ weight: theme.weight, arbitrary: storyOf(theme, length) })))
    : storyOf({ beginning: spaces, names }, length)

/**
 * How often stories are told, and for how long: a failure is made small until the time of a test is nearly over, and
 * is told then as small as it is.
 */
export const scenarioRuns = (
  count: number
): { readonly numRuns: number; readonly interruptAfterTimeLimit: number } => ({
  ...runs(count),
  interruptAfterTimeLimit: 80_000 * Math.max(1, runsMultiplier)
})
