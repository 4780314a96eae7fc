/** An icon of content, by its name, as published pages display it. */
import { useEffect, useRef } from "react"

/** An icon. Its library is loaded with the first one; without it, or for an unknown name, nothing is displayed. */
export const Icon = ({ name }: { readonly name: string }) => {
  const host = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let isActive = true
    import("@lectern/editor/content")
      .then(({ findIcon }) => findIcon(name))
      .then((icon) => {
        if (isActive) host.current?.replaceChildren(...(icon === undefined ? [] : [icon]))
      })
      .catch(() => undefined)
    return () => {
      isActive = false
    }
  }, [name])
  return <span ref={host} className="content-icon" data-icon={name} aria-hidden />
}
