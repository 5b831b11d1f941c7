import { ok, type Result, refused } from '@lode/kernel'

/** Where a node is, and whose it is. Nodes of one origin count as one: they may lie or fail together. */
export type NodeAddress = { readonly origin: string; readonly url: string }

type ParsedNode = { readonly provider: string | null; readonly address: NodeAddress }

/** Reads a list of nodes, separated by commas or lines. The rest of a line after `#` is a comment. */
export function readNodes(text: string): Result<NodeAddress[], string> {
  const nodes = splitNodes(text).map(parseNode)
  if (nodes.length === 0) return refused('must have at least one node')
  const wrong = nodes.indexOf(null)
  // The entry itself may contain a paid key, so it is not shown.
  if (wrong >= 0) return refused(`entry ${wrong + 1} must be like https://… or provider=https://…`)
  return ok(nodes.flatMap((node) => node?.address ?? []))
}

/**
 * Returns the rules of production that a list of nodes breaks. A single node that lies could invent a deposit or the
 * signature of a contract wallet. Two addresses of one provider may lie together, and their host names need not show
 * it. So there must be two providers, and they are named.
 */
export function findNodeErrors(text: string): string[] {
  const nodes = splitNodes(text).flatMap((entry) => parseNode(entry) ?? [])
  const errors: string[] = []
  if (nodes.some(({ provider }) => provider === null))
    errors.push('must name the provider of each node in production: one=https://…,other=https://…')
  if (new Set(nodes.map(({ address }) => address.origin)).size < 2)
    errors.push('must have nodes of two providers or more in production')
  return errors
}

const splitNodes = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)#.*/, '').split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Reads `https://…`, or `provider=https://…`. Without the provider's name, the URL tells the origin. */
function parseNode(entry: string): ParsedNode | null {
  const [, provider, url = ''] = /^(?:([a-z0-9-]{1,30})=)?(https?:\/\/\S+)$/.exec(entry) ?? []
  const parsed = URL.parse(url)
  return parsed && { provider: provider ?? null, address: { origin: provider ?? parsed.origin, url } }
}

/** The address of a node whose provider is not named. */
export const nodeAt = (url: string): NodeAddress => ({ url, origin: new URL(url).origin })
