/** Scenarios as shell scripts: the calls on a workspace, as lines of `curl` that do the same to a new server. */
import type { HttpCall } from "./HttpCalls.ts"
import { toRequest } from "./HttpCalls.ts"
import type { Call, Outcome, WorkspaceApi } from "./WorkspaceApi.ts"

/** A call that was made, or something that no request does. */
type Recorded =
  | { readonly by: string; readonly request: HttpCall; readonly answer: unknown; readonly end: string }
  | { readonly command: string; readonly answer: unknown }

/** Where in an answer a text stands, as `jq` says it. */
interface Place {
  readonly line: number
  readonly path: string
}

/** What ids, cursors and keys look like. */
const isId = (text: string): boolean => /^(?=.*\d)[\w-]{20,}$/.test(text)

/** Every id in an answer, with where it stands; those in addresses too. */
const idsIn = (value: unknown, path = ""): ReadonlyArray<readonly [id: string, path: string]> => {
  if (typeof value === "string") {
    if (!value.includes("/")) return isId(value) ? [[value, path === "" ? "." : path]] : []
    return value
      .split("/")
      .flatMap((part, index) => (isId(part) ? [[part, `${path} | split("/")[${index}]`] as const] : []))
  }
  if (Array.isArray(value)) return value.flatMap((one, index) => idsIn(one, `${path}[${index}]`))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => idsIn(one, `${path}.${key}`))
}

const isWrite = (one: Recorded): boolean => "command" in one || one.request.method !== "GET"

/** What a recorded line says, before ids are replaced. */
const sentOf = (one: Recorded): string =>
  "command" in one
    ? one.command
    : `${one.by} ${one.request.path} ${one.request.body === undefined ? "" : JSON.stringify(one.request.body)}`

/**
 * The lines that matter: all that change something, the last one, and those that tell what another line needs. With
 * where each id that is used came from.
 */
