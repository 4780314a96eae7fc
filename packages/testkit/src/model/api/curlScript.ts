/** Records the calls of a scenario, and writes them as a shell script of `curl` commands for a new server. */
import type { HttpCall } from "./HttpCalls.ts"
import { toRequest } from "./HttpCalls.ts"
import type { Call, Outcome, WorkspaceApi } from "./WorkspaceApi.ts"

/** A recorded entry: a request of a user, or a command that the API does not offer. `result` is its value. */
type Recorded =
  | { readonly user: string; readonly request: HttpCall; readonly result: unknown; readonly outcome: string }
  | { readonly command: string; readonly result: unknown }

/** The first occurrence of an id: the index of the entry, and the `jq` path in its result. */
interface Origin {
  readonly index: number
  readonly path: string
}

/** Whether a string looks like an id, a cursor or a key. */
const isId = (text: string): boolean => /^(?=.*\d)[\w-]{20,}$/.test(text)

/** Returns the ids in a result with their `jq` paths, including ids in URLs. */
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

const isWrite = (entry: Recorded): boolean => "command" in entry || entry.request.method !== "GET"

/** Returns the text of an entry that can contain ids. */
const textOf = (entry: Recorded): string =>
  "command" in entry
    ? entry.command
    : `${entry.user} ${entry.request.path} ${entry.request.body === undefined ? "" : JSON.stringify(entry.request.body)}`

/**
 * Selects the entries of the script: all writes, the last entry, and the reads whose results contain an id that a
 * selected entry uses. Also returns the origins of the used ids.
 */
