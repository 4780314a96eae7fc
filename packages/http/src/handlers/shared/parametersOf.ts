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

const groupBy = (parameters: Record<string, unknown>, { name, members }: Target): Record<string, unknown> => {
  const others = Object.entries(parameters).filter(([key]) => !members.includes(key))
  const grouped = Object.entries(parameters).filter(([key]) => members.includes(key))
  if (grouped.length === 0) return parameters
  return { ...Object.fromEntries(others), [name]: Object.fromEntries(grouped) }
}

/** Returns the parameters of an operation. A request that is only authorized has neither a body nor a query. */
export const parametersOf = (
  { params, query, payload }: DecodedRequest,
  target: Target | undefined
): Record<string, unknown> => {
  const path = Object.fromEntries(Object.entries(params ?? {}).map(([key, value]) => [nameOf(key), value]))
  const parameters = target === undefined ? path : groupBy(path, target)
  if (query === undefined || payload === undefined) return { ...parameters, input: payload ?? query }
  return { ...parameters, input: { ...(payload as object), ...(query as object) } }
}
