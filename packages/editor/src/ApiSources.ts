/** Loads what blocks of OpenAPI and of integrations display, once for each editor. */
import type { ApiLoader } from "./apis/ApiLoader.ts"
import type { EditorBackend, IntegrationDescription } from "./EditorBackend.ts"
import type { Loaded } from "./Loaded.ts"

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

/** Creates the loader that displays the documents of a backend in the page. */
const makePageLoader = (backend: EditorBackend | undefined, signal: AbortSignal): ApiLoader => {
  const loadDocument = loadOnce(backend?.loadApi?.bind(backend), signal)
  const loadModule = () => import("./apis/pageDisplays.ts").catch(() => undefined)
  return {
    display: async (request) => {
      const [loaded, module] = await Promise.all([
        loadDocument(request.source, request.isRetry),
        loadModule()
      ])
      if (loaded._tag !== "Loaded") return loaded
      if (module === undefined) return { _tag: "Failed" }
      return { _tag: "Loaded", value: module.displayOf(loaded.value, request) }
    },
    names: async (source) => {
      const [loaded, module] = await Promise.all([loadDocument(source), loadModule()])
      if (loaded._tag !== "Loaded") return loaded
      if (module === undefined) return { _tag: "Failed" }
      return { _tag: "Loaded", value: module.namesOfLoaded(loaded.value) }
    }
  }
}

/** Loads the displays of APIs, and the descriptions of integrations. */
export interface ApiSources extends ApiLoader {
  /** Returns the integration with a name. */
  readonly integration: (name: string, isRetry?: boolean) => Promise<Loaded<IntegrationDescription>>
}

/** Creates the sources of an editor. Without a loader of the host, the page displays the documents of the backend. */
export const makeApiSources = (
  backend: EditorBackend | undefined,
  loader: ApiLoader | undefined,
  signal: AbortSignal
): ApiSources => {
  const { display, names } = loader ?? makePageLoader(backend, signal)
  return { display, names, integration: loadOnce(backend?.findIntegration?.bind(backend), signal) }
}
