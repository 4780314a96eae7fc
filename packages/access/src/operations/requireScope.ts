/** Enforces the scopes of API tokens: the operations that a token is limited to. */

import { operationsOfScopes } from "@lectern/kernel/tables"
import { Forbidden, NotFound } from "@lectern/model/errors"
import { Context, Effect } from "effect"
import { anonymousVisitor, CurrentUser, type TokenIdentity } from "../CurrentUser.ts"
import { admitsAnonymous } from "./Authorization.ts"
import { declaredByEndpoints } from "./endpointErrors.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

const forbidden = (message: string) => new Forbidden({ reason: "ScopeTooNarrow", message })

/** Returns the property with a name of a parameter, such as `content`, that is an object. */
const idIn = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Whether the parameters name a space, as `space` or in another parameter such as `content`. */
const namesSpace = (parameters: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(parameters).some(
    ([name, value]) => name !== "input" && (name === "space" ? value : idIn(value, "space")) !== undefined
  )

/**
 * Returns the permissions that a token requires for an operation; undefined for operations without an action of the policy.
 * They include the actions that only some inputs require. Of actions such as
 * `space.share or collection.share`, it is the one on the resource that the parameters name.
 */
const requiredPermissions = (
  { rule }: OperationDefinition,
  parameters: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
  if (rule.kind !== "policy") return undefined
  const names = rule.action.match(/\w+(?:\.\w+)+/g) ?? []
  const ofAction = rule.action.includes(" or ")
    ? names.filter((name) => {
        const [noun] = name.split(".")
        const isAlternative = noun === "space" || noun === "collection" || noun === "site"
        return !isAlternative || idIn(parameters.content, noun) !== undefined
      })
    : names
  return [...ofAction, ...(rule.byInput ?? [])]
}

/**
 * The operations without an action of the policy that a token with permissions can call: it learns whose it is and which organizations it
 * opens. All others are on the account of the user: their tokens, sessions, passkeys, invitations and data.
 */
const ofEveryToken: ReadonlyArray<string> = [
  "Users.getCurrent",
  "Users.get",
  "Organizations.list",
  "Embeds.getByUrl"
]

/** Whether an action only reads. A command that requires no other one changes what belongs to the user, such as favorites. */
const isReading = (permission: string): boolean => /\.(?:view|read|list)$/.test(permission)

/** Returns the error of an operation that the permissions of a token do not cover; undefined for one that they cover. */
const permissionError = (
  definition: OperationDefinition,
  parameters: Readonly<Record<string, unknown>>,
  permissions: ReadonlyArray<string>
): Forbidden | undefined => {
  const { name, kind, rule } = definition
  const required = requiredPermissions(definition, parameters)
  const missing = required?.find((permission) => !permissions.includes(permission))
  if (missing !== undefined) {
    return forbidden(`The API token does not have the permission \`${missing}\`. Use a token that has it.`)
  }
  const isOfAccount =
    required === undefined
      ? rule.kind === "signedIn" && !ofEveryToken.includes(name)
      : kind === "command" && required.every(isReading)
  return isOfAccount
    ? forbidden(
        "The API token is limited to permissions, which do not include operations on the account of its user. Use a token without permissions, or a session."
      )
    : undefined
}

/** Returns the error of an operation that is outside of the scopes of a token; undefined for one within them. */
const scopeError = (
  definition: OperationDefinition,
  parameters: Readonly<Record<string, unknown>>,
  { readOnly, permissions, site, installation }: TokenIdentity
): Forbidden | undefined => {
  const { kind, rule } = definition
  if (installation !== undefined) {
    return rule.kind === "visitor" || operationsOfScopes(permissions ?? []).includes(definition.name)
      ? undefined
      : forbidden("The scopes of the integration do not include this operation.")
  }
  if (readOnly && kind === "command") {
    return forbidden("The API token is limited to reading. Use a token that is not read-only.")
  }
  const error = permissions === undefined ? undefined : permissionError(definition, parameters, permissions)
  if (error !== undefined) return error
  if (site === undefined || rule.kind === "visitor" || definition.parameters.length === 0) return undefined
  // `Access` admits only the spaces that are on the site.
  const named = parameters.site ?? idIn(parameters.content, "site")
  return named === site || (named === undefined && namesSpace(parameters))
    ? undefined
    : forbidden("The API token is limited to one site, and this operation acts on another resource.")
}

/**
 * Wraps the authorization of an operation. If the operation is outside of the scopes of the caller's token, it fails with
 * `Forbidden` before it loads anything; an operation for everyone treats the caller like a client without a token.
 */
export const withinScope =
  <Target extends object, A, E, R>(
    definition: OperationDefinition,
    check: (target: Target) => Effect.Effect<A, E, R>
  ) =>
  (target: Target): Effect.Effect<A, E, R> =>
    definition.rule.kind === "operator"
      ? check(target)
      : Effect.withFiber((fiber) => {
          const token = Context.getOrUndefined(fiber.context, CurrentUser)?.token
          const error =
            token === undefined
              ? undefined
              : scopeError(definition, target as Readonly<Record<string, unknown>>, token)
          if (error === undefined) return check(target)
          const rejected = declaredByEndpoints<never, never, never>(Effect.fail(error))
          return admitsAnonymous(definition.rule)
            ? Effect.catch(Effect.provideService(check(target), CurrentUser, anonymousVisitor), (failure) =>
                failure instanceof NotFound ? rejected : Effect.fail(failure)
              )
            : rejected
        })
