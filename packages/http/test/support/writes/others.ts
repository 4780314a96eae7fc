/** Specs, translations and integrations. */
import { fact, fresh, isThere, type Kind, type Made, organizationOf, pick, renamed } from "./Write.ts"

/** What is written to them. */
export const others: ReadonlyArray<Kind> = [
  (writer) => {
    const slug = writer.draw(2) === 0 ? pick(writer, writer.specs) : undefined
    const name = slug ?? `spec-${fresh(writer)}`.toLowerCase()
    const title = fresh(writer)
    const path = `${organizationOf(writer)}/openapi/${name}`
    const spec = { openapi: "3.1.0", info: { title, version: "1" }, paths: {} }
    return {
      method: "PUT",
      path,
      body: { source: { text: JSON.stringify(spec) } },
      done: () => {
        if (slug === undefined) writer.specs.push(name)
        return [isThere(path)]
      }
    }
  },
  (writer) => {
    const title = fresh(writer)
    return {
      method: "POST",
      path: `${organizationOf(writer)}/translations`,
      body: { title },
      done: ({ id }: Made) => {
        writer.translations.push(`${organizationOf(writer)}/translations/${id}`)
        return [fact(`${organizationOf(writer)}/translations/${id}`, "title", title)]
      }
    }
  },
  (writer) => renamed(writer, pick(writer, writer.translations), "PUT"),
  (writer) => {
    const name = pick(writer, writer.integrations) ?? `i-${fresh(writer)}`.toLowerCase()
    const title = fresh(writer)
    const path = `/integrations/${name}`
    return {
      method: "POST",
      path,
      body: {
        organization: writer.organization,
        title,
        description: "",
        script: "x",
        scopes: [],
        secrets: { one: "1", two: "2" }
      },
      facts: [fact(path, "title", title)],
      done: () => {
        if (!writer.integrations.includes(name)) writer.integrations.push(name)
        return []
      }
    }
  },
  (writer) => {
    const name = pick(writer, writer.integrations)
    if (name === undefined) return undefined
    return {
      method: "POST",
      path: `/integrations/${name}/installations`,
      body: { organization: writer.organization },
      done: ({ id }: Made) => [isThere(`/integrations/${name}/installations/${id}`)]
    }
  }
]
