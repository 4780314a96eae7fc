/** Buttons, and links that look like buttons. */
import { type ReactNode, useState } from "react"
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components"
import { Link, type LinkProps } from "../router/Link.tsx"

/** The weight of a button. A screen has at most one that is `primary`. */
export type ButtonVariant = "primary" | "normal" | "quiet" | "danger"

const classOf = (variant: ButtonVariant, size: "normal" | "small"): string =>
  `button button-${variant}${size === "small" ? " button-small" : ""}`

/** Properties of {@link Button}. */
export interface ButtonProps extends Omit<AriaButtonProps, "className" | "children" | "style"> {
  readonly variant?: ButtonVariant
  readonly size?: "normal" | "small"
  readonly icon?: ReactNode
  readonly children?: ReactNode
}

/**
 * A button with a label, and optionally an icon before it. It remains focused while its action is pending or after it has become disabled,
 * and ignores presses: the next key is not a shortcut of the screen.
 */
export const Button = ({
  variant = "normal",
  size = "normal",
  icon,
  children,
  isPending = false,
  isDisabled = false,
  onPress,
  ...properties
}: ButtonProps) => {
  const [isFocused, setIsFocused] = useState(false)
  const isHeld = isDisabled && isFocused
  return (
    <AriaButton
      {...properties}
      {...(onPress === undefined || isPending || isDisabled ? {} : { onPress })}
      isDisabled={isDisabled && !isHeld}
      isPending={isHeld}
      onFocusChange={setIsFocused}
      className={classOf(variant, size) + (isPending ? " is-pending" : "")}
    >
      {icon}
      {children}
    </AriaButton>
  )
}

/** Properties of {@link IconButton}. */
export interface IconButtonProps extends Omit<AriaButtonProps, "className" | "children" | "style"> {
  /** The name of the button for screen readers, which is also its tooltip. */
  readonly label: string
  readonly icon: ReactNode
  /** Whether something that the button toggles is displayed. */
  readonly isActive?: boolean
}

/** A button with only an icon. */
export const IconButton = ({ label, icon, isActive = false, ...properties }: IconButtonProps) => (
  <span className="tooltip" data-tooltip={label}>
    <AriaButton
      {...properties}
      aria-label={label}
      className={isActive ? "icon-button is-active" : "icon-button"}
    >
      {icon}
    </AriaButton>
  </span>
)

/** Properties of {@link ButtonLink}. */
export interface ButtonLinkProps extends LinkProps {
  readonly variant?: ButtonVariant
  readonly size?: "normal" | "small"
  readonly icon?: ReactNode
}

/** A link that looks like a button. */
export const ButtonLink = ({
  variant = "normal",
  size = "normal",
  icon,
  children,
  ...properties
}: ButtonLinkProps) => (
  <Link {...properties} className={classOf(variant, size)}>
    {icon}
    {children}
  </Link>
)
