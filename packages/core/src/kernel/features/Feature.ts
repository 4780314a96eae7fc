/**
 * Features, of which a workspace is composed. A feature declares, in one place, everything that a workspace takes from
 * it: its tables, its services, its examinations by the doctor, its background jobs, and its reactions to other features.
 */
import { type Context, Effect, type Layer } from "effect"
import type { Examination, Scan } from "../doctor/Check.ts"
import type { Subscription } from "../events/TransactionEvents.ts"
import type { JobHandler } from "../jobs/Jobs.ts"
import type { Table } from "../storage/index.ts"

/** Services by the names that hosts call them by. */
export type ServiceTags = Readonly<Record<string, Context.Key<unknown, object>>>

/**
 * A feature. Make one with {@link defineFeature}.
 *
 * `Provides` are the services of its layer. `Requires` are the services that its layer requires, and other services that
 * its scans, jobs and subscriptions use.
 */
export interface Feature<
  out Name extends string,
  in Provides,
  out Requires,
  out UserServices extends ServiceTags
> {
  /** Names the feature in messages: unique in a workspace. */
  readonly name: Name
  /** The tables of the feature. They may reference the tables of any feature. */
  readonly tables: ReadonlyArray<Table.AnyTable>
  /** The services that act for the `CurrentUser`, by their names in `workspace.as(user)`. */
  readonly userServices: UserServices
  /** Provides the services of the feature, to the feature itself and to the features after it. */
  readonly layer: Layer.Layer<Provides, never, Requires>
  /** The examinations of rows, of any table. Declared references need none: the doctor always checks them. */
  readonly examinations: ReadonlyArray<Examination>
  /** Further passes of the doctor, after those over the tables. What these three use is among `Provides | Requires`. */
  readonly scans: Effect.Effect<ReadonlyArray<Scan>, never, unknown>
  /** How its background jobs are done, one handler for each kind. */
  readonly jobs: Effect.Effect<ReadonlyArray<JobHandler>, never, unknown>
  /** Its handlers of events, which run in the transactions of other features. */
  readonly subscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, unknown>
}

/** Any feature, for code that composes them. */
export type AnyFeature = Feature<string, never, unknown, ServiceTags>

const nothing = Effect.succeed<ReadonlyArray<never>>([])

/**
 * Declares a feature. Tables, examinations, scans, jobs and subscriptions are optional.
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
  SubscriptionUses = never
>(
  name: Name,
  options: {
    readonly tables?: ReadonlyArray<Table.AnyTable>
    readonly userServices: UserServices
    readonly layer: Layer.Layer<Provides, never, Requires>
    readonly examinations?: ReadonlyArray<Examination>
    readonly scans?: Effect.Effect<ReadonlyArray<Scan>, never, ScanUses>
    readonly jobs?: Effect.Effect<ReadonlyArray<JobHandler>, never, JobUses>
    readonly subscriptions?: Effect.Effect<ReadonlyArray<Subscription>, never, SubscriptionUses>
  }
): Feature<
  Name,
  Provides,
  Requires | Exclude<ScanUses | JobUses | SubscriptionUses, Provides>,
  UserServices
> => ({
  name,
  tables: options.tables ?? [],
  userServices: options.userServices,
  layer: options.layer,
  examinations: options.examinations ?? [],
  scans: options.scans ?? nothing,
  jobs: options.jobs ?? nothing,
  subscriptions: options.subscriptions ?? nothing
})

/** The services that features provide. */
export type ProvidedBy<F extends AnyFeature> = F extends {
  readonly layer: Layer.Layer<infer Provides, never, unknown>
}
  ? Provides
  : never

/** The services that a feature requires of those before it. */
export type RequiredBy<F extends AnyFeature> =
  F extends Feature<string, never, infer Requires, ServiceTags> ? Requires : never

/**
 * The features, if each finds the services that it requires among `Provided` and the services of the features before
 * it. An element that does not becomes a type that names the feature and the services, so that a list of features in a
 * wrong order does not compile.
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
  // Written out, as declarations that name `UserServiceTags` would list all that each feature provides and requires.
): { readonly [K in NameIn<Features[number]["userServices"]>]: TagIn<Features[number]["userServices"], K> } =>
  Object.assign({}, ...features.map((feature) => feature.userServices))
