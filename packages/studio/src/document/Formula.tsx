/** A formula, rendered as in the editor. */
import { useEffect, useRef } from "react"

/** Properties of {@link Formula}. */
export interface FormulaProps {
  readonly formula: string
  /** Whether it is a block of its own. */
  readonly isBlock: boolean
}

/** A formula. Its source is displayed if it is malformed, or cannot be rendered. */
export const Formula = ({ formula, isBlock }: FormulaProps) => {
  const host = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let isActive = true
    const render = async () => {
      const { renderFormula } = await import("@lectern/editor/formula")
      if (isActive && host.current !== null) renderFormula(host.current, formula, isBlock)
    }
    render().catch(() => {
      if (isActive && host.current !== null) host.current.textContent = formula
    })
    return () => {
      isActive = false
    }
  }, [formula, isBlock])
  return <span ref={host} className={isBlock ? "math math-block" : "math"} />
}
