export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * The one spelling of a value: keys in the order of their code units, no spaces, whole numbers only. Two people who mean the
 * same sign the same bytes.
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
