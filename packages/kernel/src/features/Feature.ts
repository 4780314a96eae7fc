/**
 * Features, of which a workspace is composed. A feature declares its tables, its services, the checks of the doctor,
 * its background jobs and its event handlers in one place.
 */
import { type Context, Effect, type Layer } from "effect"
import type { Examination, Scan } from "../doctor/Check.ts"
import type { Subscription } from "../events/TransactionEvents.ts"
import type { JobHandler } from "../jobs/Jobs.ts"
import type { Worker } from "../jobs/Worker.ts"
import type { Table } from "../storage/index.ts"
import type { AnyResourceEvents } from "../storage/ResourceEvents.ts"

/** Services by their names in `workspace.as(user)`. */
export type ServiceTags = Readonly<Record<string, Context.Key<unknown, object>>>

/**
 * A feature. Create one with {@link defineFeature}.
 *
 * `Provides` are the services of its layer. `Requires` are the services that its layer requires, and other services
 * that its scans, jobs and subscriptions use.
 */
export interface Feature<
  out Name extends string,
  in Provides,
  out Requires,
  out UserServices extends ServiceTags,
  out Events extends ReadonlyArray<AnyResourceEvents> = ReadonlyArray<AnyResourceEvents>
> {
  /** Names the feature in messages: unique in a workspace. */
  readonly name: Name
  /** The features whose modules this one imports. They form a graph without cycles, which `CONTRIBUTING.md` prints. */
  readonly uses: ReadonlyArray<string>
  /** The tables of the feature. They may reference the tables of any feature. */
  readonly tables: ReadonlyArray<Table.AnyTable>
  /** The resources whose changes are events, which hosts and webhooks receive. */
  readonly events: Events
  /** The services that act for the `CurrentUser`, by their names in `workspace.as(user)`. */
  readonly userServices: UserServices
  /** Provides the services of the feature, to the feature itself and to the features after it. */
  readonly layer: Layer.Layer<Provides, never, Requires>
  /** The checks of rows of any table by the doctor, which also checks declared references without an examination. */
  readonly examinations: ReadonlyArray<Examination>
  /** Scans of the doctor, after the checks of rows. Like jobs and subscriptions, they use `Provides | Requires`. */
  readonly scans: Effect.Effect<ReadonlyArray<Scan>, never, unknown>
  /** The handlers of its background jobs, one for each kind. */
  readonly jobs: Effect.Effect<ReadonlyArray<JobHandler>, never, unknown>
  /** Its background work besides jobs. */
  readonly workers: Effect.Effect<ReadonlyArray<Worker>, never, unknown>
  /** Its handlers of events, which run in the transactions of other features. */
  readonly subscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, unknown>
}

/** Any feature, for code that composes them. */
export type AnyFeature = Feature<string, never, unknown, ServiceTags>

const emptyList = Effect.succeed<ReadonlyArray<never>>([])

/**
 * Declares a feature. Used features, tables, events, examinations, scans, jobs, workers and subscriptions are optional.
 *
 * @example
 * const spacesFeature = defineFeature("spaces", {
 *   tables: [spaces],
 *   userServices: { spaces: Spaces },
 *   layer: Spaces.layer,
 *   examinations: spaceExaminations
 * })
 */
export const defineFeature = <
  const Name extends string,
  Provides,
  Requires,
  const UserServices extends ServiceTags,
  ScanUses = never,
  JobUses = never,
  SubscriptionUses = never,
  WorkerUses = never,
  const Events extends ReadonlyArray<AnyResourceEvents> = readonly []
>(
  name: Name,
  options: {
    readonly uses?: ReadonlyArray<string>
    readonly tables?: ReadonlyArray<Table.AnyTable>
    readonly events?: Events
    readonly userServices: UserServices
    readonly layer: Layer.Layer<Provides, never, Requires>
    readonly examinations?: ReadonlyArray<Examination>
    readonly scans?: Effect.Effect<ReadonlyArray<Scan>, never, ScanUses>
    readonly jobs?: Effect.Effect<ReadonlyArray<JobHandler>, never, JobUses>
    readonly workers?: Effect.Effect<ReadonlyArray<Worker>, never, WorkerUses>
    readonly subscriptions?: Effect.Effect<ReadonlyArray<Subscription>, never, SubscriptionUses>
  }
): Feature<
  Name,
  Provides,
  Requires | Exclude<ScanUses | JobUses | WorkerUses | SubscriptionUses, Provides>,
  UserServices,
  Events
> => ({
  name,
  uses: options.uses ?? [],
  tables: options.tables ?? [],
  // An omitted list is the default of `Events`.
  events: options.events ?? ([] as ReadonlyArray<AnyResourceEvents> as Events),
  userServices: options.userServices,
  layer: options.layer,
  examinations: options.examinations ?? [],
  scans: options.scans ?? emptyList,
  jobs: options.jobs ?? emptyList,
  workers: options.workers ?? emptyList,
  subscriptions: options.subscriptions ?? emptyList
})

/** The services that features provide. */
export type ProvidedBy<F extends AnyFeature> = F extends {
  readonly layer: Layer.Layer<infer Provides, never, unknown>
}
  ? Provides
  : never

/** The services that a feature requires from the features before it. */
export type RequiredBy<F extends AnyFeature> =
  F extends Feature<string, never, infer Requires, ServiceTags> ? Requires : never

/**
 * The type of `Features`, if `Provided` and the features before each feature provide the services that it requires.
 * Otherwise the element is a type that names the feature and the missing services, so that the list does not compile.
 */
export type InOrder<Features extends ReadonlyArray<AnyFeature>, Provided> = number extends Features["length"]
  ? { readonly "The features must be listed in a tuple": never }
  : Checked<Features, Provided>

type Checked<Features extends ReadonlyArray<AnyFeature>, Provided> = Features extends readonly [
  infer First extends AnyFeature,
  ...infer Rest extends ReadonlyArray<AnyFeature>
]
  ? readonly [
      [Exclude<RequiredBy<First>, Provided>] extends [never]
        ? First
        : {
            readonly [K in `The feature ${First["name"]} requires services that no feature before it provides`]: Exclude<
              RequiredBy<First>,
              Provided
            >
          },
      ...Checked<Rest, Provided | ProvidedBy<First>>
    ]
  : Features

type NameIn<Tags> = Tags extends unknown ? keyof Tags & string : never
type TagIn<Tags, K extends string> = Tags extends Readonly<Record<K, infer Tag>> ? Tag : never

/** The tags of the services of features that act for a user, by their names. */
export type UserServiceTags<Features extends ReadonlyArray<AnyFeature>> = {
  readonly [K in NameIn<Features[number]["userServices"]>]: TagIn<Features[number]["userServices"], K>
}

/** The tags of the services of features that act for a user, by their names. */
export const userServiceTagsOf = <const Features extends ReadonlyArray<AnyFeature>>(
  features: Features
  // Not `UserServiceTags`: its declaration would list everything that each feature provides and requires.
): { readonly [K in NameIn<Features[number]["userServices"]>]: TagIn<Features[number]["userServices"], K> } =>
  Object.assign({}, ...features.map((feature) => feature.userServices))
