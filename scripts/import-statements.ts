import { parseSync, Visitor } from 'oxc-parser'

export type ImportStatement = {
  readonly specifier: string
  readonly line: number
  /**
   * `type` imports do not exist at run time; `dynamic` ones are loaded when reached; `static` ones are loaded at once.
   */
  readonly kind: 'static' | 'dynamic' | 'type'
}

/**
 * Lists the imports of a source file, including type imports. The path's extension tells whether it may contain JSX.
 */
export function findImports(source: string, path = 'source.tsx'): ImportStatement[] {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)

  const found: ImportStatement[] = []
  const add = ({ value, start }: { value: string; start: number }, kind: ImportStatement['kind']): void => {
    found.push({ specifier: value, line: source.slice(0, start).split('\n').length, kind })
  }
  new Visitor({
    ImportDeclaration({ source, importKind, specifiers }) {
      const onlyTypes =
        specifiers.length > 0 && specifiers.every((one) => 'importKind' in one && one.importKind === 'type')
      add(source, importKind === 'type' || onlyTypes ? 'type' : 'static')
    },
    ExportNamedDeclaration({ source, exportKind, specifiers }) {
      if (!source) return
      const onlyTypes = specifiers.length > 0 && specifiers.every((one) => one.exportKind === 'type')
      add(source, exportKind === 'type' || onlyTypes ? 'type' : 'static')
    },
    ExportAllDeclaration({ source, exportKind }) {
      add(source, exportKind === 'type' ? 'type' : 'static')
    },
    ImportExpression({ source }) {
      // A computed specifier names no file, so it cannot be checked.
      if (source.type === 'Literal' && typeof source.value === 'string')
        add({ ...source, value: source.value }, 'dynamic')
    },
    TSImportType({ source }) {
      add(source, 'type')
    },
  }).visit(program)
  return found
}
