/** A browser for tests: it stores the cookies of one host, and marks its requests as browsers do. */
import { SignIns } from "@lectern/core"
import { Clock, Effect, Redacted } from "effect"
import type { TestServer } from "../support.ts"

/** Where a browser sends a request from: a page of the server, the address bar, or a page of another website. */
export type RequestSource = "same-origin" | "none" | "same-site" | "cross-site"

/** A response whose body was read. */
export interface PageResult {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The path that a redirect leads to, with its query; undefined without one. */
  readonly location: string | undefined
}

/** A browser with the cookies of a server. */
export interface TestBrowser {
  /** Requests a path, with cookies and without following redirects. The request comes from a page of the server by default. */
  readonly request: (
    path: string,
    init?: RequestInit & { readonly from?: RequestSource; readonly form?: Readonly<Record<string, string>> }
  ) => Promise<PageResult>
  /** The cookies by name. */
  readonly cookies: Map<string, string>
}

/** Opens a browser. */
export const openBrowser = (server: Pick<TestServer, "url">): TestBrowser => {
  const cookies = new Map<string, string>()
  return {
    cookies,
    request: async (path, { from = "same-origin", form, ...init } = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(new URL(path, server.url), {
        ...init,
        ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
        redirect: "manual",
        headers: {
          accept: "text/html,application/json;q=0.9",
          "sec-fetch-site": from,
          ...(cookie === "" ? {} : { cookie }),
          ...(init.headers as Record<string, string> | undefined)
        }
      })
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
        if (set.includes("Max-Age=0")) cookies.delete(name!)
        else cookies.set(name!, value!)
      }
      const found = response.headers.get("location")
      const target = found === null ? undefined : new URL(found, new URL(path, server.url))
      return {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        location:
          target === undefined
            ? undefined
            : target.origin === server.url
              ? target.pathname + target.search
              : target.href
      }
    }
  }
}

/** The parts of a server that a sign-in needs. */
export interface SignInServer extends Pick<TestServer, "url"> {
  readonly core: Pick<TestServer["core"], "clock"> & {
    readonly runtime: {
      readonly runPromise: <A, E>(effect: Effect.Effect<A, E, SignIns>) => Promise<A>
    }
  }
}

/** Creates a sign-in link of the operator, and returns its path. */
export const signInPathOf = async ({ core }: Pick<SignInServer, "core">, email: string): Promise<string> => {
  const create = Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email } }))
  const link = await core.runtime.runPromise(Effect.provideService(create, Clock.Clock, core.clock))
  return `/~/sign-in/${Redacted.value(link.secret)}`
}

/** Opens a browser in which a user has signed in. */
export const signedInBrowser = async (server: SignInServer, email: string): Promise<TestBrowser> => {
  const browser = openBrowser(server)
  const response = await browser.request(await signInPathOf(server, email), { method: "POST" })
  if (response.status !== 303) throw new Error(`The sign-in failed: ${response.text}`)
  return browser
}
