/** The paths of questions and their answers, below the URL of the workspace. */

/** Whether answers are available: `GET /v1/ask`. */
export const availabilityPath = "/v1/ask"

/** The meaning of a path. */
export type AnswerPath =
  | { readonly kind: "availability" }
  | { readonly kind: "answer" | "questions"; readonly isStreamed: boolean; readonly of: PathTarget }

/** The content that a path names. */
export type PathTarget =
  | { readonly kind: "organization"; readonly organization: string }
  | { readonly kind: "space"; readonly space: string }
  | { readonly kind: "site"; readonly organization: string; readonly site: string }

const pattern =
  /^\/v1\/(?:spaces\/(?<space>[^/]+)|orgs\/(?<organization>[^/]+)(?:\/sites\/(?<site>[^/]+))?)\/ask(?<questions>\/questions)?(?<stream>\/stream)?$/

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const targetOf = (groups: Readonly<Record<string, string | undefined>>): PathTarget => {
  const { space, organization = "", site } = groups
  if (space !== undefined) return { kind: "space", space: decode(space) }
  return site === undefined
    ? { kind: "organization", organization: decode(organization) }
    : { kind: "site", organization: decode(organization), site: decode(site) }
}

/**
 * Returns the meaning of a path; undefined for a path that is not one of a question. Everything about a site is streamed, as the public contract has it; about
 * an organization or a space, below `/stream`.
 */
export const answerPathOf = (path: string): AnswerPath | undefined => {
  if (path === availabilityPath) return { kind: "availability" }
  const groups = pattern.exec(path)?.groups
  if (groups === undefined) return undefined
  const of = targetOf(groups)
  const hasSuffix = groups.stream !== undefined
  if (of.kind === "site" && hasSuffix) return undefined
  return {
    kind: groups.questions === undefined ? "answer" : "questions",
    isStreamed: of.kind === "site" || hasSuffix,
    of
  }
}

/** Whether a URL is one of a question, whose response takes as long as the model does. */
export const isAnswerUrl = (url: string): boolean => answerPathOf(url.split("?", 1)[0]!) !== undefined

/** A path of the runs of a translation. */
export interface TranslationPath {
  readonly organization: string
  readonly translation: string
  readonly isCancellation: boolean
}

const translationPattern =
  /^\/v1\/orgs\/(?<organization>[^/]+)\/translations\/(?<translation>[^/]+)\/run(?<cancel>\/cancel)?$/

/** Returns the translation whose runs a path names; undefined for another path. */
export const translationPathOf = (path: string): TranslationPath | undefined => {
  const groups = translationPattern.exec(path)?.groups
  if (groups === undefined) return undefined
  return {
    organization: decode(groups.organization ?? ""),
    translation: decode(groups.translation ?? ""),
    isCancellation: groups.cancel !== undefined
  }
}
