/**
 * Derives the parameters of operations from the requests of endpoints. Each parameter of a path has the name of its resource and `Id`;
 * `input` has the fields of the body and of the query.
 */
import type { DecodedRequest } from "./Handlers.ts"

/** The parameters of paths whose names differ from the parameters of operations by more than `Id`. */
const specialNames = {
  commentReplyId: "reply",
  emailDomain: "domain",
  importRunId: "run",
  integrationName: "integration",
  pagePath: "path",
  samlProviderId: "provider",
  siteRedirectId: "redirect",
  siteSectionGroupId: "sectionGroup",
  siteSectionId: "section",
  specSlug: "slug",
  translationSettingsId: "translation"
} as const

type NameOf<Parameter> = Parameter extends keyof typeof specialNames
  ? (typeof specialNames)[Parameter]
  : Parameter extends `${infer Name}Id`
    ? Name
    : Parameter

const nameOf = (parameter: string): string =>
  Object.hasOwn(specialNames, parameter)
    ? specialNames[parameter as keyof typeof specialNames]
    : parameter.endsWith("Id")
      ? parameter.slice(0, -"Id".length)
      : parameter

type PathOf<Request> = Request extends { readonly params: infer Params }
  ? { readonly [Parameter in keyof Params as NameOf<Parameter>]: Params[Parameter] }
  : object

type InputOf<Request> = Request extends { readonly query: infer Query; readonly payload: infer Payload }
  ? { readonly input: Query & Payload }
  : Request extends { readonly query: infer Query }
    ? { readonly input: Query }
    : Request extends { readonly payload: infer Payload }
      ? { readonly input: Payload }
      : object

/** A parameter of operations, such as `content`, that several parameters of the path identify together. */
export interface Target<out Name extends string = string, out Member extends string = string> {
  readonly name: Name
  readonly members: ReadonlyArray<Member>
}

/** The content of a space, of a change request or of a revision, and who can read a space or a collection. */
export const contentTarget = {
  name: "content",
  members: ["space", "collection", "changeRequest", "revision"]
} as const satisfies Target

/** A site, with the users and teams that have a role on it. */
export const siteTarget = {
  name: "content",
  members: ["organization", "site"]
} as const satisfies Target

/** The content that comments are on. */
export const commentTarget = {
  name: "target",
  members: ["space", "changeRequest"]
} as const satisfies Target

type Grouped<Path, Group> =
  Group extends Target<infer Name, infer Member>
    ? Omit<Path, Member> & { readonly [Key in Name]: Pick<Path, Extract<keyof Path, Member>> }
    : Path

/** The parameters of an operation that a request of an endpoint contains. */
export type ParametersOf<Request, Group> = Grouped<PathOf<Request>, Group> & InputOf<Request>

/** Derives the parameters of an operation from a request. */
type ToParameters = (request: DecodedRequest) => Record<string, unknown>

/**
 * Creates the function that derives parameters from the requests of an endpoint with this path. A request that is only authorized has
 * neither a body nor a query.
 */
export const makeParametersOf = (path: string, target: Target | undefined): ToParameters => {
  const parts = Array.from(path.matchAll(/:(\w+)/g), ([, parameter = ""]) => {
    const name = nameOf(parameter)
    return { parameter, name, isMember: target?.members.includes(name) === true }
  })
  const groupName = parts.some(({ isMember }) => isMember) ? target?.name : undefined
  return ({ params, query, payload }) => {
    const ids = params as Readonly<Record<string, unknown>>
    const parameters: Record<string, unknown> = {}
    const group: Record<string, unknown> = {}
    for (const { parameter, name, isMember } of parts) {
      const owner = isMember ? group : parameters
      owner[name] = ids[parameter]
    }
    if (groupName !== undefined) parameters[groupName] = group
    parameters.input =
      query === undefined || payload === undefined
        ? (payload ?? query)
        : { ...(payload as object), ...(query as object) }
    return parameters
  }
}
