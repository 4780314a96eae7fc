/** A running server of the API, for scenarios: its users call it over HTTP, on its own clock. */
import type { RoleOrGuest } from "@lectern/core"
import { Clock, Effect } from "effect"
import type { Actors } from "../state/Actors.ts"
import type { WorkspaceModel } from "../state/WorkspaceModel.ts"
import { type HttpCall, toOutcome, toRequest } from "./HttpCalls.ts"
import { removeEverything } from "./removeEverything.ts"
import type { Call, Outcome, WorkspaceApi } from "./WorkspaceApi.ts"

/** A running server, and how to get accounts on it. */
export interface TestedServer {
  /** The base URL of the API, without `/v1` and without a trailing slash. */
  readonly url: string
  /**
   * An API token of a user who administers exactly one organization. The scenarios then have one user, and **delete all content and
   * settings of this organization**. Or a function that returns a new API token of the user with an e-mail address, and creates the
   * user if it does not exist: then each scenario has five users in two organizations of its own.
   */
  readonly token: string | ((email: string) => Promise<string>)
  /**
   * Creates an organization. `administrator` is the e-mail address of its administrator, who has a token. Returns its id. Required
   * if `token` is a function.
   */
  readonly createOrganization?: (title: string, administrator: string) => Promise<string>
  /** Runs pending background jobs. Omit it if the server runs them itself. */
  readonly runJobs?: () => Promise<unknown>
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** How often a request that the server limits is repeated. */
const maximumRepetitions = 20

/** How long to wait before a repetition at most, in milliseconds. */
const maximumWaitMs = 10_000

/** Sends a request. After a response with the status 429, it waits for the time in the response, and repeats the request. */
const makeSend = (server: TestedServer) => {
  const send = server.fetch ?? ((request: Request) => fetch(request))
  return async (request: Request): Promise<Response> => {
    for (let repetition = 0; ; repetition++) {
      const response = await send(request.clone())
      if (response.status !== 429 || repetition === maximumRepetitions) return response
      await response.arrayBuffer()
      const seconds = Number(response.headers.get("retry-after") ?? 1)
      const waitMs = Math.min(Number.isFinite(seconds) ? seconds * 1_000 : 1_000, maximumWaitMs)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

/** The users of the scenarios on a server, with their tokens. */
const makeUsers = (server: TestedServer) => {
  const { url } = server
  const send = makeSend(server)
  const tokens = new Map<string, string>()

  const sendAs = (token: string, { method, path, body }: HttpCall): Promise<Response> =>
    send(
      new Request(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )

  /** Sends a request that prepares a scenario. Rejects if it fails. */
  const require = async <A>(token: string, request: HttpCall): Promise<A> => {
    const response = await sendAs(token, request)
    const text = await response.text()
    if (!response.ok) {
      throw new Error(
        `${request.method} ${request.path} returned ${response.status}, and a scenario cannot be prepared: ${text}`
      )
    }
    return (text === "" ? undefined : JSON.parse(text)) as A
  }

  const add = async (token: string): Promise<string> => {
    const { id } = await require<{ readonly id: string }>(token, { method: "GET", path: "/v1/user" })
    tokens.set(id, token)
    return id
  }

  return {
    add,
    require: <A>(user: string, request: HttpCall) => require<A>(tokens.get(user)!, request),
    call: async (user: string, call: Call): Promise<Outcome> =>
      toOutcome(await sendAs(tokens.get(user)!, toRequest(call))),
    /** Sends a file. The origin of the URL can be another one than that at which the tests reach the server. */
    sendFile: async (address: string, bytes: Uint8Array): Promise<Outcome> => {
      const { pathname, search } = new URL(address)
      const body = new Uint8Array(bytes)
      return toOutcome(
        await send(new Request(`${new URL(url).origin}${pathname}${search}`, { method: "PUT", body }))
      )
    }
  }
}

/** Returns the organization of the only token, after it has removed everything that scenarios create. */
const prepareOnlyUser = async (
  users: ReturnType<typeof makeUsers>,
  token: string,
  model: WorkspaceModel
): Promise<Actors> => {
  const user = await users.add(token)
  const { items } = await users.require<{
    items: ReadonlyArray<{ readonly id: string; readonly title: string }>
  }>(user, { method: "GET", path: "/v1/orgs" })
  const [organization, ...others] = items
  if (organization === undefined || others.length > 0) {
    throw new Error(
      `The user of \`token\` must be a member of exactly one organization, and is one of ${items.length}.`
    )
  }
  const { role } = await users.require<{ readonly role: RoleOrGuest }>(user, {
    method: "GET",
    path: `/v1/orgs/${organization.id}/members/${user}`
  })
  if (role !== "admin") throw new Error("The user of `token` must be an administrator of the organization.")
  await removeEverything((call) => users.call(user, call), organization.id)
  model.members.set(organization.id, new Map([[user, "admin"]]))
  return { users: [user], organizations: [organization.id], teams: [] }
}

/** Opens a running server for scenarios. */
export const makeHttpApi = (server: TestedServer): WorkspaceApi => {
  const { token, createOrganization, runJobs } = server
  const users = makeUsers(server)
  const emails = new Map<string, string>()
  const administrators = new Map<string, string>()
  const needed = (): never => {
    throw new Error("Set `createOrganization`, because `token` is a function.")
  }
  return {
    call: users.call,
    send: users.sendFile,
    now: () => Effect.runSync(Clock.currentTimeMillis),
    ...(runJobs && { work: async () => void (await runJobs()) }),
    ...(typeof token === "string" && { prepare: (model) => prepareOnlyUser(users, token, model) }),
    createUser: async (email) => {
      const user = await users.add(typeof token === "string" ? token : await token(email))
      emails.set(user, email)
      return user
    },
    createOrganization: async (title, administrator) => {
      const organization = await (createOrganization ?? needed)(title, emails.get(administrator)!)
      administrators.set(organization, administrator)
      return organization
    },
    setMember: async (organization, user, role) => {
      const administrator = administrators.get(organization)!
      if (user === administrator) return { ok: true, value: undefined }
      const body = { emails: [{ email: emails.get(user)!, role }] }
      const path = `/v1/orgs/${organization}/invites`
      return { ok: true, value: await users.require(administrator, { method: "POST", path, body }) }
    },
    createTeam: async (organization, members) => {
      const request = toRequest(["teams", "create", [organization, { title: "Team", members }]])
      const { id } = await users.require<{ readonly id: string }>(administrators.get(organization)!, request)
      return id
    }
  }
}