const selectEntries = (entries: ReadonlyArray<Recorded>) => {
  const origins = new Map<string, Origin>()
  for (const [index, { result }] of entries.entries()) {
    for (const [id, path] of idsIn(result)) if (!origins.has(id)) origins.set(id, { index, path })
  }
  const selected = new Set<number>()
  const used = new Map<string, Origin>()
  const select = (index: number): void => {
    if (selected.has(index)) return
    selected.add(index)
    const text = textOf(entries[index]!)
    for (const [id, origin] of origins) {
      if (origin.index >= index || !text.includes(id)) continue
      used.set(id, origin)
      select(origin.index)
    }
  }
  for (const [index, entry] of entries.entries()) {
    if (isWrite(entry) || index === entries.length - 1) select(index)
  }
  return { indexes: [...selected].sort((a, b) => a - b), used }
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Quotes a string for the shell, with ids replaced by variables. */
const quoteWithVariables = (text: string, names: ReadonlyMap<string, string>): string => {
  let quoted = quote(text)
  for (const [id, name] of names) quoted = quoted.replaceAll(id, `'"$${name}"'`)
  return quoted.replace(/^''(?=.)/, "").replace(/(?<=.)''$/, "")
}

/** Returns the first part of the name of the variable for an id, by its path in the result of a request. */
const variableStem = (idPath: string, { path }: HttpCall): string => {
  const list = path.replace(/\?.*/, "").split("/").at(-1) ?? "id"
  const field = /\.(\w+)(?:\[\d+\])?\.id$/.exec(idPath)?.[1] ?? /\.(revision)$/.exec(idPath)?.[1] ?? list
  const words = field.replace(/([a-z])([A-Z])/g, "$1_$2").replaceAll("-", "_")
  return words.replace(/ies$/, "y").replace(/s$/, "").toUpperCase()
}

/** Writes the lines of a script. The variables `$TOKEN_0`, `$TOKEN_1`, … contain the tokens of the users. */
const toScript = (entries: ReadonlyArray<Recorded>, users: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { indexes, used } = selectEntries(entries)
  const names = new Map<string, string>()
  for (const [id, { index, path }] of used) {
    const entry = entries[index]!
    const user = users.indexOf(id)
    const stem =
      "command" in entry ? entry.command.split(" ")[1]!.toUpperCase() : variableStem(path, entry.request)
    const count = [...names.values()].filter((name) => name.startsWith(`${stem}_`)).length
    names.set(id, user >= 0 ? `USER_${user}` : `${stem}_${count}`)
  }
  return indexes.flatMap((index) => {
    const entry = entries[index]!
    const assigned = new Map([...names].filter(([id]) => used.get(id)!.index < index))
    const assignments = [...used].filter(([, origin]) => origin.index === index)
    if ("command" in entry) {
      const command = [...assigned].reduce(
        (text, [id, name]) => text.replaceAll(id, `"$${name}"`),
        entry.command
      )
      return assignments.length === 0 ? [command] : [`${names.get(assignments[0]![0])}=$(${command})`]
    }
    const { method, path, body } = entry.request
    const command = [
      "curl -sS",
      method === "GET" ? "" : `-X ${method}`,
      `-H "Authorization: Bearer $TOKEN_${users.indexOf(entry.user)}"`,
      body === undefined
        ? ""
        : `-H 'Content-Type: application/json' -d ${quoteWithVariables(JSON.stringify(body), assigned)}`,
      `"$BASE${[...assigned].reduce((text, [id, name]) => text.replaceAll(id, `$${name}`), path)}"`
    ]
      .filter((part) => part !== "")
      .join(" ")
    if (assignments.length === 0) {
      return [`${command.replace("-sS", "-sS -w ' %{http_code}\\n'")} # ${entry.outcome}`]
    }
    const [[id, { path: idPath }]] = assignments as unknown as readonly [readonly [string, Origin]]
    if (assignments.length === 1) return [`${names.get(id)}=$(${command} | jq -r '${idPath}')`]
    return [
      `RESPONSE=$(${command})`,
      ...assignments.map(([id, { path }]) => `${names.get(id)}=$(jq -r '${path}' <<<"$RESPONSE")`)
    ]
  })
}

/** A workspace that records its calls. */
export interface Recording {
  readonly api: WorkspaceApi
  /** Returns the calls so far as lines for a shell that has `curl`, `jq` and the command line of Lectern. */
  readonly script: () => ReadonlyArray<string>
}

/** Records the changes of the clock and the runs of background jobs, if the scenario controls them. */
const recordControls = (
  { advance, purge, work }: WorkspaceApi,
  record: (command: string) => void
): Pick<WorkspaceApi, "advance" | "purge" | "work"> => ({
  ...(advance && {
    advance: (milliseconds) => {
      record(`# Wait ${milliseconds / 3_600_000} hours.`)
      return advance(milliseconds)
    }
  }),
  ...(purge && {
    purge: () => {
      record("# Purge the spaces that have been in the trash for 7 days.")
      return purge()
    }
  }),
  ...(work && {
    work: () => {
      record("# Run the background jobs.")
      return work()
    }
  })
})

/** Records the calls on a workspace. */
export const recordCalls = (api: WorkspaceApi): Recording => {
  const entries: Array<Recorded> = []
  const users: Array<string> = []
  const emails: Array<string> = []
  const administrators = new Map<string, string>()
  const recordCommand = (command: string, result: unknown = undefined) => entries.push({ command, result })
  /** Records a request of an administrator that prepares the scenario. */
  const recordSetup = (organization: string, request: HttpCall, result: unknown = undefined) =>
    entries.push({ user: administrators.get(organization)!, request, result, outcome: "succeeds" })
  const call = async (user: string, operation: Call): Promise<Outcome> => {
    // The entry is recorded before the call, so that the script contains a call that never completes.
    const pending = { user, request: toRequest(operation), result: undefined, outcome: "no response" }
    const index = entries.push(pending) - 1
    const outcome = await api.call(user, operation)
    entries[index] = {
      ...pending,
      result: outcome.ok ? outcome.value : undefined,
      outcome: outcome.ok ? "succeeds" : outcome.error
    }
    return outcome
  }
  return {
    script: () => ["BASE=http://127.0.0.1:4400", ...toScript(entries, users)],
    api: {
      ...api,
      call,
      send: (url, bytes) => {
        recordCommand(`head -c ${bytes.length} /dev/zero | tr '\\0' a | curl -sS -T - ${quote(url)}`)
        return api.send(url, bytes)
      },
      ...(api.prepare && {
        prepare: async (model) => {
          const actors = await api.prepare!(model)
          users.push(...actors.users)
          recordCommand("# TOKEN_0 is the token of the user, and the organization is empty.")
          for (const [index, organization] of actors.organizations.entries()) {
            administrators.set(organization, actors.users[0]!)
            recordCommand(`echo organization ${index} is ${organization}`, organization)
          }
          return actors
        }
      }),
      createUser: async (email) => {
        const user = await api.createUser(email)
        recordCommand(`lectern user create ${email}`, user)
        recordCommand(`TOKEN_${users.length}=$(lectern token create ${email})`)
        users.push(user)
        emails.push(email)
        return user
      },
      createOrganization: async (title, administrator) => {
        const organization = await api.createOrganization(title, administrator)
        const admin = emails[users.indexOf(administrator)]
        recordCommand(`lectern org create ${quote(title)} --admin ${admin}`, organization)
        administrators.set(organization, administrator)
        return organization
      },
      setMember: async (organization, user, role) => {
        const outcome = await api.setMember(organization, user, role)
        const body = { emails: [{ email: emails[users.indexOf(user)], role }] }
        if (administrators.get(organization) !== user) {
          recordSetup(organization, { method: "POST", path: `/v1/orgs/${organization}/invites`, body })
        }
        return outcome
      },
      createTeam: async (organization, members) => {
        const team = await api.createTeam(organization, members)
        const request = toRequest(["teams", "create", [organization, { title: "Team", members }]])
        recordSetup(organization, request, { team })
        return team
      },
      ...recordControls(api, recordCommand)
    }
  }
}
