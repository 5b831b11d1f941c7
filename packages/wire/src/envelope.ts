import * as z from 'zod/mini'

/**
 * The shape of every answer. `code` always equals the HTTP status; only 200 is success. `message` is in the caller's
 * language; it is empty on success. `reason` is the stable refusal code; `fields` names the wrong inputs.
 */
export const envelope = <Data extends z.ZodMiniType>(data: Data) =>
  z.object({
    code: z.int(),
    message: z.string(),
    data,
    reason: z.optional(z.string()),
    fields: z.optional(z.record(z.string(), z.string())),
  })

export type Envelope<Data> = {
  code: number
  message: string
  data: Data
  reason?: string
  fields?: Record<string, string>
}
