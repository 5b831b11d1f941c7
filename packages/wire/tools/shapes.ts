import type * as z from 'zod/mini'

export type Names = {
  /** Schemas that have a name of their own, by identity. */
  readonly schemas: ReadonlyMap<unknown, string>
  /** Enumerations, by their values in order. */
  readonly enums: ReadonlyMap<string, string>
}

export const keyOfEnum = (values: readonly unknown[]): string => JSON.stringify(values)

const WIDTH = 118

/** What a schema accepts, as one would write it down: `{ id: orderId, amount, password?: fundPassword }`. */
export function shapeOf(schema: z.core.$ZodType, names: Names, indent = 0): string {
  return names.schemas.get(schema) ?? expandedShapeOf(schema, names, indent)
}

/** The same, with its own name looked through. */
export function expandedShapeOf(schema: z.core.$ZodType, names: Names, indent = 0): string {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  const inner = (part: z.core.$ZodType) => shapeOf(part, names, indent)
  switch (def.type) {
    case 'string':
      return 'format' in def && def.format === 'uuid' ? 'uuid' : 'string'
    case 'number':
      return 'format' in def ? 'integer' : 'number'
    case 'boolean':
      return 'boolean'
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' | ')
    case 'enum': {
      const values = Object.values(def.entries)
      return names.enums.get(keyOfEnum(values)) ?? values.map((value) => JSON.stringify(value)).join(' | ')
    }
    case 'nullable':
      return `${inner(def.innerType)} | null`
    case 'optional':
      return inner(def.innerType)
    case 'array': {
      const element = inner(def.element)
      return isUnion(def.element) ? `(${element})[]` : `${element}[]`
    }
    case 'record':
      return `Record<${inner(def.keyType)}, ${inner(def.valueType)}>`
    case 'union': {
      const options = def.options.map(inner)
      const oneLine = options.join(' | ')
      return oneLine.length <= WIDTH ? oneLine : options.join(`\n${' '.repeat(indent)}| `)
    }
    case 'object': {
      if (Object.keys(def.shape).length === 0) return '{}'
      const oneLine = `{ ${fieldsOf(def.shape, names, indent).join(', ')} }`
      if (!oneLine.includes('\n') && indent + oneLine.length <= WIDTH) return oneLine
      const margin = ' '.repeat(indent)
      return `{\n${margin}  ${filled(fieldsOf(def.shape, names, indent + 2), indent + 2)}\n${margin}}`
    }
    default:
      throw new Error(`the reference does not know how to write ${def.type}`)
  }
}

/** A field that is called as what it is, is said once. */
export const fieldsOf = (shape: Readonly<Record<string, z.core.$ZodType>>, names: Names, indent: number): string[] =>
  Object.entries(shape).map(([name, part]) => {
    const shape = shapeOf(part, names, indent)
    const called = `${name}${isOptional(part) ? '?' : ''}`
    return shape === name ? called : `${called}: ${shape}`
  })

/** As many on a line as it holds; what takes several lines has them for itself. */
export function filled(parts: readonly string[], indent: number): string {
  const lines: string[] = []
  let open = ''
  for (const part of parts) {
    if (open !== '' && (part.includes('\n') || indent + open.length + part.length + 3 > WIDTH)) {
      lines.push(open)
      open = ''
    }
    open = open === '' ? part : `${open}, ${part}`
    if (!part.includes('\n')) continue
    lines.push(open)
    open = ''
  }
  return (open === '' ? lines : [...lines, open]).join(`,\n${' '.repeat(indent)}`)
}

export const isOptional = (schema: z.core.$ZodType): boolean => schema._zod.def.type === 'optional'
const isUnion = (schema: z.core.$ZodType): boolean => ['union', 'nullable'].includes(schema._zod.def.type)
