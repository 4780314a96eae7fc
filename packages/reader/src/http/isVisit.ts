/** Distinguishes people who open a page from programs. */
import { isbot } from "isbot"
import type { ReaderRequest } from "./messages.ts"

/**
 * Whether a request is that of a person who opens a page in a browser. Pages that a browser loads in advance or displays in a frame, such
 * as in the settings of the site, are not counted.
 */
export const isVisit = ({ method, header }: Pick<ReaderRequest, "method" | "header">): boolean =>
  method === "GET" &&
  isPerson({ header }) &&
  header("sec-purpose") === undefined &&
  header("sec-fetch-dest") !== "iframe"

/** Whether the program that has sent a request is a browser. */
export const isPerson = ({ header }: Pick<ReaderRequest, "header">): boolean => {
  const agent = header("user-agent") ?? ""
  return agent !== "" && !isbot(agent)
}
