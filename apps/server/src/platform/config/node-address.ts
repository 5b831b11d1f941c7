/** Where a node is, and whose it is. Nodes of one origin count as one: they may lie or fail together. */
export type NodeAddress = { readonly origin: string; readonly url: string }

/** Reads `https://…`, or `provider=https://…`. Without the provider's name, the URL tells the origin. */
export function parseNodeAddress(
  entry: string,
): { readonly provider: string | null; readonly address: NodeAddress } | null {
  const [, provider, url = ''] = /^(?:([a-z0-9-]{1,30})=)?(https?:\/\/\S+)$/.exec(entry.trim()) ?? []
  const parsed = URL.parse(url)
  return parsed && { provider: provider ?? null, address: { origin: provider ?? parsed.origin, url } }
}

/** The address of a node whose provider is not named. */
export const nodeAt = (url: string): NodeAddress => ({ url, origin: new URL(url).origin })
