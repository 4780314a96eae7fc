/** The services that act for a user, by the names that hosts use: the types of the Promise facade. */

import type { AnyFeature, ServiceTags, UserServiceTags } from "@lectern/kernel"
import type { Context } from "effect"
import type { userServices } from "./features.ts"
import type { Promised } from "./promised.ts"

type WorkspaceTags = typeof userServices

/** The services that act for a user. */
export type UserServices = WorkspaceTags[keyof WorkspaceTags]["Identifier"]

type PromisedServices<Tags extends ServiceTags> = {
  readonly [K in keyof Tags]: Promised<Context.Service.Shape<Tags[K]>>
}

/** The services of a workspace on behalf of one user, with promises. */
export interface PromisedUserServices extends PromisedServices<WorkspaceTags> {}

/** The services of a workspace on behalf of one user, including the services of the host's features. */
export type UserServicesWith<HostFeatures extends ReadonlyArray<AnyFeature>> = PromisedUserServices &
  PromisedServices<UserServiceTags<HostFeatures>>
