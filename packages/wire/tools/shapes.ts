import type * as z from 'zod/mini'

export type SchemaNames = {
  /** Schemas that have a name of their own, by identity. */
  readonly schemas: ReadonlyMap<unknown, string>
  /** Enumerations, by their values in order. */
  readonly enums: ReadonlyMap<string, string>
}

export const enumKey = (values: readonly unknown[]): string => JSON.stringify(values)

const LINE_WIDTH = 118

/** What a schema accepts, in a short notation: `{ id: orderId, amount, password?: fundPassword }`. */
export function describeShape(schema: z.core.$ZodType, names: SchemaNames, indent = 0): string {
  return names.schemas.get(schema) ?? describeExpandedShape(schema, names, indent)
}

/** The same, but the schema itself is written out even if it has a name. */
export function describeExpandedShape(schema: z.core.$ZodType, names: SchemaNames, indent = 0): string {
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  const inner = (part: z.core.$ZodType) => describeShape(part, names, indent)
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
      return names.enums.get(enumKey(values)) ?? values.map((value) => JSON.stringify(value)).join(' | ')
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
      return oneLine.length <= LINE_WIDTH ? oneLine : options.join(`\n${' '.repeat(indent)}| `)
    }
    case 'object': {
      if (Object.keys(def.shape).length === 0) return '{}'
      const oneLine = `{ ${describeFields(def.shape, names, indent).join(', ')} }`
      if (!oneLine.includes('\n') && indent + oneLine.length <= LINE_WIDTH) return oneLine
      const margin = ' '.repeat(indent)
      return `{\n${margin}  ${wrapParts(describeFields(def.shape, names, indent + 2), indent + 2)}\n${margin}}`
    }
    default:
      throw new Error(`the API reference cannot describe a schema of type ${def.type}`)
  }
}

/** A field whose name equals its type is written once. */
export const describeFields = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
  names: SchemaNames,
  indent: number,
): string[] =>
  Object.entries(shape).map(([name, part]) => {
    const shape = describeShape(part, names, indent)
    const fieldName = `${name}${isOptional(part) ? '?' : ''}`
    return shape === name ? fieldName : `${fieldName}: ${shape}`
  })

/** Fills lines up to the width. A part of several lines gets lines of its own. */
export function wrapParts(parts: readonly string[], indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    if (line !== '' && (part.includes('\n') || indent + line.length + part.length + 3 > LINE_WIDTH)) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? part : `${line}, ${part}`
    if (!part.includes('\n')) continue
    lines.push(line)
    line = ''
  }
  return (line === '' ? lines : [...lines, line]).join(`,\n${' '.repeat(indent)}`)
}

export const isOptional = (schema: z.core.$ZodType): boolean => schema._zod.def.type === 'optional'
const isUnion = (schema: z.core.$ZodType): boolean => ['union', 'nullable'].includes(schema._zod.def.type)
