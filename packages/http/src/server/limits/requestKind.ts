/** Distinguishes requests by the time that they may take. */
import { downloadsPath, exportsPath, pdfsPath } from "@lectern/core"
import { isAnswerUrl } from "../../answers/answerPaths.ts"
import type { ApiRequest } from "../messages/Message.ts"

/** The kind of a request: each kind has a deadline of its own. */
export type RequestKind = "health" | "default" | "download" | "import"

/** Monitoring must also respond when the server is overloaded. */
const healthPaths = new Set(["/healthz", "/readyz", "/metrics"])
const importPath = /^\/v1\/[^?]*\/import\/?(?:\?|$)/

const auditExportPath = /^\/v1\/orgs\/[^/?]+\/audit-log\/export(?:\?|$)/

/** Whether a URL is that of a question on a page of a site. */
const isReaderQuestion = (url: string): boolean => url.split("?", 1)[0]!.endsWith("/~/ask")

/** Returns the kind of a request. */
export const requestKindOf = ({ method, url }: ApiRequest): RequestKind => {
  if (url.length < 16 && healthPaths.has(url.split("?", 1)[0]!)) return "health"
  if ([downloadsPath, pdfsPath, exportsPath].some((path) => url.startsWith(path))) return "download"
  if (auditExportPath.test(url)) return "download"
  // A language model takes longer than the database does.
  if (isAnswerUrl(url) || isReaderQuestion(url)) return "download"
  return method === "POST" && importPath.test(url) ? "import" : "default"
}
