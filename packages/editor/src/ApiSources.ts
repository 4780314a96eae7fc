/** Loads the documents and the descriptions that blocks of OpenAPI and of integrations display, once for each editor. */
import type { ApiDocument, EditorBackend, IntegrationDescription } from "./EditorBackend.ts"

/** The state of something that is loaded. `absent` if the backend cannot load it at all. */
export type Loaded<A> =
  | { readonly _tag: "Loaded"; readonly value: A }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Failed" }
  | { readonly _tag: "Absent" }

const loadOnce = <A>(
  load: ((key: string, signal: AbortSignal) => Promise<A | undefined>) | undefined,
  signal: AbortSignal
): ((key: string, isRetry?: boolean) => Promise<Loaded<A>>) => {
  const known = new Map<string, Promise<Loaded<A>>>()
  return (key, isRetry = false) => {
    if (load === undefined) return Promise.resolve({ _tag: "Absent" })
    const found = isRetry ? undefined : known.get(key)
    if (found !== undefined) return found
    const loading = load(key, signal).then(
      (value): Loaded<A> => (value === undefined ? { _tag: "Missing" } : { _tag: "Loaded", value }),
      (): Loaded<A> => {
        // The next block with this source tries again.
        known.delete(key)
        return { _tag: "Failed" }
      }
    )
    known.set(key, loading)
    return loading
  }
}

/** Loads OpenAPI documents and the descriptions of integrations. */
export interface ApiSources {
  /** Returns the document of a source. `isRetry` requests it again. */
  readonly document: (source: string, isRetry?: boolean) => Promise<Loaded<ApiDocument>>
  /** Returns the integration with a name. */
  readonly integration: (name: string, isRetry?: boolean) => Promise<Loaded<IntegrationDescription>>
}

/** Creates the sources of an editor. */
export const makeApiSources = (backend: EditorBackend | undefined, signal: AbortSignal): ApiSources => ({
  document: loadOnce(backend?.loadApi?.bind(backend), signal),
  integration: loadOnce(backend?.findIntegration?.bind(backend), signal)
})
