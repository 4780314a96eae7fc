/**
 * Compares the types of both clients: this file does not compile if an operation is missing in one, or takes or returns
 * something else. Each type must be assignable to the other, apart from brands.
 */
import type { PromiseClient } from "@lectern/client"
import type { Operations } from "@lectern/client/fetch"
import type { Brand } from "effect"

type Method = (request: never, ...rest: never) => Promise<unknown>
type RequestOf<M> = M extends (request: infer Request, ...rest: never) => unknown
  ? NonNullable<Request>
  : never
type ResultOf<M extends Method> = Awaited<ReturnType<M>>

/**
 * A type without brands and without forms, which only one client accepts. Documents are equal to each other: their JSON schema,
 * from which types are generated, has fewer conditions on optional fields than the schema that decodes them.
 */
type Plain<T> =
  T extends Brand.Brand<infer _>
    ? Brand.Brand.Unbranded<T>
    : T extends { readonly object: "document" }
      ? "document"
      : T extends FormData
        ? never
        : T extends object
          ? { readonly [Key in keyof T]: Plain<T[Key]> }
          : T

type Accepts<From, To> = [Plain<From>] extends [Plain<To>] ? true : false

type Equal<One, Other> = Accepts<One, Other> extends true ? Accepts<Other, One> : false

type Differences<Full, Small> = {
  [Id in keyof Full]: Id extends keyof Small
    ? Full[Id] extends Method
      ? Small[Id] extends Method
        ? Equal<RequestOf<Full[Id]>, RequestOf<Small[Id]>> extends true
          ? Equal<ResultOf<Full[Id]>, ResultOf<Small[Id]>> extends true
            ? never
            : Id
          : Id
        : Id
      : Id
    : Id
}[keyof Full]

/** The operations that differ between the clients. */
type Different = {
  [Group in keyof PromiseClient]: Group extends keyof Operations
    ? Differences<PromiseClient[Group], Operations[Group]>
    : Group
}[keyof PromiseClient]

/** The OpenAPI document does not restrict the values of claims. */
type Expected = "resolvePublishedContentByUrl"

/** Compiles only if the operations that differ are the expected ones. */
export const differences: { readonly [Id in Different as Id & string]: true } = {
  resolvePublishedContentByUrl: true
} satisfies { readonly [Id in Expected]: true }

/** Compiles only if the groups are the same. */
export const groups: readonly [keyof PromiseClient, keyof Operations] extends readonly [
  infer Full,
  infer Small
]
  ? [Full] extends [Small]
    ? [Small] extends [Full]
      ? true
      : never
    : never
  : never = true