const choose = (all: ReadonlyArray<Recorded>) => {
  const from = new Map<string, Place>()
  for (const [line, { answer }] of all.entries()) {
    for (const [text, path] of idsIn(answer)) if (!from.has(text)) from.set(text, { line, path })
  }
  const chosen = new Set<number>()
  const used = new Map<string, Place>()
  const take = (line: number): void => {
    if (chosen.has(line)) return
    chosen.add(line)
    const sent = sentOf(all[line]!)
    for (const [text, place] of from) {
      if (place.line >= line || !sent.includes(text)) continue
      used.set(text, place)
      take(place.line)
    }
  }
  for (const [line, one] of all.entries()) if (isWrite(one) || line === all.length - 1) take(line)
  return { lines: [...chosen].sort((a, b) => a - b), used }
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A text for the shell in which ids are variables. */
const withVariables = (text: string, names: ReadonlyMap<string, string>): string => {
  let quoted = quote(text)
  for (const [id, name] of names) quoted = quoted.replaceAll(id, `'"$${name}"'`)
  return quoted.replace(/^''(?=.)/, "").replace(/(?<=.)''$/, "")
}

/** What an id is called that stands there in the answer to a request. */
const stemOf = (place: string, { path }: HttpCall): string => {
  const list = path.replace(/\?.*/, "").split("/").at(-1) ?? "id"
  const named = /\.(\w+)(?:\[\d+\])?\.id$/.exec(place)?.[1] ?? /\.(revision)$/.exec(place)?.[1] ?? list
  const words = named.replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll("-", "_")
  return words.replace(/ies$/, "y").replace(/s$/, "").toUpperCase()
}

/** The lines of a script. The variables `$TOKEN_0` and on hold the tokens of the users. */
const toScript = (all: ReadonlyArray<Recorded>, users: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { lines, used } = choose(all)
  const names = new Map<string, string>()
  for (const [id, { line, path }] of used) {
    const one = all[line]!
    const user = users.indexOf(id)
    const stem = "command" in one ? one.command.split(" ")[1]!.toUpperCase() : stemOf(path, one.request)
    const count = [...names.values()].filter((name) => name.startsWith(`${stem}_`)).length
    names.set(id, user >= 0 ? `USER_${user}` : `${stem}_${count}`)
  }
  return lines.flatMap((line) => {
    const one = all[line]!
    const known = new Map([...names].filter(([id]) => used.get(id)!.line < line))
    const answers = [...used].filter(([, place]) => place.line === line)
    if ("command" in one) {
      const said = [...known].reduce((text, [id, name]) => text.replaceAll(id, `"$${name}"`), one.command)
      return answers.length === 0 ? [said] : [`${names.get(answers[0]![0])}=$(${said})`]
    }
    const { method, path, body } = one.request
    const sent = [
      "curl -sS",
      method === "GET" ? "" : `-X ${method}`,
      `-H "Authorization: Bearer $TOKEN_${users.indexOf(one.by)}"`,
      body === undefined
        ? ""
        : `-H 'Content-Type: application/json' -d ${withVariables(JSON.stringify(body), known)}`,
      `"$BASE${[...known].reduce((text, [id, name]) => text.replaceAll(id, `$${name}`), path)}"`
    ]
      .filter((part) => part !== "")
      .join(" ")
    if (answers.length === 0) return [`${sent.replace("-sS", "-sS -w ' %{http_code}\\n'")} # ${one.end}`]
    const [[id, { path: at }]] = answers as unknown as readonly [readonly [string, Place]]
    if (answers.length === 1) return [`${names.get(id)}=$(${sent} | jq -r '${at}')`]
    return [
      `ANSWER=$(${sent})`,
      ...answers.map(([id, { path }]) => `${names.get(id)}=$(jq -r '${path}' <<<"$ANSWER")`)
    ]
  })
}

/** A workspace that records its calls. */
export interface Recording {
  readonly api: WorkspaceApi
  /** The calls so far, as lines for a shell that has `curl`, `jq`, and the command line of the workspace. */
  readonly script: () => ReadonlyArray<string>
}

/** Records the calls on a workspace. */
export const recordCalls = (api: WorkspaceApi): Recording => {
  const all: Array<Recorded> = []
  const users: Array<string> = []
  const emails: Array<string> = []
  const administrators = new Map<string, string>()
  const note = (command: string, answer: unknown = undefined) => all.push({ command, answer })
  /** Records a request of an administrator that sets the scenario up. */
  const setUp = (organization: string, request: HttpCall, answer: unknown = undefined) =>
    all.push({ by: administrators.get(organization)!, request, answer, end: "succeeds" })
  const call = async (user: string, asked: Call): Promise<Outcome> => {
    const request = toRequest(asked)
    const fresh = { by: user, request, answer: undefined, end: "no answer" }
    const index = all.push(fresh) - 1
    const outcome = await api.call(user, asked)
    all[index] = {
      ...fresh,
      answer: outcome.ok ? outcome.value : undefined,
      end: outcome.ok ? "succeeds" : outcome.error
    }
    return outcome
  }
  return {
    script: () => ["BASE=http://127.0.0.1:4400", ...toScript(all, users)],
    api: {
      ...api,
      call,
      createUser: async (email) => {
        const user = await api.createUser(email)
        note(`lectern user create ${email}`, user)
        note(`TOKEN_${users.length}=$(lectern token create ${email})`)
        users.push(user)
        emails.push(email)
        return user
      },
      createOrganization: async (title, administrator) => {
        const organization = await api.createOrganization(title, administrator)
        const admin = emails[users.indexOf(administrator)]
        note(`lectern org create ${quote(title)} --admin ${admin}`, organization)
        administrators.set(organization, administrator)
        return organization
      },
      setMember: async (organization, user, role) => {
        const outcome = await api.setMember(organization, user, role)
        const body = { emails: [{ email: emails[users.indexOf(user)], role }] }
        if (administrators.get(organization) !== user) {
          setUp(organization, { method: "POST", path: `/v1/orgs/${organization}/invites`, body })
        }
        return outcome
      },
      createTeam: async (organization, members) => {
        const team = await api.createTeam(organization, members)
        setUp(organization, toRequest(["teams", "create", [organization, { title: "Team", members }]]), {
          team
        })
        return team
      },
      advance: (milliseconds) => {
        note(`# ${milliseconds / 3_600_000} hours pass`)
        return api.advance(milliseconds)
      },
      purge: () => {
        note("# what has been in the trash for 7 days is purged")
        return api.purge()
      },
      work: () => {
        note("# the background jobs run")
        return api.work()
      }
    }
  }
}
