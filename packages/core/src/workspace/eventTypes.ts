/** The types of the events of a workspace, derived from the declarations of its features. */

import type { AnyFeature, AnyResourceEvents, EventTypeOf, StorageUnavailable } from "@lectern/kernel"
import type { Gone } from "@lectern/model/errors"
import type { Event } from "@lectern/model/events"
import type { WorkspaceEvents } from "./features.ts"

type EventsOf<F extends AnyFeature> = F["events"][number]

/** The declarations of the events of a workspace with these features of the host. */
type Declared<HostFeatures extends ReadonlyArray<AnyFeature>> =
  | WorkspaceEvents
  | EventsOf<HostFeatures[number]>

/** An event of one declaration, with the type of its data. */
type EventOf<Source extends AnyResourceEvents> = Source extends AnyResourceEvents
  ? Omit<Event, "type" | "data"> & {
      /** The type of the event. */
      readonly type: EventTypeOf<Source>
      /** The resource after the change, or before it was deleted. */
      readonly data: Source["data"]["Type"]
    }
  : never

/** An event of a workspace: `type` distinguishes the types of `data`. */
export type WorkspaceEvent<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []> = EventOf<
  Declared<HostFeatures>
>

/** The types of the events of a workspace, as in `space.created`. */
export type WorkspaceEventType<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []> = EventTypeOf<
  Declared<HostFeatures>
>

/** The events of a type. */
export type WorkspaceEventOf<
  Type extends string,
  HostFeatures extends ReadonlyArray<AnyFeature> = readonly []
> =
  WorkspaceEvent<HostFeatures> extends infer E
    ? E extends { readonly type: infer Types }
      ? Type extends Types
        ? Omit<E, "type"> & { readonly type: Type }
        : never
      : never
    : never

/** Options of a subscription. */
export interface SubscribeOptions {
  /** The `cursor` of the last processed event; events that are committed from now on by default. "0" replays all. */
  readonly after?: string
  /** Only events of this organization; all organizations by default. */
  readonly organization?: string
  /** Receives the error that ends the subscription: that of the handler, or of the store. Logged by default. */
  readonly onError?: (error: unknown) => void
}

/** The errors that end a stream of events: its cursor has expired, or the store is unavailable. */
export type EventStreamError = Gone | StorageUnavailable
