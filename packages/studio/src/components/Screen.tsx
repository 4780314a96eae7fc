/** The frame of a screen in the middle: its title, its actions and its content. */
import { type ReactNode, useEffect } from "react"
import { config } from "../config.ts"
import { IsBelowTitle } from "./states.tsx"

/** Sets the title of the window, for the history of the browser. */
export const useTitle = (title: string | undefined): void => {
  useEffect(() => {
    document.title = title === undefined || title === "" ? config.name : `${title} · ${config.name}`
  }, [title])
}

/** Properties of {@link ScreenFrame}. */
export interface ScreenFrameProps {
  readonly title: string
  /** Displayed above the title, such as the place of a page. */
  readonly above?: ReactNode
  /** Displayed instead of the title, which remains that of the window. */
  readonly heading?: ReactNode
  readonly icon?: ReactNode
  /** The primary action last. */
  readonly actions?: ReactNode
  /** A line below the title. */
  readonly meta?: ReactNode
  readonly children: ReactNode
  /** The width of the content; `text` is that of a page. */
  readonly width?: "text" | "wide" | "full"
}

/** The frame of a screen. */
export const ScreenFrame = ({
  title,
  above,
  heading,
  icon,
  actions,
  meta,
  children,
  width = "wide"
}: ScreenFrameProps) => {
  useTitle(title)
  return (
    <div className={`screen screen-${width}`}>
      {above === undefined ? null : <div className="screen-above">{above}</div>}
      <header className="screen-header">
        <div className="screen-title">
          {icon}
          {heading ?? <h1>{title}</h1>}
        </div>
        {actions === undefined ? null : <div className="screen-actions">{actions}</div>}
      </header>
      {meta === undefined ? null : <div className="screen-meta">{meta}</div>}
      <div className="screen-body">
        <IsBelowTitle value>{children}</IsBelowTitle>
      </div>
    </div>
  )
}
