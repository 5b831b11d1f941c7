/** From one sign-in page to the other, without forgetting where the member wanted to go or who invited. */
export function pathKeeping(path: '/login' | '/regist', query: Readonly<Record<string, string>>): string {
  const kept = new URLSearchParams()
  for (const name of ['invite', 'redirect']) {
    const value = query[name]
    if (value) kept.set(name, value)
  }
  return kept.size === 0 ? path : `${path}?${kept}`
}
