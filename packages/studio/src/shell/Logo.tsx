/** The mark of the application. */

/** The mark of the application: a lectern with an open book. */
export const Logo = ({ size = 24 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden className="logo">
    <rect width="32" height="32" rx="8" fill="var(--primary)" />
    <path
      d="M16 11.5c-2.4-1.7-5.2-2.3-8.5-2v10c3.3-.3 6.1.3 8.5 2 2.4-1.7 5.2-2.3 8.5-2v-10c-3.3-.3-6.1.3-8.5 2Zm0 0v10"
      fill="none"
      stroke="var(--on-primary)"
      strokeWidth="2"
      strokeLinejoin="round"
    />
    <path d="M12 25h8" stroke="var(--on-primary)" strokeWidth="2" strokeLinecap="round" />
  </svg>
)
