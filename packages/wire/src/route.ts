import * as z from 'zod/mini'
import { address } from './formats.ts'
import { commonRefusals, memberRefusals, type RefusalCode } from './refusals.ts'

/**
 * Who may call: `open`, anybody; `member`, a full session; `exit`, also an exit session. A member's call names the
 * `account` for which it acts, and the server refuses one that is not the session's.
 */
export type Access = 'open' | 'member' | 'exit'

/**
 * Who may keep an answer: `nobody`; `client`, the app itself, which asks whether its answer is still true; `anybody`,
 * also a shared cache in front of the server, for a short time.
 */
type KeptBy = 'nobody' | 'client' | 'anybody'

export type Route = {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly access: Access
  readonly keptBy: KeptBy
  readonly summary: string
  /** The query of a GET, or the body of a POST. */
  readonly request: z.ZodMiniObject
  readonly data: z.ZodMiniType
  readonly refusals: readonly RefusalCode[]
}

type RouteOptions<
  Shape extends z.core.$ZodLooseShape,
  Data extends z.ZodMiniType,
  Refusals extends readonly RefusalCode[],
> = {
  summary: string
  request: Shape
  data: Data
  refusals?: Refusals
}

export function openRoute<
  const Method extends Route['method'],
  const Path extends Route['path'],
  Shape extends z.core.$ZodLooseShape,
  Data extends z.ZodMiniType,
  const Refusals extends readonly RefusalCode[] = [],
>(method: Method, path: Path, options: RouteOptions<Shape, Data, Refusals> & { keptBy?: 'anybody' }) {
  return {
    method,
    path,
    access: 'open' as const,
    keptBy: options.keptBy ?? ('nobody' as const),
    summary: options.summary,
    request: z.strictObject({ ...timestamp, ...options.request }),
    data: options.data,
    refusals: [...commonRefusals, ...(options.refusals ?? [])] as readonly (
      | (typeof commonRefusals)[number]
      | Refusals[number]
    )[],
  }
}

export function memberRoute<
  const Method extends Route['method'],
  const Path extends Route['path'],
  Shape extends z.core.$ZodLooseShape,
  Data extends z.ZodMiniType,
  const Refusals extends readonly RefusalCode[] = [],
>(method: Method, path: Path, options: RouteOptions<Shape, Data, Refusals> & { exit?: true; keptBy?: 'client' }) {
  return {
    method,
    path,
    access: options.exit ? ('exit' as const) : ('member' as const),
    keptBy: options.keptBy ?? ('nobody' as const),
    summary: options.summary,
    request: z.strictObject({ ...timestamp, account: address, ...options.request }),
    data: options.data,
    refusals: [...memberRefusals, ...(options.refusals ?? [])] as readonly (
      | (typeof memberRefusals)[number]
      | Refusals[number]
    )[],
  }
}

/**
 * The client adds the time to every GET of a member, so that no cache answers instead of the server. The server ignores
 * it.
 */
const timestamp = { _t: z.optional(z.string().check(z.maxLength(20))) }
