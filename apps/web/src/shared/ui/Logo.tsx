/** The logo: three bars (left, center, right) on one base line. `bare` omits the base line, for small sizes. */
export function Logo({ size, bare = false }: { size: number; bare?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox={bare ? '4 7 88 88' : '0 0 96 96'}
      fill="none"
      stroke="var(--lode)"
      strokeWidth={bare ? 8 : 6}
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M48 86V16" />
      <path d="M48 70C30 62 20 46 18 24" />
      <path d="M48 70c18-8 28-24 30-46" />
      {!bare && <path d="M18 86h60" stroke="var(--ink)" />}
    </svg>
  )
}
