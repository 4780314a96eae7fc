/** The types of the client for programs without Effect. */

import type { Api, FeatureApi } from "@lectern/model/api"
import type * as Brand from "effect/Brand"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { CallOptions } from "./CallOptions.ts"
import type { Operations } from "./fetch/operations.gen.ts"

/** A type without brands: ids are taken as plain strings. */
type Unbranded<T> =
  T extends Brand.Brand<infer _>
    ? Brand.Brand.Unbranded<T>
    : T extends object
      ? { readonly [Key in keyof T]: Unbranded<T[Key]> }
      : T

/** A part of a request, optional where each of its fields is. */
type RequestPart<Key extends string, Type> = [Type] extends [never]
  ? unknown
  : Record<never, never> extends Type
    ? { readonly [K in Key]?: Unbranded<Type> }
    : { readonly [K in Key]: Unbranded<Type> }

/** The same type with its properties in hovers and errors, instead of the names of the types that it is derived from. */
type Expanded<T> = T extends infer Type ? { readonly [Key in keyof Type]: Type[Key] } : never

/** The request of an operation: its path parameters, query and body. */
type RequestOf<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Expanded<
  RequestPart<"params", Endpoint["~Params"]["Type"]> &
    RequestPart<"query", Endpoint["~Query"]["Type"]> &
    RequestPart<"payload", Endpoint["~Payload"]["Type"]>
>

/** An operation as a function that returns a promise. */
type Method<Endpoint extends HttpApiEndpoint.ConstraintRequest> =
  Record<never, never> extends RequestOf<Endpoint>
    ? (
        request?: RequestOf<Endpoint>,
        options?: CallOptions
      ) => Promise<HttpApiClient.SuccessType<Endpoint["~Success"]>>
    : (
        request: RequestOf<Endpoint>,
        options?: CallOptions
      ) => Promise<HttpApiClient.SuccessType<Endpoint["~Success"]>>

type GroupsOf<A> = A extends HttpApi.HttpApi<infer _, infer Groups> ? Groups : never

type Methods<Endpoints> = {
  readonly [Id in keyof Endpoints]: Endpoints[Id] extends HttpApiEndpoint.ConstraintRequest
    ? Method<Endpoints[Id]>
    : never
}

type MethodsByGroup<Groups extends HttpApiGroup.Constraint> = {
  readonly [Group in Groups as HttpApiGroup.Identifier<Group>]: Methods<Group["endpoints"]>
}

/** The same methods with the doc comments of a generated interface, from which a mapped type over its keys takes them. */
type Documented<Methods, Source> = {
  readonly [Id in keyof Source]: Id extends keyof Methods ? Methods[Id] : never
}

type ApiMethods = MethodsByGroup<GroupsOf<typeof Api>>

type DocumentedMethods = {
  readonly [Group in keyof ApiMethods]: Group extends keyof Operations
    ? [keyof ApiMethods[Group]] extends [keyof Operations[Group]]
      ? Documented<ApiMethods[Group], Operations[Group]>
      : ApiMethods[Group]
    : ApiMethods[Group]
}

/** The operations of the API by group and id, as functions that return promises. */
export interface PromiseClient extends DocumentedMethods {}

/** The operations of the API and of a host's features by group and id, as functions that return promises. */
export type PromiseClientWith<Features extends ReadonlyArray<FeatureApi>> = PromiseClient &
  MethodsByGroup<Features[number]>
