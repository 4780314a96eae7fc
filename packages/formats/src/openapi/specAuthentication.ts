/** Prints the servers and the authentication of an operation as Markdown. */
import {
  entriesOf,
  isObject,
  type Json,
  type Requirement,
  type Server,
  textOf
} from "@lectern/markdown/openapi"
import { bulletList, inlineCode, join } from "./specMarkdown.ts"

/** Prints a list of servers. */
export const serverList = (servers: ReadonlyArray<Server>): string =>
  bulletList(
    servers.map(
      ({ urls: [url], description }) => inlineCode(url) + (description === "" ? "" : `: ${description}`)
    )
  )

const flowsOf = (scheme: Json): ReadonlyArray<readonly [string, Json]> => {
  const declared = isObject(scheme.flows) ? entriesOf(scheme.flows) : [[textOf(scheme.flow), scheme] as const]
  return declared.filter((entry): entry is readonly [string, Json] => isObject(entry[1]))
}

/** The kind of a security scheme in words. */
const describeScheme = (scheme: Json): string => {
  switch (scheme.type) {
    case "apiKey":
      return `API key in the ${textOf(scheme.in)} parameter ${inlineCode(textOf(scheme.name))}`.replace(
        "header parameter",
        "header"
      )
    case "basic":
      return "HTTP Basic authentication"
    case "http": {
      const format = textOf(scheme.bearerFormat)
      const name = textOf(scheme.scheme).toLowerCase()
      if (name === "bearer") return `Bearer token${format === "" ? "" : ` (${format})`}`
      return name === "basic" ? "HTTP Basic authentication" : `HTTP authentication ${inlineCode(name)}`
    }
    case "oauth2": {
      const flows = flowsOf(scheme).map(([name, flow]) => {
        const urls = [flow.authorizationUrl, flow.tokenUrl].map(textOf).filter((url) => url !== "")
        return `${name}${urls.length === 0 ? "" : ` at ${urls.map(inlineCode).join(", ")}`}`
      })
      return `OAuth 2.0${flows.length === 0 ? "" : `: ${flows.join("; ")}`}`
    }
    case "openIdConnect":
      return `OpenID Connect at ${inlineCode(textOf(scheme.openIdConnectUrl))}`
    case "mutualTLS":
      return "Mutual TLS"
    default:
      return textOf(scheme.type)
  }
}

const describeRequirement = ({ name, scheme, scopes }: Requirement): string => {
  const kind = scheme === undefined ? "" : describeScheme(scheme)
  return [
    `${inlineCode(name)}${kind === "" ? "" : `: ${kind}`}.`,
    textOf(scheme?.description),
    scopes.length === 0 ? "" : `Scopes: ${scopes.map(inlineCode).join(", ")}.`
  ]
    .filter((part) => part !== "")
    .join(" ")
}

/** Prints the authentication of an operation; nothing if it needs none. */
export const describeAuthentication = (requirements: ReadonlyArray<ReadonlyArray<Requirement>>): string => {
  if (requirements.length === 0) return ""
  const alternatives = requirements.map((combined) =>
    combined.length === 0 ? "No authentication" : combined.map(describeRequirement).join(" And ")
  )
  return join(["### Authentication", alternatives.length > 1 ? "One of:" : "", bulletList(alternatives)])
}
