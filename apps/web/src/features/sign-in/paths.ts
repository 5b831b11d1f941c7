/** The path to the other sign-in page. Keeps the redirect target and the invitation code. */
export function pathKeeping(path: '/login' | '/regist', query: Readonly<Record<string, string>>): string {
  const kept = new URLSearchParams()
  for (const name of ['invite', 'redirect']) {
    const value = query[name]
    if (value) kept.set(name, value)
  }
  return kept.size === 0 ? path : `${path}?${kept}`
}
