/** The path to the other sign-in page. Keeps the redirect target and the invitation code. */
export function buildSignInPath(path: '/login' | '/regist', query: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams()
  for (const name of ['invite', 'redirect']) {
    const value = query[name]
    if (value) parameters.set(name, value)
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
