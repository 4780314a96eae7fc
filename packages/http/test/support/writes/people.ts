/** Members, teams and permissions. */
import { fact, fresh, isGone, type Kind, type Made, organizationOf, pick } from "./Write.ts"

const roles = ["read", "comment", "edit", "review", "create"]

/** What is written to them. */
export const people: ReadonlyArray<Kind> = [
  (writer) => ({
    method: "POST",
    path: `${organizationOf(writer)}/invites`,
    body: { emails: [`${fresh(writer)}@example.com`], role: "read" },
    done: ({ users }: { readonly users: ReadonlyArray<string> }) => {
      writer.people.push(...users)
      return users.map((user) => fact(`${organizationOf(writer)}/members/${user}`, "role", "read"))
    }
  }),
  (writer) => {
    const user = pick(writer, writer.people)
    if (user === undefined) return undefined
    const [path, role] = [`${organizationOf(writer)}/members/${user}`, pick(writer, roles)]
    return { method: "PATCH", path, body: { role }, facts: [fact(path, "role", role)] }
  },
  (writer) => {
    const user = writer.people.length < 3 ? undefined : writer.people.shift()
    if (user === undefined) return undefined
    const path = `${organizationOf(writer)}/members/${user}`
    return { method: "DELETE", path, facts: [isGone(path)] }
  },
  (writer) => {
    const title = fresh(writer)
    return {
      method: "PUT",
      path: `${organizationOf(writer)}/teams`,
      body: { title, members: writer.people.slice(0, 2) },
      done: ({ id }: Made) => {
        writer.teams.push(`${organizationOf(writer)}/teams/${id}`)
        return [fact(`${organizationOf(writer)}/teams/${id}`, "title", title)]
      }
    }
  },
  (writer) => {
    const [team, user] = [pick(writer, writer.teams), pick(writer, writer.people)]
    if (team === undefined || user === undefined) return undefined
    return { method: "PUT", path: `${team}/members`, body: { add: [user] } }
  },
  (writer) => {
    const [space, user] = [pick(writer, writer.spaces), pick(writer, writer.people)]
    if (space === undefined || user === undefined) return undefined
    return {
      method: "PATCH",
      path: `/spaces/${space}/permissions/users/${user}`,
      body: { role: pick(writer, roles) }
    }
  },
  (writer) => ({ method: "POST", path: `${organizationOf(writer)}/ping` })
]
