export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * Writes a value as canonical JSON: sorted keys, no spaces, whole numbers only. Two operators who agree on a value sign
 * the same bytes.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const field = value[key]
      return field === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(field)}`]
    })
  return `{${fields.join(',')}}`
}

const isList = (value: readonly Json[] | object): value is readonly Json[] => Array.isArray(value)
